import type { Client } from "pg";
import { columnsOf, quoted } from "../backup/snapshot.ts";
import { LOG_TABLES, isLogTable } from "../queries/access/deleted-workspaces.ts";
import type { BackupTable } from "../queries/backup/backup-tables.ts";
import { PEOPLE } from "./move-tables.ts";

/** The setting that says which export a workspace came from. */
const MOVED_IN = "moved_in:";

/** What moves in. */
export interface MoveIn {
  readonly workspaceId: string;
  readonly source: string;
  /** The number of rows of each table. */
  readonly rows: Readonly<Record<string, number>>;
  /** Usage of before is in the sums of the export. */
  readonly usageUntil: string;
}

/** A workspace that has moved in. */
export interface Arrival {
  readonly slug: string;
  readonly name: string;
}

/** The workspace cannot move in; nothing was changed. The message is a sentence. */
export class MoveInError extends Error {
  override readonly name = "MoveInError";
}

/** The workspace that came from this export; undefined before it has. */
export async function findArrival(
  client: Client,
  { workspaceId, source }: Pick<MoveIn, "workspaceId" | "source">,
): Promise<Arrival | undefined> {
  const { rows } = await client.query<Arrival & { source: string | null }>(
    `select w.slug, w.name, s.value as source from public.workspaces w
     left join public.instance_settings s on s.key = $2 where w.id = $1`,
    [workspaceId, MOVED_IN + workspaceId],
  );
  const [found] = rows;
  if (found === undefined) return undefined;
  if (found.source === source) return { slug: found.slug, name: found.name };
  throw new MoveInError(`The workspace ${found.slug} is here already, not from this export; nothing was changed.`);
}

interface Staged {
  readonly schema: string;
  readonly tables: readonly BackupTable[];
}

/** Copies the staged rows into the tables of the service, all or nothing. The workspace stays held. */
export async function moveIn(client: Client, staged: Staged, arrival: MoveIn): Promise<Arrival> {
  const { workspaceId, source, usageUntil } = arrival;
  await client.query("begin");
  try {
    await client.query(
      "select set_config('muster.moving', 'on', true), pg_advisory_xact_lock(hashtext('muster_counters'))",
    );
    await requireSums(client, usageUntil);
    await addPeople(client, staged.schema);
    await client.query(`update ${staged.schema}.jobs set state = 'queued', executor_id = null where state = 'running'`);
    for (const table of staged.tables)
      if (table.name !== PEOPLE) await copyTable(client, { ...staged, table }, arrival);
    await client.query("select add_usage($1::timestamptz, (select until from public.usage_sums), $2)", [
      usageUntil,
      workspaceId,
    ]);
    await client.query(
      "insert into public.instance_settings (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value",
      [MOVED_IN + workspaceId, source],
    );
    await client.query("select set_config('muster.moving', 'off', true)");
    await client.query(
      `select write_audit(w.id, 'workspace.imported', 'workspace', $1, (select name from public.workspaces where id = $1), '{}')
       from public.workspaces w
       where w.id in ($1, (select id from public.workspaces where deleted_at is null order by created_at, id limit 1))`,
      [workspaceId],
    );
    await client.query(`drop schema ${staged.schema} cascade`);
    const { rows } = await client.query<Arrival>("select slug, name from public.workspaces where id = $1", [
      workspaceId,
    ]);
    await client.query("commit");
    const [here] = rows;
    if (here === undefined) throw new Error("The workspace was copied.");
    return here;
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

/** Usage that this service still sums up must not be in the sums of the export. */
async function requireSums(client: Client, usageUntil: string): Promise<void> {
  const { rows } = await client.query<{ fits: boolean }>(
    "select until >= $1::timestamptz as fits from public.usage_sums for update",
    [usageUntil],
  );
  if (rows[0]?.fits === true) return;
  throw new MoveInError(
    "The sums of usage here are not as far as those of the export; nothing was changed. Run it again in two hours, or set the clocks right.",
  );
}

async function addPeople(client: Client, schema: string): Promise<void> {
  await client.query(
    `insert into public.users (id, email, name, email_proved, created_at)
     select p.new_id, s.email, s.name, s.email_proved, s.created_at
     from ${schema}.move_people p join ${schema}.${PEOPLE} s on p.old_id = s.id where p.is_new`,
  );
}

interface StagedTable {
  readonly schema: string;
  readonly table: BackupTable;
}

async function copyTable(client: Client, { schema, table }: StagedTable, { workspaceId, rows }: MoveIn): Promise<void> {
  const { name } = table;
  const from = `${schema}.${quoted(name)}`;
  const mine = `workspace_id = '${workspaceId}'`;
  const ofRuns = (column: string) => `${column} in (select id from ${schema}.runs)`;
  const which =
    name === "workspaces"
      ? `id = '${workspaceId}'`
      : name === "unpacked_attempts"
        ? ofRuns("log_id")
        : isLogTable(name)
          ? `${mine} and ${ofRuns(LOG_TABLES[name])}`
          : mine;
  const { rowCount } = await client.query(
    `insert into public.${quoted(name)} (${columnsOf(table)}) select ${columnsOf(table)} from ${from} where ${which}`,
  );
  if (rowCount === (rows[name] ?? 0)) return;
  throw new MoveInError(`The export has rows of ${name} that are not of its workspace; nothing was changed.`);
}
