import { readFilter } from "./filter.ts";
import type { Filter } from "./filter.ts";
import { readPath } from "./path.ts";
import { Scanner } from "./scanner.ts";

/** Several conditions, of which all or one must hold. */
export interface Group {
  readonly kind: "and" | "or";
  readonly negated: boolean;
  readonly parts: readonly Condition[];
}

/** A condition on a row. */
export type Condition = Filter | Group;

const MAX_DEPTH = 10;
const GROUP = /((?:and|or)(?= *\())/uy;

/** Parses the parameters `and`, `or`, `not.and` and `not.or`: `(a.eq.1,or(b.eq.2,c.is.null))`. @throws TableError PGRST100. */
export function parseLogic(head: { readonly kind: "and" | "or"; readonly negated: boolean }, text: string): Group {
  const scanner = new Scanner("logic tree", text);
  const group = readGroup(scanner, head, 1);
  scanner.skipBlanks();
  scanner.end();
  return group;
}

function readGroup(scanner: Scanner, head: Pick<Group, "kind" | "negated">, depth: number): Group {
  scanner.skipBlanks();
  scanner.expect("(");
  if (depth > MAX_DEPTH) scanner.fail(`at most ${MAX_DEPTH} levels`);
  const parts: Condition[] = [];
  do {
    scanner.skipBlanks();
    parts.push(readCondition(scanner, depth));
    scanner.skipBlanks();
  } while (scanner.accept(","));
  scanner.expect(")");
  return { ...head, parts };
}

function readCondition(scanner: Scanner, depth: number): Condition {
  const start = scanner.mark();
  const negated = scanner.accept("not.");
  const kind = scanner.match(GROUP);
  if (kind === "and" || kind === "or") return readGroup(scanner, { kind, negated }, depth + 1);
  scanner.reset(start);
  const path = readPath(scanner);
  scanner.expect(".");
  return readFilter(scanner, path, "group");
}
