import type { Principal } from "#domain/principal.ts";
import type { Row } from "../body.ts";
import { denied, unknownField } from "../errors.ts";
import type { Table } from "../tables.ts";
import { convert } from "./convert.ts";
import { nullViolation, rowSecurityViolation } from "./refusals.ts";

/** How a row is checked. */
export interface RowOptions {
  readonly who: Principal;
  readonly from: "json" | "csv";
  /** Whether it becomes a row or changes some. */
  readonly as: "new" | "change";
}

/**
 * Checks that a caller may write the fields of a row, and brings them to the types of their
 * columns. The workspace, which must be the caller's, is left out of the result.
 * @throws TableError PGRST204, 42501, 23502 or 22P02.
 */
export function checkRow(table: Table, row: Row, { who, from, as }: RowOptions): Row {
  const given = Object.entries(row).map(([name, value]) => {
    const column = table.columns.get(name);
    if (column === undefined) throw unknownField(table.name, name);
    const writable =
      column.write === "always" || (column.write === "create" && (as === "new" || name === "workspace_id"));
    if (!writable) throw denied(table.name, `The column "${name}" cannot be written.`);
    return [name, convert(column.type, value, from)] as const;
  });
  const { workspace_id: workspace, ...fields } = Object.fromEntries(given);
  if (as === "new" || workspace !== undefined) {
    if (workspace === undefined || workspace === null) throw nullViolation(table.name, "workspace_id");
    if (workspace !== who.workspaceId) throw rowSecurityViolation(table.name);
  }
  return fields;
}
