import { countJsonValues } from "#lib/text/count-json-values.ts";
import type { FieldIssue } from "./errors.ts";
import { digitsOf, hasLongIntegers } from "#lib/text/exact-json.ts";

/** Deeper JSON has no practical use and would exhaust the stack of recursive functions. */
const MAX_DEPTH = 64;
/** More values of a body cost far more to validate and store than its length suggests. */
export const MAX_VALUES = 50_000;
/** The same for messages of protocols, which are converted several times. */
export const MAX_MESSAGE_VALUES = 25_000;

const MANY_FIELDS = 1_000;
/** Of parsed objects with many fields: V8 needs nearly as long to list tens of thousands of names as to parse them. */
const fieldCounts = new WeakMap<object, number>();

/** How many fields an object of a body has. */
export function countFields(value: object): number {
  return fieldCounts.get(value) ?? Object.keys(value).length;
}

/** The issue of a text that {@link findUnstorable} finds. */
export const UNSTORABLE_TEXT = "must not contain U+0000 or unpaired surrogates";

/** Makes a model's text storable: replaces each U+0000 and unpaired surrogate by U+FFFD. */
export function storableText(text: string): string {
  return text.replaceAll("\0", "\uFFFD").toWellFormed();
}

/** JSON.stringify's escapes of them, unless the backslash belongs to the text itself. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/;

/**
 * Returns a value as storable JSON, with texts as by {@link storableText}: PostgreSQL accepts U+0000 and unpaired
 * surrogates in a json column, but then fails to read it.
 */
export function storableJson(value: object): string {
  const json = JSON.stringify(value);
  if (!UNSTORABLE.test(json)) return json;
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === "string" ? storableText(part) : part));
}

/** The issue of a JSON text with more values than this; ask before parsing it. */
export function findOversize(json: string, most = MAX_VALUES): FieldIssue | undefined {
  return countJsonValues(json, most) > most ? tooMany(most) : undefined;
}

/** The same for a text that `parseExactly` is to parse: long integers make it four times as expensive. */
export function findOversizeExactly(json: string): FieldIssue | undefined {
  if (!hasLongIntegers(json)) return findOversize(json);
  const issue = findOversize(json, MAX_MESSAGE_VALUES);
  return issue && { ...issue, message: `${issue.message} if there are integers of 16 digits or more` };
}

function tooMany(most: number): FieldIssue {
  return { path: "", message: `must not contain more than ${most} values` };
}

/**
 * Finds the first part of a JSON value that cannot be stored: U+0000 and unpaired surrogates (PostgreSQL's text has
 * neither), numbers beyond the range of a double, excessive nesting, more than {@link MAX_VALUES} values, and the name
 * `__proto__` (schemas drop it). Returns undefined if there is none.
 */
export function findUnstorable(value: unknown): FieldIssue | undefined {
  // Shared by the whole traversal: a path for each value would dominate the cost.
  const path: string[] = [];
  let values = 0;

  function find(part: unknown): FieldIssue | undefined {
    values += 1;
    if (values > MAX_VALUES) return tooMany(MAX_VALUES);
    if (path.length > MAX_DEPTH) {
      return { path: path[0] ?? "", message: `must not be nested deeper than ${MAX_DEPTH} levels` };
    }
    if (typeof part === "string") return findInText(part);
    const digits = digitsOf(part);
    if (digits !== undefined) return find(Number(digits));
    if (typeof part === "number" && !Number.isFinite(part)) {
      return { path: path.join("."), message: "must be within the range of a double" };
    }
    return typeof part === "object" && part !== null ? findInside(part) : undefined;
  }

  function findInside(part: object): FieldIssue | undefined {
    // The entries of an object with very many fields cost three times as much.
    const keys = Object.keys(part);
    if (keys.length > MANY_FIELDS) fieldCounts.set(part, keys.length);
    for (const key of keys) {
      if (key === "__proto__") return { path: path.join("."), message: "must not have a field named __proto__" };
      const inName = findInText(key);
      if (inName !== undefined) return inName;
      path.push(key);
      const inChild = find(Reflect.get(part, key));
      if (inChild !== undefined) return inChild;
      path.pop();
    }
    return undefined;
  }

  function findInText(text: string): FieldIssue | undefined {
    if (!text.includes("\0") && text.isWellFormed()) return undefined;
    return { path: path.join("."), message: UNSTORABLE_TEXT };
  }

  return find(value);
}
