import type { FieldIssue } from "./errors.ts";

/** Deeper JSON serves nobody and would exhaust the stack of those who walk it. */
const MAX_DEPTH = 64;
/** Checking and storing more of them costs far more than a body of their length otherwise does. */
const MAX_VALUES = 100_000;

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
 * end, more than {@link MAX_VALUES} values, and the name `__proto__` (schemas leave it out). Returns the first such
 * place, or undefined.
 */
export function findUnstorable(value: unknown): FieldIssue | undefined {
  // One for the whole walk: a path of its own for each value would cost more than all else.
  const path: string[] = [];
  let values = 0;

  function find(part: unknown): FieldIssue | undefined {
    values += 1;
    if (values > MAX_VALUES) return { path: "", message: `must not hold more than ${MAX_VALUES} values` };
    if (path.length > MAX_DEPTH) {
      return { path: path[0] ?? "", message: `must not be nested deeper than ${MAX_DEPTH} levels` };
    }
    if (typeof part === "string") return findInText(part);
    if (typeof part === "number" && !Number.isFinite(part)) {
      return { path: path.join("."), message: "must be a number that fits a double" };
    }
    return typeof part === "object" && part !== null ? findInside(part) : undefined;
  }

  function findInside(part: object): FieldIssue | undefined {
    for (const [key, child] of Object.entries(part)) {
      if (key === "__proto__") return { path: path.join("."), message: "must not have a field named __proto__" };
      const inName = findInText(key);
      if (inName !== undefined) return inName;
      path.push(key);
      const inChild = find(child);
      if (inChild !== undefined) return inChild;
      path.pop();
    }
    return undefined;
  }

  function findInText(text: string): FieldIssue | undefined {
    if (!text.includes("\0") && text.isWellFormed()) return undefined;
    return { path: path.join("."), message: "must not hold U+0000 or half of a surrogate pair" };
  }

  return find(value);
}
