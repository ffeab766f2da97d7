import type { Embed, Field, PlannedCondition, PlannedOrder, ReadPlan } from "../plan/read.ts";
import { conditionSql, embedName } from "./condition.ts";
import { operandSql } from "./operand.ts";
import type { Values } from "./values.ts";

/** The workspace and the limits of a statement. */
export interface StatementScope {
  readonly workspaceId: string;
  /** Only these rows, by id; undefined for all. */
  readonly ids?: readonly string[] | undefined;
  /** The maximum rows of each table and of each embedded list. */
  readonly maxRows: number;
}

/** The row of the table in the path. */
const ROW = "t";
/** The row of a junction table, inside its own subquery. */
const JUNCTION_ROW = "j";

type Shows = "embeds" | "nothing";

/** Returns `from … where …`: the rows of a plan, with the embedded tables needed to filter or show them. */
export function fromSql(values: Values, plan: ReadPlan, of: StatementScope & { readonly shows: Shows }): string {
  const chosen = of.ids === undefined ? [] : [`${ROW}.id = any(${values.add(of.ids)}::uuid[])`];
  return levelSql(values, plan, { ...of, row: ROW, chosen });
}

/** Returns ` order by …`, or nothing. Without an order, rows requested by id are in the order of their ids. */
export function orderSql(values: Values, plan: ReadPlan, reach: StatementScope): string {
  if (plan.order.length === 0 && reach.ids !== undefined) {
    return ` order by array_position(${values.add(reach.ids)}::uuid[], ${ROW}.id)`;
  }
  return orderBy(values, plan.order, { ...reach, row: ROW });
}

/** Returns the value of a field in the row of the table in the path. */
export function fieldSql(values: Values, field: Field, row = ROW): string {
  return field.kind === "embed" ? `${embedName(field.embed)}.value` : operandSql(values, row, field.operand);
}

/** Returns a JSON object; its names are values of the statement, since callers choose them. */
export function objectSql(values: Values, fields: readonly { readonly name: string; readonly sql: string }[]): string {
  return `json_build_object(${fields.map(({ name, sql }) => `${values.add(name)}::text, ${sql}`).join(", ")})`;
}

/** One table of a plan: the row name, further conditions, and the embedded tables to show. */
interface Level extends StatementScope {
  readonly row: string;
  readonly chosen: readonly string[];
  readonly shows: Shows;
}

function levelSql(values: Values, plan: ReadPlan, level: Level): string {
  const { embeds } = plan;
  const { row, shows } = level;
  const needed = shows === "embeds" ? embeds : embeds.filter((embed) => embed.inner || decides(embed, plan));
  const joins = needed.map(
    (embed) => ` left join lateral (${embedSql(values, embed, level)}) ${embedName(embed)} on true`,
  );
  const isOwn = plan.source === "own";
  const conditions = [
    ...(isOwn ? [tenantSql(values, row, level.workspaceId)] : []),
    ...level.chosen,
    ...embeds.filter(({ inner }) => inner).map((embed) => `${embedName(embed)}.found`),
    ...plan.where.map((condition) => conditionSql(values, row, condition)),
  ];
  return `from table_api.${isOwn ? plan.table.name : "listed_agents"} ${row}${joins.join("")} where ${conditions.join(" and ")}`;
}

function embedSql(values: Values, embed: Embed, parent: StatementScope & { readonly row: string }): string {
  const { relation, read } = embed;
  const row = rowName(embed);
  const object = objectSql(
    values,
    read.fields.map((field) => ({ name: field.name, sql: fieldSql(values, field, row) })),
  );
  const from = embeddedFrom(values, embed, { ...parent, shows: "embeds" });
  if (relation.finds === "one") return `select ${object} as value, true as found ${from} limit 1`;
  const order = orderBy(values, read.order, { ...parent, row });
  const limit = Math.min(read.range.limit ?? parent.maxRows, parent.maxRows);
  return (
    `select coalesce(json_agg(x.value), '[]') as value, count(*) > 0 as found from ` +
    `(select ${object} as value ${from}${order}${limitSql(values, { ...read.range, limit })}) x`
  );
}

function embeddedFrom(values: Values, embed: Embed, parent: Omit<Level, "chosen">): string {
  const row = rowName(embed);
  return levelSql(values, embed.read, { ...parent, row, chosen: [linkSql(values, embed, parent)] });
}

/** Returns the condition that joins an embedded row to its parent. */
function linkSql(values: Values, embed: Embed, parent: StatementScope & { readonly row: string }): string {
  const { own, other, junction } = embed.relation;
  const embedded = `${rowName(embed)}.${other.name}`;
  if (junction === undefined) return `${embedded} = ${parent.row}.${own.name}`;
  const conditions = [
    `${JUNCTION_ROW}.${junction.own.name} = ${parent.row}.${own.name}`,
    tenantSql(values, JUNCTION_ROW, parent.workspaceId),
  ];
  return (
    `${embedded} in (select ${JUNCTION_ROW}.${junction.other.name} ` +
    `from table_api.${junction.table.name} ${JUNCTION_ROW} where ${conditions.join(" and ")})`
  );
}

function orderBy(values: Values, order: readonly PlannedOrder[], level: Omit<Level, "chosen" | "shows">): string {
  if (order.length === 0) return "";
  const keys = order.map((term) => {
    const nulls = term.nulls === undefined ? "" : ` nulls ${term.nulls}`;
    return `${orderKey(values, term, level)} ${term.direction}${nulls}`;
  });
  return ` order by ${keys.join(", ")}`;
}

function orderKey(values: Values, { embed, operand }: PlannedOrder, level: Omit<Level, "chosen" | "shows">): string {
  if (embed === undefined) return operandSql(values, level.row, operand);
  const from = embeddedFrom(values, embed, { ...level, shows: "nothing" });
  return `(select ${operandSql(values, rowName(embed), operand)} ${from} limit 1)`;
}

/** True if rows are filtered by whether this embedded table has rows for them. */
function decides(embed: Embed, { where }: ReadPlan): boolean {
  const asks = (condition: PlannedCondition): boolean =>
    condition.kind === "empty" ? condition.embed === embed : condition.kind !== "test" && condition.parts.some(asks);
  return where.some(asks);
}

/** Returns ` limit … offset …`. */
export function limitSql(values: Values, range: { readonly limit: number; readonly offset: number }): string {
  return ` limit ${values.add(range.limit)}::bigint offset ${values.add(range.offset)}::bigint`;
}

/** Returns the name of an embedded table's row, inside its own subquery. */
function rowName({ index }: Embed): string {
  return `r${index}`;
}

/** Row-level security also filters; the explicit equality lets PostgreSQL use indexes that start with the workspace. */
function tenantSql(values: Values, row: string, workspaceId: string): string {
  return `${row}.workspace_id = ${values.add(workspaceId)}::uuid`;
}
