import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect } from "vitest";
import { MEGABYTES, expectReceived, openStalled, sayMegabytes } from "../support/clients/stalled-reader.ts";
import { openAiAgent, startTask } from "../support/runs.ts";
import { startScriptedProvider } from "../support/scripted-provider.ts";
import type { ScriptedProvider } from "../support/scripted-provider.ts";
import { startProcess } from "../support/service.ts";
import type { TestProcess } from "../support/service.ts";
import { readToEnd } from "../support/sse-client.ts";
import { messagesIn } from "../support/valid-stream.ts";
import { verifies } from "../support/verifies.ts";

const STALLED = 60;
/** The number of streams that are read in the end; that is work of this test, not of the service. */
const READ_AT_LAST = 3;
/** Far less than the 720 MB that the stalled readers have to receive together; what the run itself leaves varies. */
const MOST_GROWTH_MB = 400;

let provider: ScriptedProvider;
let service: TestProcess;
let agentId: string;
let gate = Promise.withResolvers<void>();

beforeAll(async () => {
  provider = await startScriptedProvider(async (_, reply) => {
    await gate.promise;
    await sayMegabytes(reply);
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
    expect(messagesIn(events)).toEqual([MEGABYTES]);
    expect(residentMb() - before).toBeLessThan(MOST_GROWTH_MB);

    for (const response of stalled.slice(READ_AT_LAST)) response.destroy();
    await expectReceived(stalled.slice(0, READ_AT_LAST), events);
  },
);

/** Runs a task whose stream is read to its end by one reader, and opened by others that do not read. */
async function readRun(others: number) {
  gate = Promise.withResolvers();
  const taskId = await startTask(service, agentId);
  const opening = Array.from({ length: others }, () => openStalled(service, { agentId, taskId }));
  const stalled = await Promise.all(opening);
  const reading = readToEnd(service, { agentId, taskId });
  gate.resolve();
  return { events: await reading, stalled };
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
