import type { JsonText } from "#lib/json-text.ts";
import type { Database, Statement, Transaction } from "../database.ts";

/** Where a page of a list begins: behind this row. Times are ISO 8601 with up to six decimals. */
export interface PageStart {
  readonly createdAt: string;
  /** Rows of the very same time go on behind this id; absent: all of that time were shown. */
  readonly id?: string;
}

/** One row of a page: its rendered record and its place in the order. */
export interface PageRow {
  readonly id: string;
  readonly created_at: string;
  readonly record: JsonText;
}

/** The resources that are listed newest first. */
export type Listable = "agent" | "task";

const LIST: Readonly<Record<Listable, Statement>> = {
  agent: { name: "list-agents", text: listOf("agents", "agent_records", "") },
  task: {
    name: "list-tasks",
    text: listOf("tasks", "task_records", "and ($5::text is null or k.status = $5)"),
  },
};

// The page's ids come from the index; only those rows are rendered.
function listOf(table: string, records: string, filter: string): string {
  return `
    select r.id, r.created_at, to_json(r)::text as record
    from (
      select k.id, k.created_at from ${table} k
      where k.workspace_id = $1 ${filter}
        and ($2::timestamptz is null or (k.created_at, k.id) < ($2::timestamptz,
          coalesce($3::uuid, '00000000-0000-0000-0000-000000000000')))
      order by k.created_at desc, k.id desc limit $4
    ) page
    join ${records} r on r.id = page.id
    order by page.created_at desc, page.id desc`;
}

/** Reads one page, rendered; ask for one row more than shown to learn whether there are more. */
export function listRecords(
  db: Database,
  workspaceId: string,
  page: {
    readonly of: Listable;
    readonly limit: number;
    readonly after?: PageStart | undefined;
    readonly status?: string | undefined;
  },
): Promise<PageRow[]> {
  const values = [workspaceId, page.after?.createdAt ?? null, page.after?.id ?? null, page.limit];
  return db.queryInWorkspace<PageRow & Record<string, unknown>>(
    workspaceId,
    LIST[page.of],
    page.of === "task" ? [...values, page.status ?? null] : values,
  );
}

const READ: Readonly<Record<Listable, Statement>> = {
  agent: { name: "read-agent", text: `select to_json(r)::text as record from agent_records r where id = $1` },
  task: { name: "read-task", text: `select to_json(r)::text as record from task_records r where id = $1` },
};

/** Reads one record, rendered; undefined when the workspace has none with this id. */
export async function readRecord(
  db: Database,
  workspaceId: string,
  of: Listable,
  id: string,
): Promise<JsonText | undefined> {
  const [row] = await db.queryInWorkspace<{ record: JsonText }>(workspaceId, READ[of], [id]);
  return row?.record;
}

/** The same inside of a transaction, which sees its own changes. */
export async function readRecordIn(tx: Transaction, of: Listable, id: string): Promise<JsonText | undefined> {
  const [row] = await tx.query<{ record: JsonText }>(READ[of], [id]);
  return row?.record;
}
