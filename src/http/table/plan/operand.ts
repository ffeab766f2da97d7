import { badQuery, TableError, unknownColumn } from "../errors.ts";
import type { JsonStep, Path } from "../parse/path.ts";
import type { Column, ColumnType, Table } from "../tables.ts";

/** The types allowed in `column::type`, with their SQL. */
const CASTS = {
  text: "text",
  varchar: "text",
  int: "integer",
  int4: "integer",
  integer: "integer",
  int8: "bigint",
  bigint: "bigint",
  numeric: "numeric",
  float8: "double precision",
  "double precision": "double precision",
  bool: "boolean",
  boolean: "boolean",
  date: "date",
  timestamptz: "timestamptz",
  uuid: "uuid",
  json: "json",
  jsonb: "jsonb",
} as const;

/** A value of a row: a column of its table, a path inside it, a cast. */
export interface Operand {
  readonly column: Column;
  readonly steps: readonly JsonStep[];
  readonly cast: (typeof CASTS)[keyof typeof CASTS] | undefined;
  /** The type of the value before the cast. */
  readonly type: ColumnType;
}

const MAX_STEPS = 20;

/**
 * Resolves a path; a step into a value that is not JSON applies to its JSON form.
 * @throws TableError 42703 for an unknown column, 42883 for a step after `->>`, which returns text.
 */
export function planOperand(table: Table, { column: name, steps }: Path, cast?: string): Operand {
  const column = table.columns.get(name);
  if (column === undefined) throw unknownColumn(table.name, name, [...table.columns.keys()]);
  const last = steps.at(-1);
  if (steps.length > MAX_STEPS) throw badQuery(`A path has at most ${MAX_STEPS} steps.`);
  const inText = steps.slice(0, -1).some((step) => step.asText);
  if (last !== undefined && inText) {
    const message = `operator does not exist: text ${last.asText ? "->>" : "->"} unknown`;
    throw new TableError(400, "42883", { message });
  }
  return { column, steps, cast: planCast(cast), type: typeOf(column, last) };
}

function typeOf(column: Column, last: JsonStep | undefined): ColumnType {
  if (last === undefined) return column.type;
  return last.asText ? "text" : "jsonb";
}

function planCast(name: string | undefined): Operand["cast"] {
  if (name === undefined) return undefined;
  const known = Object.entries(CASTS).find(([key]) => key === name);
  if (known === undefined) throw new TableError(400, "42704", { message: `type "${name}" does not exist` });
  return known[1];
}
