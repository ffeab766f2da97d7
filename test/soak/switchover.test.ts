import { afterAll, beforeAll, expect } from "vitest";
import { openOwnDatabase } from "../chaos/own-database.ts";
import type { OwnDatabase } from "../chaos/own-database.ts";
import { apiOf } from "../support/api.ts";
import { eventually } from "../support/eventually.ts";
import { startTask, taskEnd } from "../support/runs.ts";
import { createKeys, startProcess } from "../support/service.ts";
import type { TestProcess } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";
import { QUICK, createAgent } from "../support/work.ts";
import { sql } from "../support/workspace.ts";

const SLOW = "[[slow:200]][[words:50]]";
/** Sessions that are open get the server's setting, new ones that of the database. */
const SWITCH_OVER = [
  "set default_transaction_read_only = off",
  "alter system set default_transaction_read_only = on",
  `do $$ begin execute format('alter database %I set default_transaction_read_only = off', current_database()); end $$`,
  "select pg_reload_conf()",
];
const LISTENS = `
  select from pg_stat_activity where application_name like 'muster:%' and backend_start < $1::timestamptz
    and query ~ 'listen |transaction_read_only'`;
/** The listening connection is checked every 10 s. */
const CHECKED_MS = 30_000;

let database: OwnDatabase;
let service: TestProcess;

beforeAll(async () => {
  database = await openOwnDatabase();
  service = await startProcess({ databaseUrl: database.url, keys: createKeys() });
});

afterAll(async () => {
  await service.stop();
  await database.close();
});

verifies(
  "engine.outage.switchover",
  "runs end after the open connections became read-only, and the listener is on a new one",
  async () => {
    const { id } = await createAgent(apiOf(service, service.keys.api));
    const running = await startTask(service, id, { description: SLOW });
    const [{ now } = { now: "" }] = await sql<{ now: string }>(database.url, "select clock_timestamp()::text as now");
    for (const text of SWITCH_OVER) await sql(database.url, text);
    expect((await taskEnd(service, running)).status).toBe("completed");
    const later = await eventually("work is accepted", () =>
      startTask(service, id, { description: QUICK }).catch(() => undefined),
    );
    expect((await taskEnd(service, later)).status).toBe("completed");
    await eventually(
      "the listener has a new connection",
      async () => (await sql(database.url, LISTENS, [now])).length === 0,
      CHECKED_MS,
    );
  },
  120_000,
);
