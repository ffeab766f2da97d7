import { noAggregates } from "../errors.ts";
import { readSteps } from "./path.ts";
import type { JsonStep } from "./path.ts";
import { Scanner } from "./scanner.ts";

/** One item of `select`. */
export type SelectItem =
  | { readonly kind: "all" }
  | {
      readonly kind: "column";
      readonly alias: string | undefined;
      readonly column: string;
      readonly steps: readonly JsonStep[];
      readonly cast: string | undefined;
    }
  | EmbedItem;

/** A table to embed: `alias:target!hint!inner(items)`. */
export interface EmbedItem {
  readonly kind: "embed";
  readonly alias: string | undefined;
  readonly target: string;
  readonly hint: string | undefined;
  /** Excludes rows without an embedded row. */
  readonly inner: boolean;
  readonly items: readonly SelectItem[];
}

/** The plan rejects deeper nesting; here, only the recursion is limited. */
const MAX_DEPTH = 10;
const AGGREGATE = /\.(?:sum|avg|min|max|count)\(\)/uy;

/** Parses the parameter `select`; an empty one means all columns. @throws TableError PGRST100. */
export function parseSelect(text: string): readonly SelectItem[] {
  const scanner = new Scanner("select parameter", text);
  if (text === "") return [{ kind: "all" }];
  const items = readItems(scanner, 1);
  scanner.end();
  return items;
}

function readItems(scanner: Scanner, depth: number): readonly SelectItem[] {
  const items: SelectItem[] = [];
  do items.push(readItem(scanner, depth));
  while (scanner.accept(","));
  return items;
}

function readItem(scanner: Scanner, depth: number): SelectItem {
  if (scanner.accept("*")) return { kind: "all" };
  if (scanner.sees("...")) scanner.fail("a column or a table; spreading is not supported");
  const first = scanner.name();
  const aliased = scanner.sees(":") && !scanner.sees("::");
  if (aliased) scanner.expect(":");
  const alias = aliased ? first : undefined;
  const name = aliased ? scanner.name() : first;
  if (scanner.sees("!") || scanner.sees("(")) return readEmbed(scanner, { alias, target: name, depth });
  const steps = readSteps(scanner);
  const cast = scanner.accept("::") ? scanner.name() : undefined;
  if (scanner.match(AGGREGATE) !== undefined) throw noAggregates();
  return { kind: "column", alias, column: name, steps, cast };
}

function readEmbed(
  scanner: Scanner,
  of: { readonly alias: string | undefined; readonly target: string; readonly depth: number },
): EmbedItem {
  const { alias, target, depth } = of;
  let hint: string | undefined;
  let inner = false;
  while (scanner.accept("!")) {
    const word = scanner.name();
    if (word === "inner") inner = true;
    else if (word !== "left") hint = word;
  }
  scanner.expect("(");
  if (depth >= MAX_DEPTH) scanner.fail(`at most ${MAX_DEPTH} levels`);
  const items = scanner.sees(")") ? [] : readItems(scanner, depth + 1);
  scanner.expect(")");
  if (target === "count" && items.length === 0) throw noAggregates();
  return { kind: "embed", alias, target, hint, inner, items };
}
