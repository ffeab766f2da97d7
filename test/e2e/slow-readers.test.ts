import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { once } from "node:events";
import { IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect } from "vitest";
import { openAiAgent, startTask } from "../support/runs.ts";
import { startScriptedProvider } from "../support/scripted-provider.ts";
import type { ScriptedProvider, ProviderReply } from "../support/scripted-provider.ts";
import { startProcess } from "../support/service.ts";
import type { TestProcess } from "../support/service.ts";
import { readToEnd } from "../support/sse-client.ts";
import { messagesIn } from "../support/valid-stream.ts";
import { verifies } from "../support/verifies.ts";

const BETWEEN_WORDS_MS = 10;
const STALLED = 60;
/** The number of streams that are read in the end; that is work of this test, not of the service. */
const READ_AT_LAST = 3;
const WORDS = 300;
/** In the log a word takes twice its length, so the stream has about 12 MB. */
const WORD = "x".repeat(20_000);
/** Far less than the 720 MB that the stalled readers have to receive together; what the run itself leaves varies. */
const MOST_GROWTH_MB = 400;

let provider: ScriptedProvider;
let service: TestProcess;
let agentId: string;
let gate = Promise.withResolvers<void>();

beforeAll(async () => {
  provider = await startScriptedProvider(async (_, reply) => {
    await gate.promise;
    await talk(reply);
  });
  service = await startProcess({ env: { ...provider.env } });
  agentId = await openAiAgent(service);
});

afterAll(async () => {
  await service.stop();
  await provider.close();
});

verifies(
  "ag-ui.sse.slow-reader",
  `${STALLED} readers that do not read delay no other, cost little memory, and get all in the end`,
  async () => {
    await readRun(0);
    const before = residentMb();
    const { events, stalled } = await readRun(STALLED);
    expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
    expect(messagesIn(events)).toEqual([WORD.repeat(WORDS)]);
    expect(residentMb() - before).toBeLessThan(MOST_GROWTH_MB);

    const frames = events.map(({ sseId, text: data }) => `id: ${sseId}\ndata: ${data}\n\n`).join("");
    for (const response of stalled.slice(READ_AT_LAST)) response.destroy();
    for (const received of await Promise.all(stalled.slice(0, READ_AT_LAST).map((response) => text(response)))) {
      const data = received.replace(": connected\n\n", "").replaceAll(": heartbeat\n\n", "");
      // Not by toBe: a difference of megabytes cannot be shown.
      expect(data === frames).toBe(true);
    }
  },
);

/** Runs a task whose stream is read to its end by one reader, and opened by others that do not read. */
async function readRun(others: number) {
  gate = Promise.withResolvers();
  const taskId = await startTask(service, agentId);
  const stalled = await Promise.all(Array.from({ length: others }, () => openStalled(taskId)));
  const reading = readToEnd(service, { agentId, taskId });
  gate.resolve();
  return { events: await reading, stalled };
}

/** Opens a stream whose bytes stay in the socket: a response is not read before its data is requested. */
async function openStalled(taskId: string): Promise<IncomingMessage> {
  const call = request(`${service.url}/ag-ui/${agentId}/sse`, {
    method: "POST",
    agent: false,
    headers: { authorization: `Bearer ${service.keys.agui}` },
  });
  call.end(JSON.stringify({ threadId: taskId }));
  const [response] = await once(call, "response");
  if (!(response instanceof IncomingMessage)) throw new Error("There is no response.");
  expect(response.statusCode).toBe(200);
  return response;
}

async function talk(reply: ProviderReply): Promise<void> {
  for (let word = 0; word < WORDS; word++) {
    reply.say(WORD);
    await sleep(BETWEEN_WORDS_MS);
  }
  reply.finish();
}

/** Memory of the service's process, in megabytes. */
function residentMb(): number {
  const { pid } = service.process;
  if (existsSync("/proc/self/status")) {
    const [, kilobytes] = /VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) / 1_000;
  }
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1_000;
}
