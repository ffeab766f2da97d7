import type { Client } from "pg";
import { LOG_TABLES, isLogTable, workspaceTables } from "../queries/access/deleted-workspaces.ts";
import { readBackupTables } from "../queries/backup/backup-tables.ts";
import type { BackupTable } from "../queries/backup/backup-tables.ts";
import { queriesOn } from "../rows-on-client.ts";
import { quoted } from "../backup/snapshot.ts";

/**
 * Tables of a workspace that stay behind: what passes within minutes, what is counted again, and accounts whose refresh
 * tokens no two services may use.
 */
const PASSING: ReadonlySet<string> = new Set([
  "live_viewers",
  "mcp_account_tools",
  "mcp_accounts",
  "mcp_sign_ins",
  "model_gate_waits",
  "request_counts",
  "oauth_states",
  "stored_changes",
  "stored_totals",
  "workspace_slugs",
]);

/** Sums, which other processes add to even while the workspace is held: they are read together, last. */
export const SUMS: ReadonlySet<string> = new Set(["period_sums", "run_ends", "usage_days"]);

/** The table of people, of which only a part moves. */
export const PEOPLE = "users";
const PEOPLE_COLUMNS = ["id", "email", "name", "email_proved", "created_at"];

/** Columns that name a person. */
const OF_PEOPLE: ReadonlySet<string> = new Set([
  "answered_by",
  "cancelled_by",
  "changed_by",
  "connected_by",
  "created_by",
  "invited_by",
  "started_by",
  "user_id",
]);

/** What a workspace takes along, in an order in which each row finds those that it refers to. */
export async function readMoveTables(client: Client): Promise<BackupTable[]> {
  const columns = new Map((await readBackupTables(client)).map((table) => [table.name, table]));
  const names = [
    PEOPLE,
    "workspaces",
    ...(await workspaceTables(queriesOn(client))).toReversed().filter((name) => !SUMS.has(name)),
    "unpacked_attempts",
    "audit_log",
    ...SUMS,
  ];
  return names
    .filter((name) => !PASSING.has(name))
    .flatMap((name) => {
      const table = columns.get(name);
      if (table === undefined) return [];
      return [name === PEOPLE ? { name, columns: PEOPLE_COLUMNS } : table];
    });
}

/** The rows of a workspace in a table, as a condition in SQL. @param workspaceId a UUID */
export function rowsToMove(table: BackupTable, workspaceId: string, tables: readonly BackupTable[]): string {
  const { name } = table;
  const mine = `workspace_id = '${workspaceId}'`;
  const runs = `(select r.id from public.runs r where r.${mine})`;
  if (name === "workspaces") return `id = '${workspaceId}'`;
  if (name === PEOPLE) return `id in (${people(workspaceId, tables)})`;
  // The tokens of connected apps are bound to this service's address.
  if (name === "api_keys") return `${mine} and app is null`;
  if (name === "unpacked_attempts") return `log_id in ${runs}`;
  return isLogTable(name) ? `${LOG_TABLES[name]} in ${runs} and ${mine}` : mine;
}

function people(workspaceId: string, tables: readonly BackupTable[]): string {
  return tables
    .filter(({ name }) => name !== PEOPLE && name !== "audit_log" && !isLogTable(name))
    .flatMap(({ name, columns }) =>
      columns
        .filter((column) => OF_PEOPLE.has(column))
        .map((column) => `select ${column} from public.${quoted(name)} where workspace_id = '${workspaceId}'`),
    )
    .concat(`select id from public.service_accounts where workspace_id = '${workspaceId}'`)
    .join(" union ");
}
