import type { VersionFields } from "#domain/agents/agent-version.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import { statement } from "../../statement.ts";
import type { WorkspaceDatabase } from "../../database.ts";

/** A version of an agent. */
export interface VersionRef {
  readonly id: string;
  readonly version: number;
}

const LIST = statement({
  name: "list-agent-versions",
  text: `
    with page as (
      select to_json(r)::text as record, r.version, row_number() over (order by r.version desc) as n
      from agent_version_records r
      where r.agent_id = $1 and ($2::integer is null or r.version < $2)
      order by r.version desc limit $3::integer + 1
    )
    select
      (select a.id from agents a where a.id = $1) as agent,
      coalesce((select string_agg(record, ',' order by n) from page where n <= $3), '') as items,
      (select p.version from page p join page more on more.n = $3 + 1 where p.n = $3) as next`,
});

/** A page of an agent's versions, as JSON. */
export interface VersionPage {
  /** The records separated by commas, newest first. */
  readonly items: JsonText;
  /** The last version shown, if older ones exist. */
  readonly next: number | null;
}

/** Lists the versions of an agent, newest first; undefined when the workspace has no such agent. */
export async function listVersions(
  db: WorkspaceDatabase,
  page: { readonly id: string; readonly limit: number; readonly before: number | undefined },
): Promise<VersionPage | undefined> {
  const values = [page.id, page.before ?? null, page.limit];
  const [row] = await db.query<{ agent: string | null; items: JsonText; next: number | null }>(LIST, values);
  return row === undefined || row.agent === null ? undefined : { items: row.items, next: row.next };
}

const READ = statement({
  name: "read-agent-version",
  text: `select to_json(r)::text as record from agent_version_details r where agent_id = $1 and version = $2`,
});

/** Reads a version with its fields, as JSON; undefined when it does not exist. */
export async function readVersion(db: WorkspaceDatabase, ref: VersionRef): Promise<JsonText | undefined> {
  const [row] = await db.query<{ record: JsonText }>(READ, [ref.id, ref.version]);
  return row?.record;
}

const FIELDS = statement({
  name: "read-agent-version-fields",
  text: `select fields from agent_versions where agent_id = $1 and version = $2`,
});

/** Reads the fields of a version; undefined when it does not exist. */
export async function readFields(db: WorkspaceDatabase, ref: VersionRef): Promise<VersionFields | undefined> {
  const [row] = await db.query<{ fields: VersionFields }>(FIELDS, [ref.id, ref.version]);
  return row?.fields;
}

const RESTORABLE = statement({
  name: "read-restorable-agent-version",
  text: `
    select v.fields, json_build_object(
      'voice_profile_id', (select p.id from voice_profiles p where p.id = (v.fields->>'voice_profile_id')::uuid),
      'output_template_id', (select t.id from output_templates t where t.id = (v.fields->>'output_template_id')::uuid)
    ) as existing
    from agent_versions v where v.agent_id = $1 and v.version = $2`,
});

/** The same fields for a restore: without references to a deleted voice profile or output template. */
export async function readRestorable(db: WorkspaceDatabase, ref: VersionRef): Promise<VersionFields | undefined> {
  const [row] = await db.query<{ fields: VersionFields; existing: VersionFields }>(RESTORABLE, [ref.id, ref.version]);
  return row === undefined ? undefined : { ...row.fields, ...row.existing };
}
