import { badQuery, noAggregates, TableError } from "../errors.ts";
import type { Filter } from "../parse/filter.ts";
import type { Condition } from "../parse/logic.ts";
import type { OrderTerm } from "../parse/order.ts";
import type { ParsedQuery, Scope } from "../parse/query.ts";
import type { RowRange } from "../parse/range.ts";
import type { EmbedItem, SelectItem } from "../parse/select.ts";
import type { Table } from "../tables.ts";
import { planOperand } from "./operand.ts";
import type { Operand } from "./operand.ts";
import { findRelation } from "./relation.ts";
import type { Relation } from "./relation.ts";

/** A field of a record: a value of the row, or an embedded table. */
export type Field = { readonly name: string } & (
  | { readonly kind: "value"; readonly operand: Operand }
  | { readonly kind: "embed"; readonly embed: Embed }
);

/** A condition with resolved names. */
export type PlannedCondition =
  | { readonly kind: "and" | "or"; readonly negated: boolean; readonly parts: readonly PlannedCondition[] }
  | { readonly kind: "test"; readonly negated: boolean; readonly operand: Operand; readonly test: Filter["test"] }
  | { readonly kind: "empty"; readonly negated: boolean; readonly embed: Embed };

/** A key of an order with resolved names; `embed` has the value if the row itself does not. */
export interface PlannedOrder extends Pick<OrderTerm, "direction" | "nulls"> {
  readonly embed: Embed | undefined;
  readonly operand: Operand;
}

/** The data to read from one table. */
export interface ReadPlan {
  readonly table: Table;
  /** Whether the rows are the workspace's own, or the marketplace's: all listed agents. */
  readonly source: "own" | "marketplace";
  readonly fields: readonly Field[];
  readonly embeds: readonly Embed[];
  readonly where: readonly PlannedCondition[];
  readonly order: readonly PlannedOrder[];
  readonly range: RowRange;
}

/** A table embedded in another one's rows. */
export interface Embed {
  /** Its number, unique among the embedded tables of the read. */
  readonly index: number;
  readonly name: string;
  /** The table's name in the query, which can also address it. */
  readonly target: string;
  readonly relation: Relation;
  readonly inner: boolean;
  readonly read: ReadPlan;
}

/** PostgreSQL functions accept a hundred arguments: a name and a value for each field. */
const MAX_FIELDS = 50;
const MAX_EMBEDS = 10;
/** Levels of embedding: `teams?select=team_members(agents(name))` has two. */
const MAX_LEVELS = 3;
const MAX_ORDER = 10;

/** One level of a query: its selection, and its conditions. */
interface Level {
  readonly items: readonly SelectItem[];
  readonly scope: Scope;
  readonly depth: number;
}

/** Numbers the embedded tables of a read. */
type NextIndex = () => number;

/**
 * Resolves the names of a parsed query to a table's columns.
 * @throws TableError 42703, PGRST108, PGRST200, PGRST201 and others for names that the table lacks.
 */
export function planRead(table: Table, query: ParsedQuery): ReadPlan {
  let count = 0;
  const nextIndex = (): number => {
    if (count === MAX_EMBEDS) throw badQuery(`A query embeds at most ${MAX_EMBEDS} tables.`);
    count += 1;
    return count - 1;
  };
  return planLevel(table, { items: query.select, scope: query.root, depth: 0 }, nextIndex);
}

/**
 * Plans a read, as {@link planRead}, but one of the listed agents (`agents?is_marketplace=eq.true`) includes those of all
 * workspaces.
 */
export function planList(table: Table, query: ParsedQuery): ReadPlan {
  const plan = planRead(table, query);
  const isMarketplace = table.name === "agents" && plan.where.some(asksForListed);
  return isMarketplace ? { ...plan, source: "marketplace" } : plan;
}

function asksForListed(condition: PlannedCondition): boolean {
  if (condition.kind !== "test" || condition.negated) return false;
  const { operand, test } = condition;
  if (operand.column.name !== "is_marketplace" || operand.steps.length > 0) return false;
  return test.op === "is" ? test.state === "true" : test.op === "eq" && test.value.trim().toLowerCase() === "true";
}

function planLevel(table: Table, level: Level, nextIndex: NextIndex): ReadPlan {
  const { items, scope } = level;
  const embeds = planEmbeds(table, level, nextIndex);
  const waiting = [...embeds];
  const fields = items.flatMap((item) => planItem(table, item, waiting));
  if (fields.length > MAX_FIELDS) throw badQuery(`A select names at most ${MAX_FIELDS} fields.`);
  if (scope.order.length > MAX_ORDER) throw badQuery(`An order has at most ${MAX_ORDER} keys.`);
  return {
    table,
    source: "own",
    fields,
    embeds,
    where: scope.where.map((condition) => planCondition(table, embeds, condition)),
    order: scope.order.map((term) => planOrder(table, embeds, term)),
    range: scope.range,
  };
}

function planEmbeds(table: Table, { items, scope, depth }: Level, nextIndex: NextIndex): readonly Embed[] {
  const embedded = items
    .filter((item) => item.kind === "embed")
    .map((item) => ({ item, name: item.alias ?? item.target, target: item.target }));
  if (embedded.length > 0 && depth >= MAX_LEVELS) throw badQuery(`Embedding goes at most ${MAX_LEVELS} levels deep.`);
  const scopes = new Map<EmbedItem, Scope>();
  for (const [name, asked] of scope.embeds) {
    const { item } = findEmbed(embedded, name);
    const others = scopes.get(item);
    scopes.set(item, others === undefined ? asked : joinScopes(others, asked));
  }
  return embedded.map(({ item, name, target }) => {
    const relation = findRelation(table, item);
    const level = { items: item.items, scope: scopes.get(item) ?? EMPTY_SCOPE, depth: depth + 1 };
    const index = nextIndex();
    return { index, name, target, relation, inner: item.inner, read: planLevel(relation.table, level, nextIndex) };
  });
}

const EMPTY_SCOPE: Scope = { where: [], order: [], range: { offset: 0, limit: undefined }, embeds: new Map() };

/** Merges the parts of a query that address a table by its alias and by its name. */
function joinScopes(one: Scope, other: Scope): Scope {
  return {
    where: [...one.where, ...other.where],
    order: [...one.order, ...other.order],
    range: { offset: one.range.offset || other.range.offset, limit: one.range.limit ?? other.range.limit },
    embeds: new Map([...one.embeds, ...other.embeds]),
  };
}

function planItem(table: Table, item: SelectItem, waiting: Embed[]): readonly Field[] {
  switch (item.kind) {
    case "all":
      return [...table.columns.keys()].map((column) => ({
        kind: "value",
        name: column,
        operand: planOperand(table, { column, steps: [] }),
      }));
    case "column": {
      // PostgreSQL interprets `count` as count(*) when no column has that name.
      if (item.column === "count" && !table.columns.has("count")) throw noAggregates();
      const key = item.steps.findLast(({ key }) => typeof key === "string")?.key ?? item.column;
      return [{ kind: "value", name: item.alias ?? String(key), operand: planOperand(table, item, item.cast) }];
    }
    case "embed": {
      // The tables are in the order of their items. One that selects nothing only filters.
      const embed = waiting.shift();
      if (embed === undefined || embed.read.fields.length === 0) return [];
      return [{ kind: "embed", name: embed.name, embed }];
    }
  }
}

function planCondition(table: Table, embeds: readonly Embed[], condition: Condition): PlannedCondition {
  const { kind, negated } = condition;
  if (kind !== "filter") {
    return { kind, negated, parts: condition.parts.map((part) => planCondition(table, embeds, part)) };
  }
  const { path, test } = condition;
  const embed = path.steps.length === 0 && !table.columns.has(path.column) && lookUpEmbed(embeds, path.column);
  if (embed && test.op === "is" && (test.state === "null" || test.state === "not_null")) {
    return { kind: "empty", negated: negated !== (test.state === "not_null"), embed };
  }
  return { kind: "test", negated, operand: planOperand(table, path), test };
}

function planOrder(table: Table, embeds: readonly Embed[], term: OrderTerm): PlannedOrder {
  const { direction, nulls, path } = term;
  if (term.embed === undefined) return { direction, nulls, embed: undefined, operand: planOperand(table, path) };
  const embed = findEmbed(embeds, term.embed);
  if (embed.relation.finds === "many") {
    throw new TableError(400, "PGRST118", {
      message: `A related order on '${term.embed}' is not possible`,
      details: `'${table.name}' and '${term.embed}' do not form a many-to-one or one-to-one relationship`,
    });
  }
  return { direction, nulls, embed, operand: planOperand(embed.relation.table, path) };
}

/** The names that address an embedded table. */
type Addressed = Pick<Embed, "name" | "target">;

function findEmbed<T extends Addressed>(embeds: readonly T[], name: string): T {
  const embed = lookUpEmbed(embeds, name);
  if (embed !== undefined) return embed;
  throw new TableError(400, "PGRST108", {
    message: `'${name}' is not an embedded resource in this request`,
    hint: `Verify that '${name}' is included in the 'select' query parameter.`,
  });
}

/** Finds an embedded table by its alias, or by its own name, even if it has an alias. */
function lookUpEmbed<T extends Addressed>(embeds: readonly T[], name: string): T | undefined {
  return embeds.find((embed) => embed.name === name) ?? embeds.find((embed) => embed.target === name);
}
