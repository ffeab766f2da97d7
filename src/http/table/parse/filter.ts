import type { Path } from "./path.ts";
import { Scanner } from "./scanner.ts";

/** Operators that compare with one value, with their SQL. */
export const COMPARISONS = {
  eq: "=",
  neq: "<>",
  gt: ">",
  gte: ">=",
  lt: "<",
  lte: "<=",
  like: "like",
  ilike: "ilike",
  match: "~",
  imatch: "~*",
  isdistinct: "is distinct from",
  cs: "@>",
  cd: "<@",
  ov: "&&",
} as const;

/** The operators of full-text search, with the functions that parse their queries. */
export const TEXT_SEARCHES = {
  fts: "to_tsquery",
  plfts: "plainto_tsquery",
  phfts: "phraseto_tsquery",
  wfts: "websearch_to_tsquery",
} as const;

/** The operands of `is`, with their SQL. */
export const STATES = {
  null: "null",
  not_null: "not null",
  true: "true",
  false: "false",
  unknown: "unknown",
} as const;

/** An operator with its value. */
export type Test =
  | { readonly op: keyof typeof COMPARISONS; readonly quantifier: "any" | "all" | undefined; readonly value: string }
  | { readonly op: keyof typeof TEXT_SEARCHES; readonly language: string | undefined; readonly value: string }
  | { readonly op: "in"; readonly values: readonly string[] }
  | { readonly op: "is"; readonly state: keyof typeof STATES };

/** One condition on one column. */
export interface Filter {
  readonly kind: "filter";
  readonly negated: boolean;
  readonly path: Path;
  readonly test: Test;
}

/** The end of a value: that of the parameter, or inside `or=(…)` the next comma or bracket. */
type Within = "parameter" | "group";

const OPERATOR = /[a-z]+/uy;
const QUANTIFIED: ReadonlySet<string> = new Set(["eq", "like", "ilike", "gt", "gte", "lt", "lte", "match", "imatch"]);
const LANGUAGE = /\w+/uy;
const ELEMENT = /[^,)]*/uy;
const ARRAY = /\{[^{}]*\}/uy;
const EXPECTED = `"not" or operator (${[...Object.keys(COMPARISONS), "in", "is", ...Object.keys(TEXT_SEARCHES)].join(", ")})`;

/** Parses the value of a column's parameter, such as `not.gte.5`. @throws TableError PGRST100. */
export function parseFilter(path: Path, text: string): Filter {
  const scanner = new Scanner("filter", text);
  const filter = readFilter(scanner, path, "parameter");
  scanner.end();
  return filter;
}

/** Parses an operator with its value, and a leading `not.`. */
export function readFilter(scanner: Scanner, path: Path, within: Within): Filter {
  const negated = scanner.accept("not.");
  return { kind: "filter", negated, path, test: readTest(scanner, within) };
}

function readTest(scanner: Scanner, within: Within): Test {
  const start = scanner.mark();
  const op = scanner.match(OPERATOR) ?? "";
  if (isKeyOf(COMPARISONS, op)) {
    const quantifier = QUANTIFIED.has(op) ? readQuantifier(scanner) : undefined;
    scanner.expect(".");
    return { op, quantifier, value: readValue(scanner, within) };
  }
  if (isKeyOf(TEXT_SEARCHES, op)) {
    const language = scanner.accept("(") ? (scanner.match(LANGUAGE) ?? scanner.fail("a language")) : undefined;
    if (language !== undefined) scanner.expect(")");
    scanner.expect(".");
    return { op, language, value: readValue(scanner, within) };
  }
  if (op === "in") return { op, values: readList(scanner) };
  if (op === "is") return { op, state: readState(scanner, within) };
  scanner.reset(start);
  return scanner.fail(EXPECTED);
}

function readQuantifier(scanner: Scanner): "any" | "all" | undefined {
  if (scanner.accept("(any)")) return "any";
  return scanner.accept("(all)") ? "all" : undefined;
}

function readValue(scanner: Scanner, within: Within): string {
  if (within === "parameter") return scanner.rest();
  return scanner.quoted() ?? scanner.match(ARRAY) ?? scanner.match(ELEMENT) ?? "";
}

function readList(scanner: Scanner): readonly string[] {
  scanner.expect(".(");
  if (scanner.accept(")")) return [];
  const values: string[] = [];
  do values.push(scanner.quoted() ?? scanner.match(ARRAY) ?? scanner.match(ELEMENT) ?? "");
  while (scanner.accept(","));
  scanner.expect(")");
  return values;
}

function readState(scanner: Scanner, within: Within): keyof typeof STATES {
  scanner.expect(".");
  const start = scanner.mark();
  const state = readValue(scanner, within).toLowerCase();
  if (isKeyOf(STATES, state)) return state;
  scanner.reset(start);
  return scanner.fail("null, not_null, true, false or unknown");
}

function isKeyOf<Key extends string>(record: Readonly<Record<Key, unknown>>, key: string): key is Key {
  return Object.hasOwn(record, key);
}
