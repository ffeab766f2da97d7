import { digitsOf, parseExactly } from "#lib/text/exact-json.ts";
import { isUuid } from "#lib/ids.ts";
import { TableError } from "../errors.ts";
import type { ColumnType } from "../tables.ts";
import { parseArrayLiteral } from "./array-literal.ts";

const INTEGER = /^\s*[+-]?\d+\s*$/u;
const NUMBER = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/iu;

/**
 * Converts a value of a body to the type of its column, as PostgreSQL would: "5" to a number, 5 to a text, "{a,b}" to a
 * list. CSV has texts only, so JSON in them is parsed as well.
 * @throws TableError 22P02.
 */
export function convert(type: ColumnType, value: unknown, from: "json" | "csv"): unknown {
  if (value === null) return null;
  if (type === "jsonb") return from === "csv" ? parsed(type, value) : value;
  if (type === "text[]" || type === "uuid[]") return typeof value === "string" ? parsedList(value) : value;
  if (type === "integer[]") return typeof value === "string" ? parsedList(value).map(integerOf) : value;
  const digits = digitsOf(value);
  if (digits !== undefined) return scalar(type, digits);
  return typeof value === "object" ? malformed(type, value) : scalar(type, value);
}

function scalar(type: ColumnType, value: unknown): unknown {
  const text = String(value);
  switch (type) {
    case "integer":
      return INTEGER.test(text) ? Number(text) : malformed(type, value);
    case "numeric":
    case "double precision":
      return NUMBER.test(text) ? Number(text) : malformed(type, value);
    case "boolean":
      if (["true", "t", "1", "yes", "on"].includes(text.toLowerCase())) return true;
      return ["false", "f", "0", "no", "off"].includes(text.toLowerCase()) ? false : malformed(type, value);
    case "uuid":
      return isUuid(text) ? text.toLowerCase() : malformed(type, value);
    default:
      return text;
  }
}

function parsed(type: ColumnType, value: unknown): unknown {
  try {
    return parseExactly(String(value));
  } catch {
    return malformed(type === "jsonb" ? "json" : type, value);
  }
}

function parsedList(literal: string): readonly (string | null)[] {
  return parseArrayLiteral(literal) ?? malformedList(literal);
}

function integerOf(element: string | null): unknown {
  return element === null ? null : scalar("integer", element);
}

function malformedList(literal: string): never {
  throw new TableError(422, "22P02", { message: `malformed array literal: "${literal}"` });
}

/** @throws TableError 22P02: a value that its column's type cannot hold. */
export function malformed(type: string, value: unknown): never {
  // Infinity is no JSON.
  const shown = typeof value === "string" || typeof value === "number" ? String(value) : JSON.stringify(value);
  throw new TableError(422, "22P02", { message: `invalid input syntax for type ${type}: "${shown}"` });
}
