import { z } from "zod";
import type { Row } from "../body.ts";
import type { Table } from "../tables.ts";
import type { WriteContext } from "./writer.ts";

const rows = z.array(z.object({ id: z.string(), changed: z.array(z.string()) }));

/**
 * Finds the given fields that differ from the stored rows: a client that sends a row back with one changed field
 * changes only that one. PostgreSQL compares, by the types of the columns.
 * @throws DatabaseError for a value that its column's type cannot hold.
 */
export async function changedFields(
  { tx, workspace, timeoutMs }: WriteContext,
  table: Table,
  of: { readonly ids: readonly string[]; readonly fields: Row },
): Promise<ReadonlyMap<string, Row>> {
  const { ids, fields } = of;
  const columns = [...table.columns.keys()].filter((name) => Object.hasOwn(fields, name));
  const differing = columns.map((name) => `case when t.${name} is distinct from g.${name} then '${name}' end`);
  const text =
    `select t.id, array_remove(array[${differing.join(", ")}]::text[], null) as changed ` +
    `from table_api.${table.name} t, jsonb_populate_record(null::table_api.${table.name}, $2::jsonb) g ` +
    `where t.workspace_id = $3::uuid and t.id = any($1::uuid[])`;
  const values = [ids, JSON.stringify(fields), workspace.who.workspaceId];
  const found = rows.parse(await tx.queryOnce({ text, values, timeoutMs }));
  return new Map(found.map(({ id, changed }) => [id, Object.fromEntries(changed.map((name) => [name, fields[name]]))]));
}
