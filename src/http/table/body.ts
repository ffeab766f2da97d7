import type { FieldIssue } from "#domain/errors.ts";
import { UNSTORABLE_TEXT, findOversizeExactly, findUnstorable } from "#domain/storable.ts";
import { parseExactly } from "#lib/text/exact-json.ts";
import { JsonSyntaxError, parseJson } from "#lib/text/parse-json.ts";
import { badBody, TableError, unknownField } from "./errors.ts";
import { parseCsv } from "./parse/csv.ts";
import type { Table } from "./tables.ts";

/** The fields of a row in a body. */
export type Row = Readonly<Record<string, unknown>>;

/** How to parse a body. */
export interface BodyOptions {
  readonly contentType: string | undefined;
  /** The columns to use of each row; undefined: those that the rows have. */
  readonly columns: readonly string[] | undefined;
  /** The value of a missing column of `columns`. */
  readonly missing: "default" | "null";
}

/** Parses the rows of a body: JSON, one object or a list of them, or CSV. @throws TableError PGRST102, PGRST204. */
export function readRows(table: Table, text: string, options: BodyOptions): readonly Row[] {
  const rows = isCsv(options.contentType) ? parseCsv(text) : readJsonRows(text);
  checkStorable(rows);
  const { columns, missing } = options;
  if (columns === undefined) {
    checkSameKeys(rows);
    for (const name of Object.keys(rows[0] ?? {})) checkColumn(table, name);
    return rows;
  }
  for (const name of columns) checkColumn(table, name);
  return rows.map((row) => {
    const present = missing === "default" ? columns.filter((name) => Object.hasOwn(row, name)) : columns;
    return Object.fromEntries(present.map((name) => [name, Object.hasOwn(row, name) ? row[name] : null]));
  });
}

/** Parses the arguments of a function: a JSON object, or an empty body. @throws TableError PGRST102. */
export function parseArguments(text: string): Row {
  const [args = {}, ...others] = text === "" ? [] : readJsonRows(text);
  if (others.length > 0) throw badBody("Empty or invalid json", "Arguments are one object.");
  checkStorable(args);
  return args;
}

/** True if a body is CSV, false if JSON. @throws TableError PGRST102 for any other type. */
export function isCsv(contentType: string | undefined): boolean {
  const [type = ""] = (contentType ?? "").split(";");
  const media = type.trim().toLowerCase();
  if (media === "text/csv") return true;
  // Text without a content type is JSON: fetch sends it as text/plain.
  if (["", "application/json", "text/plain"].includes(media)) return false;
  if (media.startsWith("application/") && media.endsWith("+json")) return false;
  throw badBody(`Content-Type not acceptable: ${type.trim()}`);
}

function readJsonRows(text: string): readonly Row[] {
  const oversize = findOversizeExactly(text);
  if (oversize !== undefined) throw unstorableBody(oversize);
  let body: unknown;
  try {
    body = parseJson(text, parseExactly);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw badBody("Empty or invalid json", `The body must be JSON: ${error.message}.`);
  }
  const rows: readonly unknown[] = Array.isArray(body) ? body : [body];
  return rows.map((row) => {
    if (!isRow(row)) throw badBody("Empty or invalid json", "A body is an object, or a list of objects.");
    return row;
  });
}

function checkStorable(value: unknown): void {
  const unstorable = findUnstorable(value);
  if (unstorable !== undefined) throw unstorableBody(unstorable);
}

function unstorableBody({ path, message }: FieldIssue): TableError {
  const details = `${path} ${message}`.trim();
  return message === UNSTORABLE_TEXT
    ? new TableError(422, "22P05", { message: "unsupported Unicode escape sequence", details })
    : new TableError(422, "22P02", { message: "invalid input syntax for type json", details });
}

function checkSameKeys(rows: readonly Row[]): void {
  const [first, ...others] = rows.map((row) => Object.keys(row).toSorted().join("\0"));
  if (others.some((keys) => keys !== first)) throw badBody("All object keys must match");
}

function checkColumn(table: Table, name: string): void {
  if (!table.columns.has(name)) throw unknownField(table.name, name);
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
