import { Client } from "pg";
import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, consoleOf } from "../../support/api.ts";
import { makeBudget } from "../../support/budgets.ts";
import { eventually } from "../../support/eventually.ts";
import { setStatus, startTask, taskEnd, taskNow } from "../../support/runs.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

/** The demo model writes a word every 20 ms for a minute. */
const STREAMING = "[[slow:20]][[words:3000]]";
const LOCK_JOB = "select from jobs where subject_id = $1 for share";
const EVENTS = "select count(*)::integer as count from task_events where log_id = $1";
const WAITING_DELETE = `
  select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%delete from jobs%'`;
const WAITS = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
/** Statements that have waited for a lock so long that they are not those of one run alone. */
const LONG_WAITS = `
  select from pg_locks l join pg_stat_activity a using (pid)
  where a.datname = current_database() and not l.granted and l.waitstart < clock_timestamp() - interval '2 s'`;

/** Makes inserts wait while another session has the advisory lock 1. */
const holdInserts = (table: string, rows: string) => `
  create function hold_insert() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock_shared(1); return new; end $$;
  create trigger hold_insert before insert on ${table} for each row when (${rows}) execute function hold_insert();
  select pg_advisory_lock(1)`;
const freeInserts = (table: string) => `
  select pg_advisory_unlock(1); drop trigger hold_insert on ${table}; drop function hold_insert`;
const HELD_INSERT = "select pid from pg_stat_activity where datname = current_database() and wait_event = 'advisory'";

/** The transaction that wrote each row of a task's run; the task's own row in its current state. */
const WRITTEN_BY = (taskId: string) => `
  select t.xmin::text as task, s.xmin::text as step, u.xmin::text as usage,
    (select e.xmin::text from task_events e where e.log_id = t.id order by e.seq desc limit 1) as last_event
  from runs t join run_steps s on s.run_id = t.id join usage_records u on u.task_id = t.id where t.id = '${taskId}'`;

let service: TestService;
let agentId: string;

beforeAll(async () => {
  service = await startService();
  agentId = (await createAgent(apiOf(service, service.keys.api))).id;
});

afterAll(() => service.stop());

verifies(
  "engine.writes.together",
  "the last step of a run, what it used, its last event and its end are written by one transaction",
  async () => {
    const task = await startTask(service, agentId, { description: QUICK });
    expect((await taskEnd(service, task)).status).toBe("completed");
    const [by] = await sql<Record<"task" | "step" | "usage" | "last_event", string>>(
      service.databaseUrl,
      WRITTEN_BY(task),
    );
    expect(by).toEqual({ task: by?.task, step: by?.task, usage: by?.task, last_event: by?.task });
  },
);

verifies(
  "engine.writes.apart",
  "a lock on the row of one task delays no other run",
  async () => {
    const locker = new Client({ connectionString: service.databaseUrl });
    await locker.connect();
    try {
      const held = await startTask(service, agentId, { description: "[[slow:1000]][[say:held]]" });
      await eventually("it runs", async () => (await taskNow(service, held)).status === "running");
      await locker.query("begin");
      await locker.query("select from tasks where id = $1 for update", [held]);
      await eventually("its end waits for the lock", async () => (await sql(service.databaseUrl, WAITS)).length > 0);
      // Its end is tried again and again while the others begin and end.
      for (let round = 0; round < 5; round++) {
        const others = await Promise.all([1, 2, 3].map(() => startTask(service, agentId, { description: QUICK })));
        await eventually("the others end", () => haveCompleted(others));
      }
      expect((await taskNow(service, held)).status).toBe("running");
      await locker.query("rollback");
      expect(await taskEnd(service, held)).toMatchObject({ status: "completed", result: "held", attempt: 1 });
    } finally {
      await locker.end();
    }
  },
  { tags: "slow" },
);

verifies("engine.writes.apart", "a lock on the job of one run delays the events of no other", async () => {
  const locker = new Client({ connectionString: service.databaseUrl });
  await locker.connect();
  try {
    const held = await startTask(service, agentId, { description: STREAMING });
    await eventually("it streams", async () => (await countEvents(held)) > 2);
    const other = await startTask(service, agentId, { description: "[[slow:20]][[words:20]]" });
    await eventually("the other streams", async () => (await countEvents(other)) > 1);
    await locker.query("begin");
    await locker.query("select from jobs where subject_id = $1 for update", [held]);
    await eventually("the other ends", () => haveCompleted([other]));
    const before = await countEvents(held);
    await locker.query("rollback");
    await eventually("it streams again", async () => (await countEvents(held)) > before);
    await setStatus(service, held, "cancelled");
  } finally {
    await locker.end();
  }
});

verifies("engine.locks.ordered", "a run's events are stored while its cancellation waits for its job", async () => {
  const locker = new Client({ connectionString: service.databaseUrl });
  await locker.connect();
  try {
    const task = await startTask(service, agentId, { description: STREAMING });
    await eventually("it streams", async () => (await countEvents(task)) > 2);
    await locker.query("begin");
    await locker.query(LOCK_JOB, [task]);
    const cancelled = setStatus(service, task, "cancelled");
    cancelled.catch(() => undefined);
    await eventually(
      "the cancellation waits",
      async () => (await sql(service.databaseUrl, WAITING_DELETE)).length === 1,
    );
    const before = await countEvents(task);
    // Were the log locked before the job, these events and the cancellation would wait for each other.
    await eventually("further events are stored", async () => (await countEvents(task)) > before + 1);
    await locker.query("commit");
    await cancelled;
    expect(await taskNow(service, task)).toMatchObject({ status: "cancelled", attempt: 1 });
  } finally {
    await locker.end();
  }
});

/** Whether tasks have completed. @throws AssertionError when runs wait for the lock of another */
async function haveCompleted(ids: readonly string[]): Promise<boolean> {
  expect(await sql(service.databaseUrl, LONG_WAITS)).toEqual([]);
  const tasks = await Promise.all(ids.map((id) => taskNow(service, id)));
  return tasks.every(({ status }) => status === "completed");
}

const slow = [
  { what: "text", table: "task_events", rows: "new.event->>'type' = 'TEXT_MESSAGE_CONTENT'" },
  { what: "a reservation", table: "budget_reservations", rows: "true" },
];

for (const { what, table, rows } of slow) {
  verifies(
    "engine.outage.slow-statement",
    `a run goes on after PostgreSQL cancelled the insert of ${what}`,
    async () => {
      const { id } = await createAgent(apiOf(service, service.keys.api));
      const budget = { scope: "agent", target_id: id, period: "day", max_tokens: 1_000_000 };
      await makeBudget(consoleOf(service, service.keys.api), budget);
      const locker = new Client({ connectionString: service.databaseUrl });
      await locker.connect();
      try {
        await locker.query(holdInserts(table, rows));
        const task = await startTask(service, id, { description: "[[slow:20]][[words:20]]" });
        const held = await eventually("it is held", async () => (await sql(service.databaseUrl, HELD_INSERT))[0]);
        await sql(service.databaseUrl, "select pg_cancel_backend($1)", [held["pid"]]);
        await locker.query(freeInserts(table));
        expect(await taskEnd(service, task)).toMatchObject({ status: "completed", error: null });
        expect(await sql(service.databaseUrl, "select from run_executions where run_id = $1", [task])).toHaveLength(1);
      } finally {
        await locker.end();
      }
    },
  );
}

/** Makes the first insert of a text fail as PostgreSQL fails without memory, or when it cannot read a file. */
const failOnce = (state: string) => `
  create sequence failures;
  create function fail_once() returns trigger language plpgsql as
    $$ begin if nextval('failures') = 1 then raise exception using errcode = '${state}'; end if; return new; end $$;
  create trigger fail_once before insert on task_events for each row
    when (new.event->>'type' = 'TEXT_MESSAGE_CONTENT') execute function fail_once()`;
const FAIL_NO_MORE = "drop trigger fail_once on task_events; drop function fail_once; drop sequence failures";

verifies("engine.outage.failed-statement", "a run goes on after PostgreSQL had no memory, or no file", async () => {
  for (const state of ["53200", "58030"]) {
    await sql(service.databaseUrl, failOnce(state));
    try {
      const task = await startTask(service, agentId, { description: "[[slow:20]][[words:20]]" });
      expect(await taskEnd(service, task)).toMatchObject({ status: "completed", error: null });
      expect(await sql(service.databaseUrl, "select from run_executions where run_id = $1", [task])).toHaveLength(1);
      expect(await sql(service.databaseUrl, "select from failures where last_value > 1")).toHaveLength(1);
    } finally {
      await sql(service.databaseUrl, FAIL_NO_MORE);
    }
  }
});

async function countEvents(id: string): Promise<number> {
  const [row] = await sql<{ count: number }>(service.databaseUrl, EVENTS, [id]);
  return row?.count ?? 0;
}
