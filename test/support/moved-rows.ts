import { Client } from "pg";
import { LOG_TABLES, isLogTable } from "#db/queries/access/deleted-workspaces.ts";
import { SUMS, readMoveTables } from "#db/move/move-tables.ts";

/** Columns that are other where a workspace moves to: secrets, which have another key there, and sums that are counted again. */
const OTHER = new Set(["slug", "updated_at"]);

/** Sums, whether they are added up already or not. */
const TOTALS: Readonly<Record<string, string>> = {
  period_totals: "subject_id, bucket, start, sum(completed), sum(failed), sum(cancelled), sum(tokens), sum(cost_usd)",
  usage_by_day: "day, agent_id, provider, model, sum(calls), sum(prompt_tokens), sum(completion_tokens), sum(cost_usd)",
};
const GROUPS: Readonly<Record<string, string>> = {
  period_totals: "subject_id, bucket, start",
  usage_by_day: "day, agent_id, provider, model",
};

/**
 * All rows of a workspace by table, in an order of their own, without what must be other in another installation.
 * @param ids people who have another id there
 */
export async function movedRows(
  databaseUrl: string,
  workspaceId: string,
  ids: ReadonlyMap<string, string> = new Map(),
): Promise<Readonly<Record<string, unknown>>> {
  const renamed = (row: string) => [...ids].reduce((text, [from, to]) => text.replaceAll(from, to), row);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const rows: Record<string, unknown> = {};
    for (const { name, columns } of await readMoveTables(client)) {
      if (name === "users" || name === "unpacked_attempts" || name === "audit_log" || SUMS.has(name)) continue;
      const compared = columns.filter(
        (column) => !column.includes("ciphertext") && !(name === "workspaces" && OTHER.has(column)),
      );
      const where =
        name === "workspaces"
          ? "id = $1"
          : isLogTable(name)
            ? `${LOG_TABLES[name]} in (select id from runs where workspace_id = $1)`
            : "workspace_id = $1";
      const found = await client.query<{ row: string }>(
        `select row(${compared.map((column) => `t."${column}"`).join(", ")})::text as row from ${name} t where ${where} order by 1`,
        [workspaceId],
      );
      if (found.rows.length > 0) rows[name] = found.rows.map(({ row }) => renamed(row)).toSorted();
    }
    for (const [name, columns] of Object.entries(TOTALS)) {
      const found = await client.query<{ row: string }>(
        `select row(${columns})::text as row from ${name} where workspace_id = $1 group by ${GROUPS[name]}`,
        [workspaceId],
      );
      if (found.rows.length > 0) rows[name] = found.rows.map(({ row }) => renamed(row)).toSorted();
    }
    return rows;
  } finally {
    await client.end();
  }
}
