import type { FieldFault } from "./errors.ts";

/** Deeper JSON serves nobody and would exhaust the stack of those who walk it. */
const MAX_DEPTH = 64;

/** A text of a model as it can be stored: each U+0000 and half of a surrogate pair is replaced by U+FFFD. */
export function storableText(text: string): string {
  return text.replaceAll("\0", "\uFFFD").toWellFormed();
}

/** What JSON.stringify makes of them, where it is not a backslash of the text itself. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/;

/**
 * A value as JSON that can be stored, its texts as by {@link storableText}: PostgreSQL takes U+0000 and halves of
 * surrogate pairs into a column of the type json, and then refuses to look into it.
 */
export function storableJson(value: object): string {
  const json = JSON.stringify(value);
  if (!UNSTORABLE.test(json)) return json;
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === "string" ? storableText(part) : part));
}

/**
 * Finds what a JSON value holds that could not be stored as it is: U+0000 and halves of surrogate
 * pairs (PostgreSQL's text has neither), numbers beyond the range of a double, nesting without
 * end, and the name `__proto__` (schemas leave it out). Returns the first such place, or undefined.
 */
export function findUnstorable(value: unknown, path: readonly string[] = []): FieldFault | undefined {
  if (path.length > MAX_DEPTH) {
    return { path: path.slice(0, 1).join("."), message: `must not be nested deeper than ${MAX_DEPTH} levels` };
  }
  if (typeof value === "string" && (value.includes("\0") || !value.isWellFormed())) {
    return { path: path.join("."), message: "must not hold U+0000 or half of a surrogate pair" };
  }
  if (typeof value === "number" && !Number.isFinite(value)) {
    return { path: path.join("."), message: "must be a number that fits a double" };
  }
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, child] of Object.entries(value)) {
    if (key === "__proto__") return { path: path.join("."), message: "must not have a field named __proto__" };
    const fault = findUnstorable(key, path) ?? findUnstorable(child, [...path, key]);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
