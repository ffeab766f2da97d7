import type { Database, Transaction } from "../../database.ts";
import { Statement, statement } from "../../statement.ts";

// A deleted workspace's data is removed in statements with a bounded number of rows.

const MARK = statement({
  name: "mark-workspace-deleted",
  text: `update workspaces set deleted_at = clock_timestamp() where id = $1 and deleted_at is null`,
});
/** Small tables through which people, other services and other workspaces reach a workspace. */
const CLOSE = [
  `delete from members where workspace_id = $1`,
  `update agents set is_marketplace = false, is_mcp_published = false, is_a2a_published = false
   where workspace_id = $1 and (is_marketplace or is_mcp_published or is_a2a_published)`,
  ...["schedules", "triggers", "trello_channels", "output_routes", "webhook_subscriptions"].map(
    (table) => `update ${table} set is_active = false where workspace_id = $1 and is_active`,
  ),
].map((text, n) => new Statement({ name: `close-workspace-${n}`, text }));

/** Marks a workspace as deleted: its members and keys are removed with the commit, and nothing new starts in it. */
export async function markDeleted(tx: Transaction, workspaceId: string): Promise<void> {
  for (const each of [MARK, ...CLOSE]) await tx.query(each, [workspaceId]);
}

const NEXT = statement({
  name: "next-deleted-workspace",
  text: `select id from workspaces where deleted_at is not null limit 1`,
});

/** A deleted workspace with remaining data; undefined when there is none. */
export async function nextDeleted(db: Database): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(NEXT);
  return row?.id;
}

const TABLES = statement({
  name: "workspace-tables",
  text: `
    select c.oid::regclass::text as name, array(
      select distinct f.conrelid::regclass::text from pg_constraint f
      where f.confrelid = c.oid and f.contype = 'f' and f.conrelid <> c.oid) as referrers
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
      and c.relname not in ('workspace_slugs', 'audit_log')
    order by c.oid`,
});

/**
 * The tables with workspace data, ordered with referring tables first. Without the audit log, which the operator keeps, and `workspace_slugs`: its rows are deleted
 * with the workspace's own row, which still has the slug, so another workspace cannot claim it earlier.
 */
export async function workspaceTables(db: Pick<Database, "query">): Promise<readonly string[]> {
  const tables = await db.query<{ name: string; referrers: string[] }>(TABLES);
  const left = new Map(tables.map(({ name, referrers }) => [name, referrers]));
  const ordered: string[] = [];
  while (left.size > 0) {
    const free = [...left].find(([, referrers]) => !referrers.some((one) => left.has(one)));
    // Order does not matter between tables that refer to each other: cascades remove the rest.
    const [name = ""] = free ?? [...left.keys()];
    left.delete(name);
    ordered.push(name);
  }
  return ordered;
}

/** Tables whose rows are found by the log id (of a task or team run), with that id's column. */
export const LOG_TABLES = {
  task_events: "log_id",
  task_event_pages: "log_id",
  unpacked_attempts: "log_id",
  run_steps: "run_id",
  run_executions: "run_id",
} as const;

/** Whether a table's rows are found by log id. */
export function isLogTable(table: string): table is keyof typeof LOG_TABLES {
  return table in LOG_TABLES;
}

const LOGS = statement({
  name: "logs-of-deleted-workspace",
  text: `
    (select id from runs where workspace_id = $1 and parent_id is not null limit $2) union all
    (select id from runs where workspace_id = $1
      and (select id from runs where workspace_id = $1 and parent_id is not null limit 1) is null limit $2)`,
});

/** Some remaining runs of a deleted workspace, those of tasks first: a task takes its team runs with it. */
export async function logsOf(db: Database, workspaceId: string, limit: number): Promise<readonly string[]> {
  const rows = await db.query<{ id: string }>(LOGS, [workspaceId, limit]);
  return rows.map(({ id }) => id);
}

/** Deletes up to `limit` rows of these logs of a workspace; returns the number. */
export async function deleteOfLogs(
  db: Database,
  table: keyof typeof LOG_TABLES,
  of: { readonly workspaceId: string; readonly logs: readonly string[]; readonly limit: number },
): Promise<number> {
  return rowsIn(db, batchOf(table, LOG_TABLES[table], "= any($1)"), [of.logs, of.limit, of.workspaceId]);
}

/** Deletes up to `limit` rows of a workspace from a table named by {@link workspaceTables}; returns the number. */
export async function deleteOfWorkspace(
  db: Database,
  table: string,
  of: { readonly workspaceId: string; readonly limit: number },
): Promise<number> {
  return rowsIn(db, batchOf(table, "workspace_id", "= $1"), [of.workspaceId, of.limit, of.workspaceId]);
}

/** Deletes these runs of a workspace, without those that another transaction holds; returns the number. */
export async function deleteWork(
  db: Database,
  of: { readonly workspaceId: string; readonly ids: readonly string[] },
): Promise<number> {
  return rowsIn(db, batchOf("runs", "id", "= any($1)"), [of.ids, of.ids.length, of.workspaceId]);
}

const DELETE_PROGRAMS = statement({
  name: "purge-programs",
  text: `
    with gone as (
      delete from users u using service_accounts s where s.workspace_id = $1 and u.id = s.id returning 1
    )
    select count(*)::integer as rows, add_to_receipt($1, 'service_accounts', count(*)) is null as done from gone`,
});

/** Deletes the service accounts of a workspace: they are accounts that exist in it only; returns the number. */
export async function deletePrograms(db: Database, workspaceId: string): Promise<number> {
  const [row] = await db.query<{ rows: number }>(DELETE_PROGRAMS, [workspaceId]);
  return row?.rows ?? 0;
}

async function rowsIn(db: Database, batch: Statement<{ rows: number }>, values: readonly unknown[]): Promise<number> {
  const [row] = await db.query<{ rows: number }>(batch, values);
  return row?.rows ?? 0;
}

// In a partitioned table, rows of other partitions have the same place. What is deleted is on the receipt at once.
function batchOf(table: string, column: string, condition: "= $1" | "= any($1)") {
  return new Statement<{ rows: number }>({
    name: `purge-${table}-by-${column}`,
    text: `
      with gone as (
        delete from ${table} t using (
          select i.tableoid as part, i.ctid as place from ${table} i
          where i.${column} ${condition} limit $2 for update skip locked
        ) old
        where t.ctid = old.place and t.tableoid = old.part
        returning 1
      )
      select count(*)::integer as rows, add_to_receipt($3, '${table}', count(*)) is null as done from gone`,
  });
}

const DROP = statement({
  name: "drop-workspace",
  text: `
    with dropped as (delete from workspaces where id = $1 and deleted_at is not null returning id),
    entries as (
      update audit_log a set subject_name = null, key_label = null, changes = '{}'
      from dropped d
      where (a.workspace_id = d.id or a.subject_kind = 'workspace' and a.subject_id = d.id)
        and exists (select from erasures e where e.subject_id = d.id)
      returning 1
    ),
    told as (select add_to_receipt($1, 'audit_log', count(*)) is null as done from entries)
    select t.done, add_to_receipt($1, 'workspaces', (select count(*) from dropped)) is null as dropped from told t`,
});

/**
 * Deletes the row of a workspace without any remaining data. Of an erased one, the entries of the audit log stay for the
 * operator, without names and values.
 */
export async function dropWorkspace(db: Database, workspaceId: string): Promise<void> {
  await db.query(DROP, [workspaceId]);
}
