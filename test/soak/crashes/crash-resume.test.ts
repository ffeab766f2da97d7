import { afterAll, beforeAll, expect } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { openAiAgent, startTask, taskEnd } from "../../support/runs.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider, ProviderCall, ProviderReply } from "../../support/scripted-provider.ts";
import { createDatabase, createKeys, startProcess } from "../../support/service.ts";
import type { TestDatabase, TestProcess } from "../../support/service.ts";
import { resumingReader } from "../../support/clients/resuming-reader.ts";
import { hasEnded, readToEnd } from "../../support/sse-client.ts";
import { expectWholeStream, messagesIn, ofType } from "../../support/valid-stream.ts";
import { runningOn } from "../../support/running-on.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

const KILLED_IN_EVERY_STEP = "killed in every step";
const ALWAYS_KILLS = "kills its process always";
const FIRST_HALF = "one two ";
const SECOND_HALF = "three four";

const COUNTED = `
  select c.status, c.error_code, sum(c.runs)::integer as runs
  from period_totals p
  cross join lateral (
    select 'failed' as status, key as error_code, value::integer as runs from jsonb_each(p.error_codes)
    union all select 'completed', '', p.completed
    union all select 'cancelled', '', p.cancelled
  ) c
  where p.subject_id = $1 and p.bucket = 'day' and c.runs > 0 group by 1, 2 order by 1`;
const ENDED = `
  select status, coalesce(error_code, '') as error_code, count(*)::integer as runs from tasks
  where assigned_agent_id = $1 and completed_at is not null group by 1, 2 order by 1`;
const WRONG_COST = `
  select t.id, t.cost_usd, sum(u.estimated_cost_usd) as used from runs t join usage_records u on u.task_id = t.id
  group by t.id having t.cost_usd <> sum(u.estimated_cost_usd)`;

let database: TestDatabase;
let provider: ScriptedProvider;
let service: TestProcess;
let agentId: string;
const keys = createKeys();

beforeAll(async () => {
  provider = await startScriptedProvider(fiveSteps);
  database = await createDatabase();
  service = await start();
  agentId = await openAiAgent(service);
});

afterAll(async () => {
  await service.stop();
  await provider.close();
  await database.drop();
});

verifies(
  [
    "engine.resume.kill-at-each-step",
    "engine.resume.at-last-step",
    "engine.resume.paid-once",
    "engine.resume.stream-once",
    "ag-ui.resume.after-restart",
    "ag-ui.event.open-messages-closed",
  ],
  "a run killed in each of its steps completes and repeats only the interrupted calls",
  async () => {
    const title = KILLED_IN_EVERY_STEP;
    const task = await startTask(service, agentId, { title });
    const reader = resumingReader(agentId, task);
    await reader.connect(service);

    for (const step of ["model 0", "tool 0", "model 1", "tool 1", "model 2"]) {
      const [kind, turn] = [step.slice(0, -2), Number(step.at(-1))];
      if (kind === "model") await provider.called(title, turn);
      else await eventually("the tool runs, after as many steps", async () => (await stepsOf(task)) === 2 * turn + 1);
      await restartAfterKill();
      await reader.connect(service);
    }

    await reader.until(hasEnded);
    const events = reader.events();
    await expectWholeStream(events);
    expect(events[0]?.id).toBe(1);
    expect(events).toEqual(await readToEnd(service, { agentId, taskId: task }));
    expect(ofType(events, "RUN_STARTED")).toHaveLength(1);
    expect(ofType(events, "RUN_FINISHED")).toHaveLength(1);
    expect(ofType(events, "TOOL_CALL_START").map((event) => event["toolCallId"])).toEqual(["call_0_0", "call_1_0"]);
    expect([0, 1, 2].map((turn) => provider.callsOf(title, turn).length)).toEqual([2, 2, 2]);
    expect(await taskEnd(service, task)).toMatchObject({ status: "completed", result: FIRST_HALF + SECOND_HALF });
  },
);

verifies(
  ["engine.resume.partial-answer", "engine.resume.paid-once", "usage.record.once"],
  "runs killed in the middle of an answer complete with it once, and keep what was finished before",
  async () => {
    const titles = [0, 1, 2].map((turn) => breaksIn(turn));
    const tasks = await Promise.all(titles.map((title) => startTask(service, agentId, { title })));
    const readers = tasks.map((task) => resumingReader(agentId, task));
    await Promise.all(readers.map((reader) => reader.connect(service)));
    await Promise.all(readers.map((reader) => reader.until((events) => messagesIn(events).includes(FIRST_HALF))));
    await restartAfterKill();
    await Promise.all(readers.map((reader) => reader.connect(service)));
    await Promise.all(readers.map((reader) => reader.until(hasEnded)));

    for (const [turn, title] of titles.entries()) {
      const events = readers[turn]?.events() ?? [];
      await expectWholeStream(events);
      expect([0, 1, 2].map((each) => provider.callsOf(title, each).length)).toEqual(
        [0, 1, 2].map((each) => (each === turn ? 2 : 1)),
      );
      const [before, after] = provider.callsOf(title, turn);
      expect(after?.body).toEqual(before?.body);
      const end = await taskEnd(service, tasks[turn] ?? "");
      expect(end).toMatchObject({ status: "completed", result: FIRST_HALF + SECOND_HALF });
      expect(end.usage).toMatchObject({ prompt_tokens: 33, completion_tokens: 21 });
      expect(messagesIn(events)).toEqual([FIRST_HALF, FIRST_HALF + SECOND_HALF]);
    }
  },
);

verifies(
  "engine.resume.crash-loop",
  "a run that ends two services and then two quarantine processes in one step fails with crash_loop",
  async () => {
    const title = ALWAYS_KILLS;
    const task = await startTask(service, agentId, { title });
    for (const death of [1, 2]) {
      await provider.called(title, 0, death);
      await restartAfterKill();
    }
    for (const death of [3, 4]) {
      await provider.called(title, 0, death);
      const pid = await eventually("it runs", async () => (await runningOn(database.url)).get(task));
      expect(pid).not.toBe(service.process.pid);
      process.kill(pid, "SIGKILL");
    }
    const end = await taskEnd(service, task);
    expect(end.status).toBe("failed");
    expect(end.error).toContain("crash_loop");
    expect(provider.callsOf(title)).toHaveLength(4);
    const events = await readToEnd(service, { agentId, taskId: task });
    await expectWholeStream(events);
    expect(events.at(-1)?.event).toMatchObject({ type: "RUN_ERROR", code: "CRASH_LOOP" });
  },
);

verifies(
  "engine.atomic-dispatch",
  "when a process is killed while it creates tasks, every task that exists runs and no other does",
  async () => {
    const titles = Array.from({ length: 60 }, (_, index) => `created before the kill ${index}`);
    const creating = titles.map((title) =>
      startTask(service, agentId, { title, description: "quick" }).catch(() => undefined),
    );
    await Promise.race(creating);
    await restartAfterKill();
    const acknowledged = (await Promise.all(creating)).filter((id) => id !== undefined);
    const created = await listTasks(titles);
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(created.map((task) => task.id)).toEqual(expect.arrayContaining(acknowledged));
    for (const { id } of created) expect((await taskEnd(service, id)).status).toBe("completed");
    const asked = new Set(provider.calls.map((call) => call.task).filter((title) => titles.includes(title)));
    expect([...asked].toSorted()).toEqual(created.map(({ title }) => title).toSorted());
  },
);

verifies(
  ["overview.counters.crash", "overview.counters.attempts"],
  "after any kill each attempt is counted once, and the runs have their cost and error code",
  async () => {
    const counted = await sql(database.url, COUNTED, [agentId]);
    expect(counted).toEqual(await sql(database.url, ENDED, [agentId]));
    expect(counted).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ status: "completed" }),
        expect.objectContaining({ status: "failed", error_code: "CRASH_LOOP" }),
      ]),
    );
    expect(await sql(database.url, WRONG_COST)).toEqual([]);
  },
);

/** What the model does; the task's title selects it: it hangs when the process will be killed. */
async function fiveSteps(call: ProviderCall, reply: ProviderReply): Promise<void> {
  const { task, turn, nth } = call;
  if (task === ALWAYS_KILLS) return;
  if (task === KILLED_IN_EVERY_STEP && nth === 1) return;
  if (task === breaksIn(turn) && nth === 1) return reply.say(FIRST_HALF);
  if (turn === 2 || call.body.messages.some(({ content }) => content?.includes("quick"))) {
    reply.say(FIRST_HALF);
    reply.say(SECOND_HALF);
  } else if (task === KILLED_IN_EVERY_STEP) {
    reply.callTool("wait", { seconds: 1.5 });
  } else {
    reply.callTool("current_time", {});
  }
  reply.finish();
}

function breaksIn(turn: number): string {
  return `aborts in turn ${turn}`;
}

function start(): Promise<TestProcess> {
  return startProcess({
    databaseUrl: database.url,
    keys,
    env: { ...provider.env },
  });
}

async function restartAfterKill(): Promise<void> {
  await service.kill();
  service = await start();
}

async function stepsOf(taskId: string): Promise<number> {
  return (await sql(database.url, "select from run_steps where run_id = $1", [taskId])).length;
}

async function listTasks(titles: readonly string[]): Promise<{ id: string; title: string }[]> {
  const rows = await sql<{ id: string; title: string }>(database.url, "select id, title from tasks");
  return rows.filter(({ title }) => titles.includes(title));
}
