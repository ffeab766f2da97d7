/**
 * Run by itself (`node bench/streamed-cpu.ts [provider] [other checkout]`): CPU time of a streamed one-step run, 16 at
 * once, service and database together; with another checkout that has this file and `lib/vendors.ts`, alternating with
 * it, each round in new processes. The figure is the median of the rounds' ratios: the other load of the machine varies
 * less within a round.
 */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { treeCpuMs } from "./lib/cpu.ts";
import { openStage } from "./lib/stage.ts";
import { startVendors } from "./lib/vendors.ts";

const ROUNDS = 5;
const RUNS = 600;
const AT_ONCE = 16;
const CHUNKS = [5, 60];
const run = promisify(execFile);

const MODELS = { "openai-compatible": "bench-9", anthropic: "claude-sonnet-5-5", openai: "gpt-4o" };
const [provider = "openai-compatible", other] = process.argv.slice(2);
if (other === undefined) console.log(JSON.stringify(await measure()));
else await compare(join(other, "bench/streamed-cpu.ts"));

async function compare(before: string): Promise<void> {
  const rounds: { readonly before: readonly number[]; readonly now: readonly number[] }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const pair = { before: await measureIn(before), now: await measureIn(import.meta.filename) };
    rounds.push(pair);
    console.log(pair);
  }
  console.log("| chunks | before, ms | now, ms | ratio |");
  console.log("| --: | --: | --: | --: |");
  for (const [index, chunks] of CHUNKS.entries()) {
    const of = (which: "before" | "now") => rounds.map((round) => round[which][index] ?? 0);
    const ratios = rounds.map(({ before: one, now }) => (now[index] ?? 0) / (one[index] ?? 1));
    const cells = [median(of("before")), median(of("now")), median(ratios)].map((value) => value.toFixed(2));
    console.log(`| ${[chunks, ...cells].join(" | ")} |`);
  }
}

async function measureIn(script: string): Promise<readonly number[]> {
  const { stdout } = await run(process.execPath, [script, provider]);
  return JSON.parse(stdout);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** The CPU time of a run in milliseconds, for each number of chunks. */
async function measure(): Promise<readonly number[]> {
  const vendors = await startVendors();
  const name = provider.toUpperCase().replace("-", "_");
  const stage = await openStage({ [`${name}_API_KEY`]: "bench", [`${name}_BASE_URL`]: vendors.url });
  try {
    const model = new Map(Object.entries(MODELS)).get(provider);
    const fields = { name: "Bench", provider, model };
    const { id: agent } = await stage.call("POST", "/functions/v1/api-agents", fields);
    const cpu = () => treeCpuMs(stage.servicePid) + treeCpuMs(stage.postgresPid);
    const measured: number[] = [];
    for (const chunks of CHUNKS) {
      await runAll(() => stream(stage, agent, chunks), RUNS / 2);
      const before = cpu();
      await runAll(() => stream(stage, agent, chunks), RUNS);
      measured.push((cpu() - before) / RUNS);
    }
    return measured;
  } finally {
    await stage.close();
    vendors.close();
  }
}

async function runAll(one: () => Promise<void>, runs: number): Promise<void> {
  let left = runs;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await one();
    }),
  );
}

async function stream(
  { url, aguiKey }: { readonly url: string; readonly aguiKey: string },
  agent: string,
  chunks: number,
): Promise<void> {
  const response = await fetch(`${url}/ag-ui/${agent}/sse`, {
    method: "POST",
    headers: { Authorization: `Bearer ${aguiKey}`, "Content-Type": "application/json" },
    body: JSON.stringify({
      threadId: randomUUID(),
      runId: randomUUID(),
      state: {},
      messages: [{ id: randomUUID(), role: "user", content: `bench-streamed ${chunks}x0` }],
      tools: [],
      context: [],
      forwardedProps: {},
    }),
  });
  const text = await response.text();
  if (!text.includes("RUN_FINISHED")) throw new Error(`The run did not finish: ${response.status} ${text}`);
}
