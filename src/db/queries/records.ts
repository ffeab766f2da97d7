import type { JsonText } from "#lib/json-text.ts";
import type { Tenant } from "#domain/role.ts";
import type { Database, Statement, Transaction } from "../database.ts";

/** Where a page of a list begins: behind this row. Times are ISO 8601 with up to six decimals. */
export interface PageStart {
  readonly createdAt: string;
  /** Rows of the very same time go on behind this id; absent: all of that time were shown. */
  readonly id?: string;
}

/** A page of a list, rendered. */
export interface RenderedPage {
  /** The records with commas between them. */
  readonly items: JsonText;
  /** Where the next page begins; null on the last one. */
  readonly next: PageStart | null;
}

/** The resources that are listed newest first. */
export type Listable = "agent" | "task" | "voice_profile" | "output_template";

const LIST: Readonly<Record<Listable, Statement>> = {
  agent: { name: "list-agents", text: listOf("agents", "agent_records", "") },
  task: { name: "list-tasks", text: listOf("tasks", "task_records", "") },
  voice_profile: { name: "list-voice-profiles", text: listOf("voice_profiles", "voice_profile_records", "") },
  output_template: { name: "list-output-templates", text: listOf("output_templates", "output_template_records", "") },
};
/** A statement of its own, so that it is planned for the index of states. */
const LIST_BY_STATUS = {
  name: "list-tasks-by-status",
  text: listOf("tasks", "task_records", "and k.status = $5"),
};

// The page's ids come from the index; only those rows are rendered, and they come back as one text.
// One row more is looked up to learn whether there is a next page, and whether it begins at the very same time.
function listOf(table: string, records: string, filter: string): string {
  return `
    with page as (
      select k.id, k.created_at, row_number() over (order by k.created_at desc, k.id desc) as n
      from ${table} k
      where k.workspace_id = $1 ${filter}
        and ($2::timestamptz is null or (k.created_at, k.id) < ($2::timestamptz,
          coalesce($3::uuid, '00000000-0000-0000-0000-000000000000')))
      order by k.created_at desc, k.id desc limit $4::integer + 1
    )
    select
      coalesce((
        select string_agg(to_json(r)::text, ',' order by p.n)
        from page p join ${records} r on r.id = p.id where p.n <= $4), '') as items,
      (select iso(created_at) from page where n = $4) as "lastTime",
      (select id from page where n = $4) as "lastId",
      (select iso(created_at) from page where n = $4 + 1) as "nextTime"`;
}

interface ListRow {
  readonly items: JsonText;
  readonly lastTime: string | null;
  readonly lastId: string | null;
  readonly nextTime: string | null;
}

/**
 * Reads one page, newest first. It ends at a time; only when the next row has that very same time
 * does `next` carry an id as well. So no row is lost or doubled, whatever is inserted meanwhile.
 */
export async function listRecords(
  db: Database,
  tenant: Tenant,
  page: {
    readonly of: Listable;
    readonly limit: number;
    readonly after?: PageStart | undefined;
    /** Only tasks in this state. */
    readonly status?: string | undefined;
  },
): Promise<RenderedPage> {
  const values = [tenant.workspaceId, page.after?.createdAt ?? null, page.after?.id ?? null, page.limit];
  const [row] = await db.queryInWorkspace<ListRow & Record<string, unknown>>(
    tenant,
    page.status === undefined ? LIST[page.of] : LIST_BY_STATUS,
    page.status === undefined ? values : [...values, page.status],
  );
  if (row === undefined) throw new Error("A list query gives one row.");
  const { items, lastTime, lastId, nextTime } = row;
  if (nextTime === null || lastTime === null || lastId === null) return { items, next: null };
  return { items, next: { createdAt: lastTime, ...(nextTime === lastTime && { id: lastId }) } };
}

const READ: Readonly<Record<Listable, Statement>> = {
  agent: { name: "read-agent", text: `select to_json(r)::text as record from agent_records r where id = $1` },
  task: { name: "read-task", text: `select to_json(r)::text as record from task_records r where id = $1` },
  voice_profile: {
    name: "read-voice-profile",
    text: `select to_json(r)::text as record from voice_profile_records r where id = $1`,
  },
  output_template: {
    name: "read-output-template",
    text: `select to_json(r)::text as record from output_template_records r where id = $1`,
  },
};

/** Reads one record, rendered; undefined when the workspace has none with this id. */
export async function readRecord(
  db: Database,
  tenant: Tenant,
  of: Listable,
  id: string,
): Promise<JsonText | undefined> {
  const [row] = await db.queryInWorkspace<{ record: JsonText }>(tenant, READ[of], [id]);
  return row?.record;
}

/** The same inside of a transaction, which sees its own changes. */
export async function readRecordIn(tx: Transaction, of: Listable, id: string): Promise<JsonText | undefined> {
  const [row] = await tx.query<{ record: JsonText }>(READ[of], [id]);
  return row?.record;
}
