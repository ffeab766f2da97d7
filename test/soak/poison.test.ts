import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf } from "../support/api.ts";
import { eventually } from "../support/eventually.ts";
import { environmentOf, startMuster } from "../support/muster.ts";
import { openAiAgent, startTask, taskEnd, taskNow } from "../support/runs.ts";
import { startScriptedProvider } from "../support/scripted-provider.ts";
import type { ScriptedProvider, ProviderCall, ProviderReply } from "../support/scripted-provider.ts";
import { startSupervisor } from "../support/supervisor.ts";
import type { Supervisor } from "../support/supervisor.ts";
import { verifies } from "../support/verifies.ts";

const SECOND = 1_000;
const INNOCENT = 100;
const POISON = "poison";
const FIRST_SPIN = 1;
const QUARANTINED_SPIN = 4;
/** How long a process spins that the poison has stopped, until its supervisor ends it. */
const SPIN_MS = 8_000;

let provider: ScriptedProvider;
let supervisor: Supervisor;
let agentId: string;
/** While it is poison, its calls end their process, or block it like an endless loop. */
let isPoisonous = true;
const poisoned: string[] = [];

beforeAll(async () => {
  provider = await startScriptedProvider(answer);
  supervisor = await startSupervisor(2, provider.env);
  agentId = await openAiAgent(await supervisor.one());
});

afterAll(async () => {
  await supervisor.stop();
  await provider.close();
});

verifies(
  ["engine.resume.crash-loop", "engine.crash-loop.guilty-only", "tasks.retry.bulk", "cli.tasks.retry"],
  "of a hundred runs the one that ends its processes alone fails with crash_loop, and can be retried",
  async () => {
    const titles = Array.from({ length: INNOCENT }, (_, n) => `innocent ${n}`);
    const first = await supervisor.one();
    const innocent = await Promise.all(titles.map((title) => startTask(first, agentId, { title })));
    const poison = await startTask(first, agentId, { title: POISON });
    poisoned.push(poison);

    const failed = await eventually("the poison fails", () => ended(poison), 100 * SECOND);
    const deaths = provider.callsOf(POISON).length;
    expect(failed).toMatchObject({
      status: "failed",
      error: `crash_loop: the process died ${deaths} times in the same step of this run.`,
    });
    expect(deaths).toBeLessThanOrEqual(6);
    const ends = await Promise.all(innocent.map((id) => eventually("it ends", () => ended(id), 60 * SECOND)));
    expect(ends.filter(({ status }) => status !== "completed")).toEqual([]);

    isPoisonous = false;
    const last = await supervisor.one();
    const api = consoleOf(last, supervisor.keys.api);
    const none = await api.post("/tasks/retry", { error_code: "MODEL_ERROR" });
    expect(none).toMatchObject({ status: 200, body: { retried: 0, task_ids: [], has_more: false } });
    const retried = await startMuster(["tasks", "retry", "--failed", "crash_loop", "--json"], {
      env: environmentOf(last),
    }).ended;
    expect(answerOf(retried.stdout)).toEqual({ retried: 1, task_ids: [poison], has_more: false });
    expect(await taskEnd(last, poison)).toMatchObject({ status: "completed", attempt: 2 });
  },
  180 * SECOND,
);

function answerOf(text: string) {
  return z.unknown().parse(JSON.parse(text));
}

async function ended(id: string) {
  // The process that is asked may be the one that just died.
  const task = await taskNow(await supervisor.one(), id).catch(() => undefined);
  return task !== undefined && ["completed", "failed"].includes(task.status) && task;
}

async function answer(call: ProviderCall, reply: ProviderReply): Promise<void> {
  if (call.task === POISON && isPoisonous) return endProcess(call.nth);
  await sleep(3_000);
  reply.say("done");
  reply.finish();
}

/** Ends the process that runs the poison, or lets it spin. */
async function endProcess(nth: number): Promise<void> {
  const pid = await supervisor.runnerOf(await eventually("its id is known", () => poisoned[0]));
  if (nth === FIRST_SPIN || nth === QUARANTINED_SPIN) process.kill(pid, "SIGSTOP");
  // A quarantine process that spins is ended by the service that started it.
  if (nth === QUARANTINED_SPIN) return;
  if (nth === FIRST_SPIN) await sleep(SPIN_MS);
  process.kill(pid, "SIGKILL");
}
