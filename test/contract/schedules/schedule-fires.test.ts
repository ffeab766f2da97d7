import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { openDatabase } from "#db/open-database.ts";
import { deleteOldLogs } from "#db/queries/queue/retention.ts";
import { newId } from "#lib/ids.ts";
import { apiOf, consoleOf, fieldsOf, listOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { createSchedule } from "../../support/schedules.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { createTeam } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, QUICK, createAgent, stopTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const fire = z.looseObject({
  outcome: z.string(),
  scheduled_at: z.string(),
  created_at: z.string(),
  late_ms: z.int(),
  ticks: z.int(),
  task_id: z.string().nullable(),
});

let service: SharedService;
let api: Api;
let desk: Api;
let agentId: string;

beforeAll(async () => {
  service = await useSharedService();
  api = apiOf(service, service.keys.api);
  desk = consoleOf(service, service.keys.api);
  agentId = (await createAgent(api)).id;
});

/** Makes a schedule of the agent. */
const schedule = (fields: object = {}) => createSchedule(desk, { assigned_agent_id: agentId, ...fields });

/** Lets the next time of a schedule have come so long ago, as if no process had been there since. */
async function moveNextTimeBack(id: string, interval: string): Promise<void> {
  await sql(
    service.databaseUrl,
    `update schedules set next_times = array[date_trunc('minute', now()) - $2::interval], updated_at = now() where id = $1`,
    [id, interval],
  );
}

async function firesOf(id: string) {
  return z.array(fire).parse(listOf(await desk.get(`/schedules/${id}/fires`)));
}

function fired(id: string, rows: number) {
  return eventually(`${rows} fires of ${id}`, async () => {
    const fires = await firesOf(id);
    return fires.length >= rows && fires;
  });
}

verifies(["schedules.fires", "schedules.log"], "each fire creates a task with all given fields", async () => {
  const id = await schedule({ cron: "* * * * * *", priority: "urgent", metadata: { from: "tick" } });
  const [, first] = await fired(id, 2);
  await desk.patch(`/schedules/${id}`, { is_active: false });
  expect(first).toMatchObject({ outcome: "fired", ticks: 1 });
  const task = await taskIn(api, first?.task_id ?? "", "completed");
  expect(task).toMatchObject({
    title: "Tick",
    description: QUICK,
    priority: "urgent",
    metadata: { from: "tick" },
    assigned_agent_id: agentId,
    scheduled_for: first?.scheduled_at,
    created_by: fieldsOf(await api.get("/api-me"))["id"],
    result: "done",
  });
  const late = Date.parse(first?.created_at ?? "") - Date.parse(first?.scheduled_at ?? "");
  expect(Math.abs((first?.late_ms ?? 0) - late)).toBeLessThanOrEqual(1);
  const fires = await firesOf(id);
  expect(new Set(fires.map(({ scheduled_at: at }) => at)).size).toBe(fires.length);
  expect((await desk.get(`/schedules/${id}`)).body).toMatchObject({ last_task_id: fires[0]?.task_id });
});

verifies("schedules.fires", "tasks are also created for a team", async () => {
  const team = await createTeam(api);
  const id = await schedule({ cron: "* * * * * *", assigned_agent_id: null, assigned_team_id: team.id });
  const [first] = await fired(id, 1);
  await desk.patch(`/schedules/${id}`, { is_active: false });
  expect(await taskIn(api, first?.task_id ?? "", "completed")).toMatchObject({
    assigned_team_id: team.id,
    result: "done",
  });
});

const HOURLY = "0 * * * *";
const missed = [
  { verifies: "schedules.missed.skip", missed: "skip", made: 0, left: 3 },
  { verifies: "schedules.missed.once", missed: "once", made: 1, left: 2 },
  { verifies: "schedules.missed.all", missed: "all", made: 3, left: 0 },
] as const;

for (const { made, left, ...row } of missed) {
  verifies(row.verifies, `${row.missed}: of three hours without a process ${made} make a task`, async () => {
    // Half past, so that no hour of now is on time.
    const id = await schedule({ cron: `${(new Date().getUTCMinutes() + 30) % 60} * * * *`, missed: row.missed });
    await sql(
      service.databaseUrl,
      `update schedules set next_times = array[next_times[1] - interval '3 hours'], updated_at = now() where id = $1`,
      [id],
    );
    const fires = await fired(id, made + Math.min(left, 1));
    expect(fires.filter(({ outcome }) => outcome === "fired").length).toBe(made);
    const skipped = fires.filter(({ outcome }) => outcome === "missed");
    expect(skipped.reduce((sum, { ticks }) => sum + ticks, 0)).toBe(left);
    const record = fieldsOf(await desk.get(`/schedules/${id}`));
    expect(z.array(z.string()).length(5).parse(record["next_times"])[0] ?? "").toMatch(TIME);
    expect(Date.parse(String(z.array(z.string()).parse(record["next_times"])[0]))).toBeGreaterThan(Date.now());
  });
}

verifies(
  "schedules.missed.all",
  "of more than a hundred missed times the newest hundred create tasks",
  async () => {
    const id = await schedule({ cron: "* * * * *", missed: "all", description: QUICK });
    await moveNextTimeBack(id, "5 hours");
    const fires = await eventually("100 fires", async () => {
      const { n } = (
        await sql<{ n: number }>(
          service.databaseUrl,
          "select count(*)::integer as n from schedule_fires where schedule_id = $1 and outcome = 'fired'",
          [id],
        )
      )[0] ?? { n: 0 };
      return n >= 100 && n;
    });
    await desk.patch(`/schedules/${id}`, { is_active: false });
    expect(fires).toBeLessThanOrEqual(102);
  },
  { tags: "slow" },
);

verifies("schedules.overlap", "no task is created until the last one has ended, and the log records it", async () => {
  const id = await schedule({ cron: "* * * * * *", overlap: "skip", description: ENDLESS });
  const fires = await fired(id, 3);
  const made = fires.filter(({ outcome }) => outcome === "fired");
  expect(made.length).toBe(1);
  expect(fires.filter(({ outcome }) => outcome === "overlap").every(({ task_id: task }) => task === null)).toBe(true);
  await stopTask(api, made[0]?.task_id ?? "");
  await eventually("another task", async () => {
    const again = (await firesOf(id)).filter(({ outcome }) => outcome === "fired");
    return again.length === 2;
  });
  await desk.patch(`/schedules/${id}`, { is_active: false });
  for (const { task_id: task } of await firesOf(id)) if (task !== null) await stopTask(api, task);
});

verifies("schedules.log", "only entries older than the retention are purged", async () => {
  const id = await schedule();
  for (const days of [40, 20]) {
    await sql(
      service.databaseUrl,
      `insert into schedule_fires (id, workspace_id, schedule_id, scheduled_at, outcome, ticks, created_at)
       select $2, workspace_id, id, now() - $3 * interval '1 day', 'missed', $3, now() - $3 * interval '1 day'
       from schedules where id = $1`,
      [id, newId(), days],
    );
  }
  const db = openDatabase({ url: service.databaseUrl, poolSize: 2, onIdleError: () => undefined });
  try {
    await deleteOldLogs(db, new Date(Date.now() - 30 * 86_400_000), 1_000);
  } finally {
    await db.close();
  }
  expect(await firesOf(id)).toMatchObject([{ ticks: 20 }]);
});

verifies(
  "schedules.once.clock",
  "a schedule follows a clock that is set back by a year, and uses no time twice",
  async () => {
    const title = newId();
    const id = await schedule({ cron: "* * * * * *", title });
    await fired(id, 1);
    const [used] = await sql<{ at: Date }>(
      service.databaseUrl,
      `with year as (select interval '1 year' as ahead, date_trunc('second', clock_timestamp()) + interval '2 s' as at),
       clock as (update schedules set next_times = array[clock_timestamp() + ahead], planned_at = clock_timestamp() + ahead
         from year where id = $1 returning workspace_id)
     insert into schedule_fires (id, workspace_id, schedule_id, scheduled_at, outcome, ticks, created_at)
     select $2, workspace_id, $1, at, 'fired', 1, clock_timestamp() + ahead from year, clock returning scheduled_at as at`,
      [id, newId()],
    );
    // What is due next lets the process look, which it does once a minute at the least.
    const other = await schedule({ cron: "* * * * * *" });
    const at = used?.at.getTime() ?? NaN;
    const fires = await eventually("a task of a later time", async () => {
      const all = await firesOf(id);
      return all.some(({ scheduled_at: time }) => Date.parse(time) > at) && all;
    });
    for (const one of [id, other]) await desk.patch(`/schedules/${one}`, { is_active: false });
    expect(fires.map(({ scheduled_at: time }) => Date.parse(time))).toContain(at + 1_000);
    const twice = "select id from tasks where title = $1 and scheduled_for = $2";
    expect(await sql(service.databaseUrl, twice, [title, used?.at])).toEqual([]);
  },
  { tags: "slow" },
);

verifies("schedules.pause", "a paused schedule has no times; after resuming it continues from then", async () => {
  const id = await schedule({ cron: HOURLY, missed: "all" });
  expect((await desk.patch(`/schedules/${id}`, { is_active: false })).body).toMatchObject({ next_times: [] });
  expect((await desk.patch(`/schedules/${id}`, { cron: "* * * * * *" })).body).toMatchObject({ next_times: [] });
  const resumed = fieldsOf(await desk.patch(`/schedules/${id}`, { is_active: true }));
  const [first] = z.array(z.string()).parse(resumed["next_times"]);
  const fires = await fired(id, 1);
  expect(fires.at(-1)?.scheduled_at).toBe(first);
  await desk.delete(`/schedules/${id}`);
});

verifies("schedules.deleted", "it is deleted with its agent, and its tasks stay", async () => {
  const agent = await createAgent(api);
  const id = await schedule({ cron: "* * * * * *", assigned_agent_id: agent.id });
  const [first] = await fired(id, 1);
  await taskIn(api, first?.task_id ?? "", "completed");
  expect((await api.delete(`/api-agents?id=${agent.id}`)).status).toBe(204);
  expect((await desk.get(`/schedules/${id}`)).status).toBe(404);
  expect((await api.get(`/api-tasks?id=${first?.task_id ?? ""}`)).status).toBe(200);
});

verifies(
  "schedules.batches",
  "schedules that are due together fire in few transactions, each for its own time",
  async () => {
    const count = 200;
    const first = await schedule({ name: "Many" });
    const ids = await sql<{ id: string }>(
      service.databaseUrl,
      `insert into schedules (id, workspace_id, name, cron, time_zone, missed, overlap, is_active, assigned_agent_id, title,
       description, priority, metadata, next_times, created_by)
     select gen_random_uuid(), workspace_id, name, cron, time_zone, missed, overlap, is_active, assigned_agent_id, title,
       description, priority, metadata, next_times, created_by
     from schedules, generate_series(2, $2) where id = $1 returning id`,
      [first, count],
    );
    const all = [first, ...ids.map(({ id }) => id)];
    const due = `update schedules set next_times = array[now(), now() + interval '1 year'] where id = any($1)`;
    await sql(service.databaseUrl, due, [all]);
    const [fires] = await eventually("all have fired", async () => {
      const rows = await sql<{ fired: string; tasks: string; transactions: string }>(
        service.databaseUrl,
        `select count(*) as fired, count(distinct task_id) as tasks, count(distinct xmin::text) as transactions
       from schedule_fires where schedule_id = any($1) and outcome = 'fired'`,
        [all],
      );
      return Number(rows[0]?.fired) >= count && rows;
    });
    expect(fires).toMatchObject({ fired: String(count), tasks: String(count) });
    expect(Number(fires?.transactions)).toBeLessThanOrEqual(10);
    const planned = "select id from schedules where id = any($1) and next_at > now() and last_task_id is not null";
    expect(await sql(service.databaseUrl, planned, [all])).toHaveLength(count);
    await sql(service.databaseUrl, "delete from schedules where id = any($1)", [all]);
  },
);
