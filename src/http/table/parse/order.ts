import { readPath } from "./path.ts";
import type { Path } from "./path.ts";
import { Scanner } from "./scanner.ts";

/** One key of an order: a column, or a column of an embedded table: `agents(name)`. */
export interface OrderTerm {
  readonly embed: string | undefined;
  readonly path: Path;
  readonly direction: "asc" | "desc";
  readonly nulls: "first" | "last" | undefined;
}

const DIRECTION = /\.(asc|desc)(?![a-z])/uy;
const NULLS = /\.nulls(first|last)/uy;

/** Parses the parameter `order`: `name.desc.nullslast,created_at`. @throws TableError PGRST100. */
export function parseOrder(text: string): readonly OrderTerm[] {
  const scanner = new Scanner("order", text);
  const terms: OrderTerm[] = [];
  do terms.push(readTerm(scanner));
  while (scanner.accept(","));
  scanner.end();
  return terms;
}

function readTerm(scanner: Scanner): OrderTerm {
  const path = readPath(scanner);
  const embedded = path.steps.length === 0 && scanner.accept("(");
  const inside = embedded ? readPath(scanner) : undefined;
  if (embedded) scanner.expect(")");
  const direction = scanner.match(DIRECTION) === "desc" ? "desc" : "asc";
  const nulls = scanner.match(NULLS);
  return {
    embed: inside === undefined ? undefined : path.column,
    path: inside ?? path,
    direction,
    nulls: nulls === "first" || nulls === "last" ? nulls : undefined,
  };
}
