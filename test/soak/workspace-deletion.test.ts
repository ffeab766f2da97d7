import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, consoleOf } from "../support/api.ts";
import { eventually } from "../support/eventually.ts";
import { createDatabase, createKeys, startProcess, startService } from "../support/service.ts";
import type { TestDatabase, TestProcess, TestService } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";
import { ENDLESS, createAgent, createTask } from "../support/work.ts";
import { addWorkspace, sql } from "../support/workspace.ts";

const SECOND = 1_000;
const LIVE = 200;
const ENDED = 3_000;
const LONG_LOG = 4_000;
/** Rows of all tables that one transaction may delete. */
const MAX_ROWS = 2_000;

const ENDED_TASKS = `
  with made as (
    insert into tasks (id, workspace_id, title, status, completed_at)
    select gen_random_uuid(), $1, 'Ended', 'completed', now() from generate_series(1, $2::integer) returning id
  ), head as (
    insert into task_streams (log_id, workspace_id, attempt, closed) select id, $1, 1, true from made returning log_id
  ), event as (
    insert into task_events (log_id, seq, workspace_id, attempt, event)
    select log_id, n, $1, 1, '{}' from head, generate_series(1, 3) n
  )
  insert into usage_records (id, workspace_id, task_id, agent_id, attempt, step, provider, model, prompt_tokens,
    completion_tokens, estimated_cost_usd, billing_model)
  select gen_random_uuid(), $1, id, null, 1, 0, 'demo', 'demo', 1, 1, 0, 'per-token' from made`;
const LONG_TASK = `
  with made as (
    insert into tasks (id, workspace_id, title, status, completed_at)
    values (gen_random_uuid(), $1, 'Long', 'completed', now()) returning id
  ), head as (
    insert into task_streams (log_id, workspace_id, attempt, closed) select id, $1, 1, true from made returning log_id
  )
  insert into task_events (log_id, seq, workspace_id, attempt, event)
  select log_id, n, $1, 1, '{}' from head, generate_series(1, $2::integer) n`;
/** Counts what each transaction deletes of the tables with many rows. */
const COUNT = `
  create table test_deleted (txid bigint, rows bigint);
  create function test_count() returns trigger language plpgsql security definer as $$
  begin
    insert into public.test_deleted select txid_current(), count(*) from gone;
    return null;
  end $$;
  create trigger test_count after delete on runs referencing old table as gone
    for each statement execute function test_count();
  create trigger test_count after delete on task_streams referencing old table as gone
    for each statement execute function test_count();
  create trigger test_count after delete on task_events referencing old table as gone
    for each statement execute function test_count();
  create trigger test_count after delete on usage_records referencing old table as gone
    for each statement execute function test_count()`;
const TABLES = `
  select c.table_name as name from information_schema.columns c
  join information_schema.tables t using (table_schema, table_name)
  where c.table_schema = 'public' and c.column_name = 'workspace_id' and t.table_type = 'BASE TABLE'
           -- The operator keeps the log.
           and c.table_name <> 'audit_log'`;

let database: TestDatabase;
/** The first process, and what runs in its place. */
let killed: TestProcess;
let service: TestService;
const keys = createKeys();

beforeAll(async () => {
  database = await createDatabase();
  service = killed = await startProcess({ databaseUrl: database.url, keys });
});
afterAll(async () => {
  await service.stop();
  await database.drop();
});

verifies(
  "accounts.workspaces.delete-staged",
  `a workspace with ${LIVE} live runs and ${ENDED} tasks closes at once and is deleted in small steps`,
  async () => {
    const { workspaceId, key } = await addWorkspace(database.url);
    const other = await addWorkspace(database.url);
    const kept = await createTask(apiOf(service, other.key));
    const api = apiOf(service, key);
    const { id: agentId } = await createAgent(api);
    await Promise.all(
      Array.from({ length: LIVE }, () => createTask(api, { assigned_agent_id: agentId, description: ENDLESS })),
    );
    await sql(database.url, ENDED_TASKS, [workspaceId, ENDED]);
    await sql(database.url, LONG_TASK, [workspaceId, LONG_LOG]);
    await sql(database.url, COUNT);

    const deleted = await consoleOf(service, key).delete("/workspace?confirm=Another%20workspace");
    expect(deleted.status).toBe(204);
    await eventually("its key is rejected", async () => (await api.get("/api-me")).status === 401);
    const left = async (table: string) =>
      (await sql(database.url, `select from ${table} where workspace_id = $1`, [workspaceId])).length;
    await eventually("some of it is deleted", async () => (await left("tasks")) < ENDED);
    await killed.kill();
    expect(await left("tasks")).toBeGreaterThan(0);
    service = await startService({ databaseUrl: database.url, keys });

    const workspace = () => sql(database.url, "select from workspaces where id = $1", [workspaceId]);
    await eventually("its row is deleted", async () => (await workspace()).length === 0, 60 * SECOND);
    const tables = await sql<{ name: string }>(database.url, TABLES);
    for (const { name } of tables) expect([name, await left(name)]).toEqual([name, 0]);
    const most =
      "select coalesce(sum(rows), 0)::integer as rows from test_deleted group by txid order by 1 desc limit 1";
    const [largest] = await sql<{ rows: number }>(database.url, most);
    expect(largest?.rows).toBeGreaterThan(0);
    expect(largest?.rows).toBeLessThanOrEqual(MAX_ROWS);
    expect((await apiOf(service, other.key).get(`/api-tasks?id=${kept.id}`)).status).toBe(200);
  },
);
