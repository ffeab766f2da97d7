import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { expect, inject, onTestFinished } from "vitest";
import { migrate } from "#db/migrate.ts";
import { FOLDER } from "#db/migration/files.ts";
import { newId } from "#lib/ids.ts";
import { inDatabase, onServer } from "../../support/database.ts";
import { verifies } from "../../support/verifies.ts";
import { addWorkspace } from "../../support/workspace.ts";

/** The migrations that make the partitions. */
const PARTITIONS = /^011[012]-/;
/** As a client of AG-UI may choose it for a thread. */
const CHOSEN = "9b2f6c1e-7a43-4d0e-8b52-0c6f1e9d3a77";
const APPEND = { name: "append", text: `insert into task_events values ($1, $2, $3, 1, null, '{"type":"CUSTOM"}')` };
const LOG = "select seq, tableoid::regclass::text as home from task_events where log_id = $1 order by seq";

/** An empty database whose schema has no partitions yet, connected. */
async function openBefore(): Promise<{ readonly url: string; readonly client: Client }> {
  const name = `${inject("templateName")}_${newId().slice(-12)}`;
  await onServer(inject("serverUrl"), `create database ${name}`);
  const url = inDatabase(inject("serverUrl"), name);
  const folder = await mkdtemp(join(tmpdir(), "muster-before-"));
  const old = (await readdir(FOLDER)).filter((file) => !PARTITIONS.test(file));
  for (const file of old) await cp(join(FOLDER, file), join(folder, file));
  await migrate(url, () => Promise.resolve(), { folder });
  await rm(folder, { recursive: true });
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await onServer(inject("serverUrl"), `drop database ${name} with (force)`);
  });
  return { url, client };
}

for (const { what, id, weeks } of [
  { what: "of ids of its own, all rows are the first partition", id: newId(), weeks: true },
  { what: "of ids that clients chose, they are all ids, for good", id: CHOSEN, weeks: false },
]) {
  verifies("operations.upgrade.partitions", `after the upgrade ${what}`, async () => {
    const { url, client } = await openBefore();
    const { workspaceId } = await addWorkspace(url);
    await client.query(`insert into tasks (id, workspace_id, title, status) values ($1, $2, 'Old', 'running')`, [
      id,
      workspaceId,
    ]);
    await client.query("insert into task_streams (log_id, workspace_id, attempt) values ($1, $2, 1)", [
      id,
      workspaceId,
    ]);
    for (const seq of [1, 2]) await client.query({ ...APPEND, values: [id, seq, workspaceId] });
    await migrate(url, () => Promise.resolve());
    // A process of the version before goes on with the statements that it has prepared.
    await client.query({ ...APPEND, values: [id, 3, workspaceId] });
    const { rows } = await client.query<{ home: string }>(LOG, [id]);
    expect(rows).toEqual([1, 2, 3].map((seq) => ({ seq, home: "task_events_first" })));
    const { rows: weekly } = await client.query(
      `select from partitions_of('run_steps') where first_id is not null and next_id is not null`,
    );
    await client.query("select make_partitions('run_steps', 'run_id', 1)");
    expect(weekly.length).toBe(weeks ? 1 : 0);
    // A run of today has a place as well, and one of the far future.
    for (const other of [newId(), "ffffffff-ffff-4fff-bfff-ffffffffffff", "ffffffff-ffff-ffff-ffff-ffffffffffff"]) {
      await client.query({ ...APPEND, values: [other, 1, workspaceId] });
    }
  });
}
