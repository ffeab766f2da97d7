import { MAX_FOUND_OF_KIND } from "#domain/access/found-record.ts";
import type { FoundKind } from "#domain/access/found-record.ts";
import { idRangeOf } from "#domain/runs/run-list.ts";
import { searchTitles, searchText } from "../runs/search-titles.ts";
import type { WorkspaceDatabase } from "../../database.ts";

/** The time limit of a search, in milliseconds. */
const TIMEOUT_MS = 5_000;

/** A found record. */
export interface FoundRecord {
  readonly kind: FoundKind;
  readonly id: string;
  readonly name: string;
  /** The status of a run or document. */
  readonly status: string | null;
  /** The parent: a document's knowledge base, a file's task or team run. */
  readonly parent_id: string | null;
}

/** Tables searched by name, by default in their column `name`. */
const NAMED: readonly {
  readonly kind: FoundKind;
  readonly table: string;
  readonly name?: string;
  readonly status?: string;
  readonly parent?: string;
  /** Whether keys that are limited to agents and teams may have some of them in reach. */
  readonly isReached?: true;
}[] = [
  { kind: "agent", table: "agents", isReached: true },
  { kind: "team", table: "teams", isReached: true },
  { kind: "knowledge_base", table: "knowledge_bases" },
  { kind: "document", table: "knowledge_documents", status: "t.status", parent: "t.knowledge_base_id" },
  { kind: "tool", table: "custom_tools" },
  { kind: "mcp_server", table: "mcp_servers" },
  { kind: "remote_agent", table: "remote_agents", name: "t.card ->> 'name'" },
  { kind: "file", table: "files", parent: "coalesce(t.task_id, t.run_id)", isReached: true },
  { kind: "schedule", table: "schedules" },
  { kind: "trigger", table: "triggers" },
  { kind: "route", table: "output_routes" },
  { kind: "voice_profile", table: "voice_profiles" },
  { kind: "output_template", table: "output_templates" },
];

/**
 * Finds records by part of their name, runs by words of their title, and any record by the beginning of its id: up to 8
 * per kind, names that begin with the text first, then newest first.
 */
export function searchRecords(db: WorkspaceDatabase, q: string): Promise<FoundRecord[]> {
  const values: unknown[] = [`%${q.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`, MAX_FOUND_OF_KIND];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const ids = idRangeOf(q);
  const byId = ids === undefined ? "false" : `t.id between ${bind(ids.first)}::uuid and ${bind(ids.last)}::uuid`;
  return db.transaction(async (tx) => {
    const inTitle = searchText(await searchTitles(tx, q), bind);
    const named = NAMED.filter(({ isReached }) => db.who.reach === undefined || isReached).map(
      ({ kind, table, name = "t.name", status = "null", parent = "null::uuid" }) => `
        (select '${kind}' as kind, t.id, ${name} as name, ${status} as status, ${parent} as parent_id
         from ${table} t where t.workspace_id = current_workspace_id() and (${name} ilike $1 or ${byId})
         order by ${name} ilike substr($1, 2) desc, t.created_at desc, t.id limit $2)`,
    );
    const text = `
      (select 'run' as kind, t.id, title_of(t) as name, t.status, null::uuid as parent_id from runs t
       where t.workspace_id = current_workspace_id() and t.parent_id is null and ${inTitle}
       order by t.created_at desc limit $2)
      union all ${named.join(" union all ")}`;
    return tx.queryOnce<FoundRecord>({ text, values, timeoutMs: TIMEOUT_MS });
  });
}
