import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf } from "../support/api.ts";
import { eventually } from "../support/eventually.ts";
import { environmentOf, startMuster } from "../support/muster.ts";
import { runningOn } from "../support/running-on.ts";
import { openAiAgent, startTask, taskEnd, taskNow } from "../support/runs.ts";
import { startScriptedProvider } from "../support/scripted-provider.ts";
import type { ScriptedProvider, ProviderCall, ProviderReply } from "../support/scripted-provider.ts";
import { createDatabase, createKeys, startProcess } from "../support/service.ts";
import type { TestDatabase, TestProcess } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";

const SECOND = 1_000;
const INNOCENT = 100;
const POISON = "poison";
/** How long a process spins that the poison has stopped, until its supervisor ends it. */
const SPIN_MS = 8_000;

let database: TestDatabase;
let provider: ScriptedProvider;
let services: TestProcess[];
let agentId: string;
/** While it is poison, its first call blocks its process like an endless loop, and the others end the process. */
let isPoisonous = true;
const keys = createKeys();
const poisoned: string[] = [];

beforeAll(async () => {
  provider = await startScriptedProvider(answer);
  database = await createDatabase();
  services = await Promise.all([start(), start()]);
  agentId = await openAiAgent(one());
});

afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await provider.close();
  await database.drop();
});

verifies(
  ["engine.resume.crash-loop", "engine.crash-loop.guilty-only", "tasks.retry.bulk", "cli.tasks.retry"],
  "of a hundred runs the one that ends its processes alone fails with crash_loop, and can be retried",
  async () => {
    const titles = Array.from({ length: INNOCENT }, (_, n) => `innocent ${n}`);
    const innocent = await Promise.all(titles.map((title) => startTask(one(), agentId, { title })));
    const poison = await startTask(one(), agentId, { title: POISON });
    poisoned.push(poison);

    const failed = await eventually("the poison fails", () => ended(poison), 100 * SECOND);
    const deaths = provider.callsOf(POISON).length;
    expect(failed).toMatchObject({
      status: "failed",
      error: `crash_loop: the process died ${deaths} times in the same step of this run.`,
    });
    expect(deaths).toBeLessThanOrEqual(5);
    const ends = await Promise.all(innocent.map((id) => eventually("it ends", () => ended(id), 60 * SECOND)));
    expect(ends.filter(({ status }) => status !== "completed")).toEqual([]);

    isPoisonous = false;
    const api = consoleOf(one(), keys.api);
    const none = await api.post("/tasks/retry", { error_code: "MODEL_ERROR" });
    expect(none).toMatchObject({ status: 200, body: { retried: 0, task_ids: [], has_more: false } });
    const retried = await startMuster(["tasks", "retry", "--failed", "crash_loop", "--json"], {
      env: environmentOf(one()),
    }).ended;
    expect(answerOf(retried.stdout)).toEqual({ retried: 1, task_ids: [poison], has_more: false });
    expect(await taskEnd(one(), poison)).toMatchObject({ status: "completed", attempt: 2 });
  },
  180 * SECOND,
);

function answerOf(text: string) {
  return z.unknown().parse(JSON.parse(text));
}

async function ended(id: string) {
  // The process that is asked may be the one that just died.
  const service = running();
  const task = service === undefined ? undefined : await taskNow(service, id).catch(() => undefined);
  return task !== undefined && ["completed", "failed"].includes(task.status) && task;
}

async function answer(call: ProviderCall, reply: ProviderReply): Promise<void> {
  if (call.task === POISON && isPoisonous) return endProcess(call.nth);
  await sleep(3_000);
  reply.say("done");
  reply.finish();
}

/** Ends the process that runs the poison, and starts another one, as a supervisor would. */
async function endProcess(nth: number): Promise<void> {
  const pid = await eventually("who runs it", async () => {
    const [poison] = poisoned;
    return poison === undefined ? undefined : (await runningOn(database.url)).get(poison);
  });
  const place = services.findIndex((service) => service.process.pid === pid);
  const service = services[place];
  if (service === undefined) throw new Error("The poison runs in one of the processes.");
  if (nth === 1) {
    service.process.kill("SIGSTOP");
    await sleep(SPIN_MS);
  }
  await service.kill();
  services[place] = await start();
}

function running(): TestProcess | undefined {
  return services.find(({ process }) => process.exitCode === null && process.signalCode === null);
}

function one(): TestProcess {
  const service = running();
  if (service === undefined) throw new Error("No process runs.");
  return service;
}

function start(): Promise<TestProcess> {
  const env = { OPENAI_API_KEY: "test", OPENAI_BASE_URL: provider.baseUrl };
  return startProcess({ databaseUrl: database.url, keys, env });
}
