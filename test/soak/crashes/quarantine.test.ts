import { afterAll, beforeAll, expect } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { openAiAgent, startTask, taskNow } from "../../support/runs.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ProviderCall, ProviderReply, ScriptedProvider } from "../../support/scripted-provider.ts";
import { startSupervisor } from "../../support/supervisor.ts";
import type { Supervisor } from "../../support/supervisor.ts";
import { runningOn } from "../../support/running-on.ts";
import { verifies } from "../../support/verifies.ts";

const SECOND = 1_000;
const SLOW_RUNS = 12;
/** Half of what would run without any death. */
const EXPECTED_IN_PARALLEL = SLOW_RUNS / 2;
const POISONS = 3;
const KILLS = 6;

let provider: ScriptedProvider;
let supervisor: Supervisor;
let agentId: string;
/** Slow runs whose calls are open, by title; they reply when they are released. */
const open = new Map<string, ProviderReply>();
const released = new Set<string>();
const poisons = new Map<string, string>();

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
  ["engine.crash-loop.guilty-only", "engine.crash-loop.slow-work"],
  "runs that end their processes fail one after another, and no slow run beside them does",
  async () => {
    const slow = await startSlowRuns("beside poison");
    for (let n = 0; n < POISONS; n++) {
      const title = `poison ${n}`;
      const poison = await create(title);
      poisons.set(title, poison);
      const { error } = await end(poison);
      expect(error).toMatch(/^crash_loop: /);
    }
    await expectInParallel("beside poison", EXPECTED_IN_PARALLEL);
    await expectAllComplete("beside poison", slow);
  },
  240 * SECOND,
);

verifies(
  ["engine.crash-loop.guilty-only", "engine.crash-loop.slow-work"],
  "after two deaths of all services slow runs continue in parallel, and none fails",
  async () => {
    const slow = await startSlowRuns("after two deaths");
    for (const _ of [1, 2]) {
      await expectInParallel("after two deaths", SLOW_RUNS);
      await supervisor.killAll();
    }
    await expectInParallel("after two deaths", EXPECTED_IN_PARALLEL);
    await expectAllComplete("after two deaths", slow);
  },
  120 * SECOND,
);

verifies(
  ["engine.crash-loop.guilty-only", "engine.crash-loop.outside-kills", "engine.crash-loop.slow-work"],
  "services that are killed again and again from outside fail no run, nor do quarantine processes",
  async () => {
    const slow = await startSlowRuns("killed often");
    for (let n = 0; n < KILLS; n++) {
      await expectInParallel("killed often", EXPECTED_IN_PARALLEL);
      await supervisor.killAll();
    }
    // A quarantine process alone, once: its jobs are tried in smaller groups, and blamed for nothing yet.
    await expectInParallel("killed often", EXPECTED_IN_PARALLEL);
    await kill(slow[0] ?? "");
    await expectInParallel("killed often", EXPECTED_IN_PARALLEL);
    await expectAllComplete("killed often", slow);
  },
  240 * SECOND,
);

async function answer(call: ProviderCall, reply: ProviderReply): Promise<void> {
  const { task } = call;
  const isPoison = task.startsWith("poison");
  const poison = isPoison ? await eventually("its id is known", () => poisons.get(task)) : undefined;
  if (poison !== undefined) return kill(poison);
  if (isReleased(task)) return finish(reply);
  open.set(task, reply);
  await call.gone;
  if (open.get(task) === reply) open.delete(task);
}

async function kill(taskId: string): Promise<void> {
  process.kill(await supervisor.runnerOf(taskId), "SIGKILL");
}

function finish(reply: ProviderReply): void {
  reply.say("done");
  reply.finish();
}

function isReleased(title: string): boolean {
  return [...released].some((name) => title.startsWith(name));
}

function startSlowRuns(name: string): Promise<string[]> {
  return Promise.all(Array.from({ length: SLOW_RUNS }, (_, n) => create(`${name} ${n}`)));
}

/** The service that is asked may be one that just died. */
function create(title: string): Promise<string> {
  return eventually("a service accepts it", async () => {
    const service = await supervisor.one();
    return startTask(service, agentId, { title }).catch(() => undefined);
  });
}

async function expectInParallel(name: string, count: number): Promise<void> {
  const calls = () => [...open.keys()].filter((title) => title.startsWith(name)).length;
  await eventually(`${count} calls are open`, () => calls() >= count, 60 * SECOND);
}

async function expectAllComplete(name: string, ids: readonly string[]): Promise<void> {
  released.add(name);
  for (const [title, reply] of open) if (title.startsWith(name)) finish(reply);
  const ends = await Promise.all(ids.map(end));
  expect(ends.filter(({ status }) => status !== "completed")).toEqual([]);
  expect(await runningOn(supervisor.databaseUrl)).toEqual(new Map());
}

function end(id: string) {
  return eventually(
    `the end of ${id}`,
    async () => {
      const task = await taskNow(await supervisor.one(), id).catch(() => undefined);
      return task !== undefined && ["completed", "failed"].includes(task.status) && task;
    },
    60 * SECOND,
  );
}
