import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect } from "vitest";
import { consoleOf } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { uploadTo } from "../../support/files.ts";
import { createDatabase, createKeys, startProcess } from "../../support/service.ts";
import type { TestDatabase, TestProcess } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, QUICK, createAgent, createTask, taskIn } from "../../support/work.ts";
import { openWorkspace, sql } from "../../support/workspace.ts";

/** More than one step of an erasure deletes. */
const VOICES = 1_200;
const SLOW = 120_000;

const keys = createKeys();
let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), "muster-erase-"));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

const start = () => startProcess({ databaseUrl: database.url, keys, env: { MUSTER_DATA: folder } });

/** A workspace with a file, an ended run, a run in progress, and many rows. */
async function filled(service: TestProcess) {
  const { workspaceId: id, api, key } = await openWorkspace(service);
  await uploadTo({ ...service, keys: { ...keys, api: key } }, { name: "a.txt", type: "text/plain", content: id });
  const { id: agentId } = await createAgent(api, { tools: ["wait"] });
  const give = (description: string) => createTask(api, { description, assigned_agent_id: agentId });
  await taskIn(api, (await give(QUICK)).id, "completed");
  await taskIn(api, (await give(ENDLESS)).id, "running");
  await sql(
    database.url,
    `insert into voice_profiles (id, workspace_id, name, tone)
     select gen_random_uuid(), $1, 'Voice ' || n, 'Formal' from generate_series(1, $2::integer) n`,
    [id, VOICES],
  );
  return id;
}

/** The rows of these workspaces in every table, by table; what the operator keeps is not among them. */
async function rowsOf(ids: readonly string[]): Promise<Readonly<Record<string, number>>> {
  const tables = await sql<{ name: string }>(
    database.url,
    `select c.table_name as name from information_schema.columns c join information_schema.tables t
       using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.column_name = 'workspace_id'
       and c.table_name <> 'audit_log'`,
  );
  const counts = [...tables.map(({ name }) => [name, "workspace_id"]), ["workspaces", "id"]].map(
    ([name, column]) => `select '${name}' as name, count(*)::integer as rows from ${name} where ${column} = any($1)`,
  );
  const found = await sql<{ name: string; rows: number }>(database.url, counts.join(" union all "), [ids]);
  return Object.fromEntries(found.filter(({ rows }) => rows > 0).map(({ name, rows }) => [name, rows]));
}

async function storedFiles(): Promise<readonly string[]> {
  const entries = await readdir(join(folder, "files"), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

verifies(
  "ops.erase.crash",
  "two erasures at once, killed in the middle, continue after a restart and leave no row and no file",
  async () => {
    const first = await start();
    const ids = [await filled(first), await filled(first)];
    expect(await storedFiles()).toHaveLength(2);
    // The erasure steps over locked rows, and cannot end before they are free.
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query("begin");
    const ofEach = "select distinct on (workspace_id) id from voice_profiles where workspace_id = any($1)";
    await holder.query(`select from voice_profiles where id in (${ofEach}) for update`, [ids]);
    const operator = consoleOf(first, keys.api);
    const erased = await Promise.all(
      ids.map((id) => operator.delete(`/instance/workspaces/${id}?confirm=Another%20workspace`)),
    );
    expect(erased.map(({ status }) => status)).toEqual([204, 204]);
    await eventually("an erasure is in the middle", async () => (await rowsOf(ids))["voice_profiles"] !== 2 * VOICES);
    await first.kill();
    const middle = await rowsOf(ids);
    expect(middle).toMatchObject({ workspaces: 2 });
    await holder.query("rollback");
    await holder.end();

    const second = await start();
    await eventually("all rows are gone", async () => Object.keys(await rowsOf(ids)).length === 0, SLOW);
    await eventually("all files are gone", async () => (await storedFiles()).length === 0, SLOW);
    await second.stop();
  },
  SLOW * 2,
);
