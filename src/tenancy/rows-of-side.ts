import type { Client } from "pg";
import { rowsOfWorkspace, tenantRows, tenantTables } from "./tenant-tables.ts";

/** The service itself adds the ends of runs to sums. */
const COUNTED = new Set(["request_counts", "run_ends", "period_sums"]);

/** What the service itself notes: when something was used, and when an alert was checked. */
const NOTED = "array['last_used_at', 'check_at', 'last_checked_at', 'last_value']";

/** What a workspace holds, as text: all its rows, its people, and their sessions. */
export async function rowsOfSide(client: Client, workspaceId: string): Promise<readonly string[]> {
  const side = await tenantRows(client, workspaceId);
  const tables = (await tenantTables(client)).filter(({ name }) => !COUNTED.has(name));
  const mine = "(select user_id from members where workspace_id = $1)";
  const text = [
    ...tables.map(
      ({ name }) =>
        `select '${name} ' || (to_jsonb(t) - ${NOTED})::text from ${name} t where ${rowsOfWorkspace(name, side)}`,
    ),
    "select 'workspaces ' || to_jsonb(w)::text from workspaces w where id = $1",
    `select 'users ' || to_jsonb(u)::text from users u where id in ${mine}`,
    `select 'sessions ' || (to_jsonb(s) - 'last_used_at')::text from sessions s where user_id in ${mine}`,
  ].join(" union all ");
  const { rows } = await client.query<{ row: string }>(`select row from (${text}) as all_rows (row)`, [workspaceId]);
  return rows.map(({ row }) => row);
}
