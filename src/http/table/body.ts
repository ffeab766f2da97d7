import { findUnstorable } from "#domain/storable.ts";
import { badBody, TableError, unknownField } from "./errors.ts";
import { parseCsv } from "./parse/csv.ts";
import type { Table } from "./tables.ts";

/** The fields of a row, as a body gives them. */
export type Row = Readonly<Record<string, unknown>>;

/** How a body is to be understood. */
export interface BodyOptions {
  readonly contentType: string | undefined;
  /** The columns that count, of each row; undefined: those that the rows have. */
  readonly columns: readonly string[] | undefined;
  /** What a row gets for one of `columns` that it does not have. */
  readonly missing: "default" | "null";
}

/** The rows of a body: JSON, one object or a list of them, or CSV. @throws TableError PGRST102, PGRST204. */
export function readRows(table: Table, text: string, options: BodyOptions): readonly Row[] {
  const rows = isCsv(options.contentType) ? parseCsv(text) : parseJson(text);
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

/** The arguments of a function: a JSON object, or nothing at all. @throws TableError PGRST102. */
export function parseArguments(text: string): Row {
  const [args = {}, ...others] = text === "" ? [] : parseJson(text);
  if (others.length > 0) throw badBody("Empty or invalid json", "Arguments are one object.");
  checkStorable(args);
  return args;
}

/** Whether a body is CSV; JSON is what it is otherwise. @throws TableError PGRST102 for any other type. */
export function isCsv(contentType: string | undefined): boolean {
  const [type = ""] = (contentType ?? "").split(";");
  const media = type.trim().toLowerCase();
  if (media === "text/csv") return true;
  // A client that sends a text without saying what it is means JSON: fetch calls it text/plain.
  if (["", "application/json", "text/plain"].includes(media)) return false;
  if (media.startsWith("application/") && media.endsWith("+json")) return false;
  throw badBody(`Content-Type not acceptable: ${type.trim()}`);
}

function parseJson(text: string): readonly Row[] {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw badBody("Empty or invalid json");
  }
  const rows: readonly unknown[] = Array.isArray(body) ? body : [body];
  return rows.map((row) => {
    if (!isRow(row)) throw badBody("Empty or invalid json", "A body is an object, or a list of objects.");
    return row;
  });
}

function checkStorable(value: unknown): void {
  const unstorable = findUnstorable(value);
  if (unstorable === undefined) return;
  throw new TableError(422, "22P05", {
    message: "unsupported Unicode escape sequence",
    details: `${unstorable.path} ${unstorable.message}`,
  });
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
