import type { z } from "zod";
import { AppError } from "#domain/errors.ts";
import { issuesOf } from "#domain/invalid.ts";
import { plainMessage } from "#domain/plain-messages.ts";
import type { Row } from "../body.ts";
import { fromDatabaseError } from "../database-errors.ts";
import { TableError } from "../errors.ts";
import { FOREIGN_KEYS, LIST_REFERENCES } from "../foreign-keys.ts";
import { TABLES } from "../tables.ts";
import { malformed } from "./convert.ts";

/** A column that requires a value. */
export function nullViolation(table: string, column: string): TableError {
  return new TableError(422, "23502", {
    message: `null value in column "${column}" of relation "${table}" violates not-null constraint`,
  });
}

/** A value that violates a rule of its column. */
export function checkViolation(table: string, column: string, rule: string): TableError {
  return new TableError(422, "23514", {
    message: `new row for relation "${table}" violates check constraint "${table}_${column}_check"`,
    details: rule,
  });
}

/** A row of, or for, another workspace. */
export function rowSecurityViolation(table: string): TableError {
  return new TableError(403, "42501", { message: `new row violates row-level security policy for table "${table}"` });
}

/** A reference to a row that does not exist. */
export function referenceViolation(
  table: string,
  key: { readonly constraint: string; readonly column: string; readonly value: unknown; readonly references: string },
): TableError {
  return new TableError(409, "23503", {
    message: `insert or update on table "${table}" violates foreign key constraint "${key.constraint}"`,
    details: `Key (${key.column})=(${String(key.value)}) is not present in table "${key.references}".`,
  });
}

/** Checks a row by the schema of an operation's input. @throws TableError 23502, 22P02 or 23514 for its first issue. */
export function checked<Schema extends z.ZodType>(table: string, schema: Schema, row: Row): z.output<Schema> {
  const parsed = schema.safeParse(row, { error: plainMessage });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const column = String(issue?.path[0] ?? "");
  const value = row[column];
  if (value === undefined || value === null) throw nullViolation(table, column);
  if (issue?.code === "invalid_type" && issue.path.length === 1) {
    malformed(TABLES.get(table)?.columns.get(column)?.type ?? "json", value);
  }
  const [first] = issuesOf(parsed.error);
  const place = first?.path.split(".").slice(1).join(".") ?? "";
  throw checkViolation(table, column, `${place === "" ? "" : `${place}: `}${first?.message ?? ""}`);
}

/** A new row with the id of an existing one. */
export function duplicate(table: string, id: string): TableError {
  return new TableError(409, "23505", {
    message: `duplicate key value violates unique constraint "${table}_pkey"`,
    details: `Key (id)=(${id}) already exists.`,
  });
}

/** Runs the write of one row; reports its rejection as an error of the body. */
export async function reportRejection<T>(table: string, row: Row, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof AppError && error.code === "bad_request") {
      const [column = "row"] = error.details?.[0]?.path.split(".") ?? [];
      const key = [...FOREIGN_KEYS, ...LIST_REFERENCES].find((key) => key.table === table && key.column === column);
      if (key === undefined) throw checkViolation(table, column, error.message);
      throw referenceViolation(table, { ...key, constraint: key.name, value: row[column] });
    }
    throw fromDatabaseError(error, "body") ?? error;
  }
}
