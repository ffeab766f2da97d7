import { expect } from "vitest";
import { apiOf, consoleOf, fieldsOf } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { createDatabase, createKeys, startPeer, startProcess, startService } from "../../support/service.ts";
import type { TestProcess } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, createTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const SCHEDULES = 3;
const SLOW = 120_000;

/** For each second of each schedule how many tasks were made; and how many seconds lie between the first and the last. */
const COUNTS = `
  select f.schedule_id as id, count(distinct t.id)::integer as tasks, count(distinct t.scheduled_for)::integer as times,
    (extract(epoch from max(t.scheduled_for) - min(t.scheduled_for)) + 1)::integer as seconds
  from schedule_fires f join tasks t on t.id = f.task_id group by 1`;

interface Counts {
  readonly id: string;
  readonly tasks: number;
  readonly times: number;
  readonly seconds: number;
}

async function everySecond(service: TestProcess, agentId: string): Promise<string> {
  const body = {
    name: "S",
    cron: "* * * * * *",
    missed: "all",
    assigned_agent_id: agentId,
    title: "Tick",
    description: QUICK,
  };
  return String(fieldsOf(await consoleOf(service, service.keys.api).post("/schedules", body))["id"]);
}

verifies(
  ["schedules.once.two-processes", "schedules.once.killed"],
  "while two processes are killed and restarted, each second creates one task",
  async () => {
    const database = await createDatabase();
    const options = { databaseUrl: database.url, keys: createKeys() };
    const start = () => startProcess(options);
    const services = [await start(), await start()];
    try {
      const [first] = services;
      if (first === undefined) throw new Error("There is a first one.");
      const { id: agentId } = await createAgent(apiOf(first, first.keys.api));
      const ids = await Promise.all(Array.from({ length: SCHEDULES }, () => everySecond(first, agentId)));
      const made = async (times: number) => {
        const rows = await sql<Counts>(database.url, COUNTS);
        return rows.length === SCHEDULES && rows.every((row) => row.times >= times) && rows;
      };
      await eventually("three seconds", () => made(3), SLOW);
      for (const place of [0, 1]) {
        const before = (await sql<Counts>(database.url, COUNTS))[0]?.times ?? 0;
        await services[place]?.kill();
        await eventually("the other continues", () => made(before + 2), SLOW);
        services[place] = await start();
      }
      await Promise.all(services.map((service) => service.kill()));
      services[0] = await start();
      const rows = await eventually("it is caught up with", () => made(10), SLOW);
      const last = consoleOf(services[0], services[0].keys.api);
      for (const id of ids) await last.patch(`/schedules/${id}`, { is_active: false });
      expect((await sql<Counts>(database.url, COUNTS)).length).toBe(rows.length);
      for (const { tasks, times, seconds } of await sql<Counts>(database.url, COUNTS)) {
        expect(tasks).toBe(times);
        expect(times).toBe(seconds);
      }
      const [{ unlogged } = { unlogged: -1 }] = await sql<{ unlogged: number }>(
        database.url,
        `select count(*)::integer as unlogged from tasks t
         where not exists (select from schedule_fires f where f.task_id = t.id)`,
      );
      expect(unlogged).toBe(0);
    } finally {
      await Promise.all(services.map((service) => service.kill()));
      await database.drop();
    }
  },
  SLOW,
);

verifies(
  "tasks.scheduled.late",
  "a task that comes due while no process runs is run by the next process, once",
  async () => {
    const database = await createDatabase();
    const options = { databaseUrl: database.url, keys: createKeys() };
    const before = await startProcess(options);
    const api = apiOf(before, before.keys.api);
    const { id: agentId } = await createAgent(api);
    const far = { assigned_agent_id: agentId, description: QUICK, scheduled_for: "2100-01-01T00:00:00Z" };
    const { id } = await createTask(api, far);
    await before.kill();
    await sql(database.url, "update tasks set scheduled_for = now() - interval '1 hour' where id = $1", [id]);
    const after = await Promise.all([startService(options), startPeer(options)]);
    try {
      const [one] = after;
      expect(await taskIn(apiOf(one, one.keys.api), id, "completed")).toMatchObject({ attempt: 1, result: "done" });
    } finally {
      await Promise.all(after.map((service) => service.stop()));
      await database.drop();
    }
  },
);
