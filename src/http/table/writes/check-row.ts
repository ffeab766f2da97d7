import type { Principal } from "#domain/access/principal.ts";
import type { Row } from "../body.ts";
import { denied, unknownField } from "../errors.ts";
import type { Table } from "../tables.ts";
import { convert } from "./convert.ts";
import { nullViolation, rowSecurityViolation } from "./rejections.ts";

/** How to check a row. */
export interface RowOptions {
  readonly who: Principal;
  readonly from: "json" | "csv";
  /** Whether it is inserted or changes existing rows. */
  readonly as: "new" | "change";
}

/**
 * Converts the fields of a row to the types of their columns. The result omits the workspace, which must be the
 * caller's. @throws TableError PGRST204, 42501 for another workspace, 23502 or 22P02.
 */
export function checkRow(table: Table, row: Row, { who, from, as }: RowOptions): Row {
  const given = Object.entries(row).map(([name, value]) => {
    const column = table.columns.get(name);
    if (column === undefined) throw unknownField(table.name, name);
    return [name, convert(column.type, value, from)] as const;
  });
  const { workspace_id: workspace, ...fields } = Object.fromEntries(given);
  if (as === "new" || workspace !== undefined) {
    if (workspace === undefined || workspace === null) throw nullViolation(table.name, "workspace_id");
    if (workspace !== who.workspaceId) throw rowSecurityViolation(table.name);
  }
  return fields;
}

/** Checks that a caller may write these fields. @throws TableError 42501. */
export function checkWritable(table: Table, fields: Row, as: RowOptions["as"]): void {
  for (const name of Object.keys(fields)) {
    const write = table.columns.get(name)?.write;
    if (write !== "always" && (write !== "create" || as !== "new")) {
      throw denied(table.name, `The column "${name}" cannot be written.`);
    }
  }
}
