import { badQuery, TableError } from "../errors.ts";
import { parseFilter } from "./filter.ts";
import { parseLogic } from "./logic.ts";
import type { Condition } from "./logic.ts";
import { parseOrder } from "./order.ts";
import type { OrderTerm } from "./order.ts";
import { readPath } from "./path.ts";
import { parseRange } from "./range.ts";
import type { RowRange } from "./range.ts";
import { Scanner } from "./scanner.ts";
import { parseSelect } from "./select.ts";
import type { SelectItem } from "./select.ts";

/** The part of a query for one table: the one in the path, or an embedded one. */
export interface Scope {
  readonly where: readonly Condition[];
  readonly order: readonly OrderTerm[];
  readonly range: RowRange;
  /** The parts for the tables embedded in this one, by name or alias. */
  readonly embeds: ReadonlyMap<string, Scope>;
}

/** A parsed query string; its names are not checked against the tables yet. */
export interface ParsedQuery {
  readonly select: readonly SelectItem[];
  readonly root: Scope;
  readonly columns: readonly string[] | undefined;
  readonly onConflict: readonly string[] | undefined;
}

/** Longer query strings are rejected. */
export const MAX_QUERY_LENGTH = 12_000;
const MAX_PARAMETERS = 100;
/** The plan rejects deeper embedding; here, only the recursion is limited. */
const MAX_DEPTH = 10;
const GROUP = /^(not\.)?(and|or)$/u;

interface Draft {
  readonly embeds: Map<string, Draft>;
  readonly where: Condition[];
  order: readonly OrderTerm[];
  limit: string | null;
  offset: string | null;
}

/** Parses a query string. @throws TableError PGRST100 or PGRST103, and PT414 for one that is too long. */
export function parseQuery(search: URLSearchParams): ParsedQuery {
  checkSize(search);
  const root = emptyDraft();
  for (const [key, value] of search) {
    if (key === "select" || key === "columns" || key === "on_conflict") continue;
    const { draft, name } = descend(root, key);
    addTo(draft, name, value);
  }
  return {
    select: parseSelect(search.get("select") ?? ""),
    root: scopeOf(root),
    columns: namesIn("columns", search.get("columns")),
    onConflict: namesIn("on_conflict", search.get("on_conflict")),
  };
}

function checkSize(search: URLSearchParams): void {
  if (search.toString().length > MAX_QUERY_LENGTH) {
    throw new TableError(414, "PT414", { message: `The query string is longer than ${MAX_QUERY_LENGTH} characters.` });
  }
  if (search.size > MAX_PARAMETERS) throw badQuery(`A query has at most ${MAX_PARAMETERS} parameters.`);
  for (const [key, value] of search) {
    if (key.includes("\0") || value.includes("\0")) throw badQuery("A query cannot contain U+0000.");
  }
}

/** Follows the embedded tables at the start of a key, as in `team_members.agents.name` and `agents.not.or`. */
function descend(root: Draft, key: string): { readonly draft: Draft; readonly name: string } {
  const scanner = new Scanner("parameter name", key);
  let draft = root;
  let name = key;
  for (let depth = 0; !GROUP.test(name); depth += 1) {
    const embed = scanner.name();
    if (!scanner.accept(".")) break;
    if (depth >= MAX_DEPTH) scanner.fail(`at most ${MAX_DEPTH} levels`);
    const inner = draft.embeds.get(embed) ?? emptyDraft();
    draft.embeds.set(embed, inner);
    draft = inner;
    name = key.slice(scanner.mark());
  }
  return { draft, name };
}

function addTo(draft: Draft, name: string, value: string): void {
  const [, not, kind] = GROUP.exec(name) ?? [];
  if (kind === "and" || kind === "or") {
    draft.where.push(parseLogic({ kind, negated: not !== undefined }, value));
  } else if (name === "order") {
    draft.order = value === "" ? [] : parseOrder(value);
  } else if (name === "limit" || name === "offset") {
    draft[name] = value;
  } else {
    const scanner = new Scanner("parameter name", name);
    const path = readPath(scanner);
    scanner.end();
    draft.where.push(parseFilter(path, value));
  }
}

function scopeOf({ embeds, where, order, limit, offset }: Draft): Scope {
  const inner = new Map([...embeds].map(([name, draft]) => [name, scopeOf(draft)]));
  return { where, order, range: parseRange(limit, offset), embeds: inner };
}

function emptyDraft(): Draft {
  return { embeds: new Map(), where: [], order: [], limit: null, offset: null };
}

function namesIn(what: string, text: string | null): readonly string[] | undefined {
  if (text === null || text === "") return undefined;
  const scanner = new Scanner(`${what} parameter`, text);
  const names: string[] = [];
  do names.push(scanner.name());
  while (scanner.accept(","));
  scanner.end();
  return names;
}
