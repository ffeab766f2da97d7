import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { apiOf } from "../support/api.ts";
import { openAiAgent, setStatus, startTask, taskEnd, taskNow } from "../support/runs.ts";
import { workStopped } from "../support/running-on.ts";
import { startScriptedProvider } from "../support/scripted-provider.ts";
import type { ScriptedProvider } from "../support/scripted-provider.ts";
import { startPeer, startService } from "../support/service.ts";
import type { TestService } from "../support/service.ts";
import { eventually } from "../support/eventually.ts";
import { verifies } from "../support/verifies.ts";
import { createAgent, createTask, readTask } from "../support/work.ts";
import { addWorkspace, sql } from "../support/workspace.ts";

const PER_PROCESS = 3;
const PER_WORKSPACE = 2;
/** No process is notified of what is enqueued: only a poll of the queue finds it. */
const HIDE = `
  create function hide_work() returns trigger language plpgsql security definer as $$
  begin new.run_at := now(); return new; end $$;
  create trigger hide_work before insert on jobs for each row execute function hide_work()`;

let provider: ScriptedProvider;
let service: TestService;
let agentId: string;
/** Where every model call waits. */
let gate = Promise.withResolvers<void>();

beforeAll(async () => {
  provider = await startScriptedProvider(async (_, reply) => {
    await gate.promise;
    reply.say("done");
    reply.finish();
  });
  service = await startService({
    env: {
      ...provider.env,
      RUNS_PER_PROCESS: String(PER_PROCESS),
      RUNS_PER_WORKSPACE: String(PER_WORKSPACE),
    },
  });
  agentId = await openAiAgent(service);
});

afterEach(() => {
  gate.resolve();
  gate = Promise.withResolvers();
});

afterAll(async () => {
  await service.stop();
  await provider.close();
});

verifies(
  ["engine.queue.fair", "engine.queue.concurrency"],
  "a workspace with many tasks leaves a slot to another, and the process obeys its setting",
  async () => {
    const crowd = await startMany(8, "crowd");
    await eventually("the crowd fills its share", () => asked("crowd") === PER_WORKSPACE);

    const stranger = apiOf(service, (await addWorkspace(service.databaseUrl)).key);
    const { id } = await createAgent(stranger, { model: "gpt-4o" });
    const guests = await Promise.all(
      ["guest 0", "guest 1"].map((title) => createTask(stranger, { title, assigned_agent_id: id })),
    );
    await eventually("a guest is served", () => asked("guest") > 0);
    expect([asked("crowd"), asked("guest")]).toEqual([PER_WORKSPACE, PER_PROCESS - PER_WORKSPACE]);

    gate.resolve();
    for (const task of crowd) expect((await taskEnd(service, task)).status).toBe("completed");
    for (const guest of guests) {
      await eventually("the guest's end", async () => (await readTask(stranger, guest.id)).status === "completed");
    }
  },
);

verifies(
  "engine.queue.concurrency",
  "a process obeys its own settings when another with higher ones is started",
  async () => {
    const { databaseUrl, keys } = service;
    const larger = await startPeer({ databaseUrl, keys, env: { RUNS_PER_PROCESS: "50", RUNS_PER_WORKSPACE: "50" } });
    await larger.stop();
    const many = await startMany(8, "many");
    await eventually("they fill their share", () => asked("many") === PER_WORKSPACE);
    const stranger = apiOf(service, (await addWorkspace(databaseUrl)).key);
    const { id } = await createAgent(stranger, { model: "gpt-4o" });
    await sql(databaseUrl, HIDE);
    await createTask(stranger, { title: "found by a look", assigned_agent_id: id });
    await sql(databaseUrl, "drop trigger hide_work on jobs");
    await eventually("the queues were looked at", () => asked("found by a look") === 1);
    expect(asked("many")).toBe(PER_WORKSPACE);
    gate.resolve();
    for (const task of many) expect((await taskEnd(service, task)).status).toBe("completed");
  },
  { tags: "slow" },
);

verifies("engine.queue.priority", "queued tasks of higher priority start first", async () => {
  const ahead = await startMany(PER_WORKSPACE, "ahead");
  await eventually("all places are taken", () => asked("ahead") === PER_WORKSPACE);
  const priorities = ["low", "medium", "urgent", "high"];
  const waiting = [];
  for (const priority of priorities) {
    waiting.push(await startTask(service, agentId, { title: `is ${priority}`, priority }));
  }
  const first = gate;
  gate = Promise.withResolvers();
  first.resolve();
  await eventually("two have begun", () => asked("is ") === 2);
  expect(begunOf("is ").toSorted()).toEqual(["is high", "is urgent"]);
  gate.resolve();
  for (const task of [...ahead, ...waiting]) await taskEnd(service, task);
  expect(begunOf("is ").slice(2)).toEqual(expect.arrayContaining(["is medium", "is low"]));
});

verifies("engine.cancel.dispatched", "a task that is cancelled while it waits never calls the provider", async () => {
  const ahead = await startMany(PER_WORKSPACE, "in front");
  await eventually("all places are taken", () => asked("in front") === PER_WORKSPACE);
  const task = await startTask(service, agentId, { title: "never begins" });
  await setStatus(service, task, "cancelled");
  gate.resolve();
  for (const each of ahead) await taskEnd(service, each);
  await workStopped(service.databaseUrl, task);
  expect((await taskNow(service, task)).status).toBe("cancelled");
  expect(provider.callsOf("never begins")).toEqual([]);
});

function startMany(count: number, title: string): Promise<string[]> {
  const titles = Array.from({ length: count }, (_, index) => `${title} ${index}`);
  return Promise.all(titles.map((each) => startTask(service, agentId, { title: each })));
}

/** The titles that begin so, in the order in which the provider was asked. */
function begunOf(title: string): string[] {
  return provider.calls.map(({ task }) => task).filter((task) => task.startsWith(title));
}

function asked(title: string): number {
  return begunOf(title).length;
}
