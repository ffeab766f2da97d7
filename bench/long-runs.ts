/**
 * Run by itself (`node bench/long-runs.ts [turns]`): a run of 300 turns on a context window of 32,768 tokens, against an
 * endpoint that rejects longer prompts. Each turn's tool returns 4,000 characters. How many summaries are made, how long
 * the prompts are, and what they cost beside a window without an end.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { createTextTool, isSummary, readsParts, startTexts } from "../test/support/long-run.ts";
import { startCompatible } from "../test/support/providers/strict/compatible.ts";
import { tokensOf } from "../test/support/providers/strict/tokens.ts";
import { treeCpuMs } from "./lib/cpu.ts";
import { openStage } from "./lib/stage.ts";

const WINDOW = 32_768;
const turns = Number(process.argv[2] ?? 300);
const ended = z.looseObject({ status: z.string(), error: z.string().nullable() });
const sent = z.looseObject({ messages: z.unknown(), tools: z.unknown().optional() });

const texts = await startTexts(4_000);
const vendor = await startCompatible("vllm", WINDOW);
const stage = await openStage({
  MAX_STEPS: String(turns + 10),
  ALLOW_PRIVATE_URLS: "true",
  OPENAI_COMPATIBLE_API_KEY: "bench",
  OPENAI_COMPATIBLE_BASE_URL: vendor.baseUrl,
});
try {
  vendor.plays(readsParts(turns));
  const keys = { api: stage.apiKey };
  const tools = [await createTextTool({ url: stage.url, keys }, texts)];
  const fields = { provider: "openai-compatible", model: "small-9", tools, config: { context_window: WINDOW } };
  const { id: agent } = await stage.call("POST", "/functions/v1/api-agents", { name: "Reader", ...fields });
  const [cpu, begun] = [treeCpuMs(stage.servicePid), performance.now()];
  const { id } = await stage.call("POST", "/functions/v1/api-tasks", { title: "Read", assigned_agent_id: agent });
  const end = await endOf(id);
  const lengths = vendor.accepted
    .map(({ body }) => sent.parse(body))
    .map((body) => tokensOf([body.messages, body.tools]));
  console.log({
    status: end.status,
    error: end.error,
    turns,
    summaries: vendor.accepted.filter(isSummary).length,
    rejected: vendor.rejected.length,
    longestPrompt: Math.max(...lengths),
    allPrompts: lengths.reduce((sum, tokens) => sum + tokens, 0),
    seconds: (performance.now() - begun) / 1_000,
    cpuMsPerTurn: (treeCpuMs(stage.servicePid) - cpu) / turns,
  });
} finally {
  await stage.close();
  await Promise.all([vendor.close(), texts.close()]);
}

async function endOf(id: string): Promise<z.output<typeof ended>> {
  for (;;) {
    const response = await fetch(`${stage.url}/functions/v1/api-tasks?id=${id}`, {
      headers: { "X-API-Key": stage.apiKey },
    });
    const task = ended.parse(await response.json());
    if (["completed", "failed"].includes(task.status)) return task;
    await sleep(200);
  }
}
