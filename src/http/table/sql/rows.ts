import type { Embed, Field, PlannedCondition, PlannedOrder, ReadPlan } from "../plan/read.ts";
import { conditionSql, embedName } from "./condition.ts";
import { operandSql } from "./operand.ts";
import type { Values } from "./values.ts";

/** Behind which wall, and how far, a statement reads. */
export interface Reach {
  /** undefined: row security alone is the wall, for estimates that must not count it twice. */
  readonly workspaceId: string | undefined;
  /** Only these rows, by id; undefined: all. */
  readonly ids?: readonly string[] | undefined;
  /** The most rows of each table and of each embedded list. */
  readonly maxRows: number;
}

/** The row of the table in the path. */
const ROW = "t";
/** The row of an embedded table, inside of its own subquery. */
const EMBEDDED_ROW = "r";

/** `from … where …`: the rows that a plan chooses, with the embedded tables that are needed to choose or show them. */
export function fromSql(values: Values, plan: ReadPlan, of: Reach & { readonly shows: "embeds" | "nothing" }): string {
  const { embeds, table } = plan;
  const needed = of.shows === "embeds" ? embeds : embeds.filter((embed) => embed.inner || decides(embed, plan));
  const joins = needed.map(
    (embed) => ` left join lateral (${embedSql(values, embed, of)}) ${embedName(embed)} on true`,
  );
  const conditions = [
    wall(values, ROW, of.workspaceId),
    ...(of.ids === undefined ? [] : [`${ROW}.id = any(${values.add(of.ids)}::uuid[])`]),
    ...embeds.filter(({ inner }) => inner).map((embed) => `${embedName(embed)}.found`),
    ...plan.where.map((condition) => conditionSql(values, ROW, condition)),
  ];
  return `from table_api.${table.name} ${ROW}${joins.join("")} where ${conditions.join(" and ")}`;
}

/** ` order by …`, or nothing. Without an order, rows that were asked for by id come in the order of their ids. */
export function orderSql(values: Values, plan: ReadPlan, { workspaceId, ids }: Reach): string {
  if (plan.order.length === 0 && ids !== undefined) {
    return ` order by array_position(${values.add(ids)}::uuid[], ${ROW}.id)`;
  }
  return orderBy(plan.order, ({ embed, operand }) => {
    if (embed === undefined) return operandSql(values, ROW, operand);
    return `(select ${operandSql(values, EMBEDDED_ROW, operand)} ${embeddedFrom(values, embed, workspaceId)} limit 1)`;
  });
}

/** The value of a field in the row of the table in the path. */
export function fieldSql(values: Values, field: Field): string {
  return field.kind === "embed" ? `${embedName(field.embed)}.value` : operandSql(values, ROW, field.operand);
}

/** A JSON object: the names as values of the statement, since callers choose them. */
export function objectSql(values: Values, fields: readonly { readonly name: string; readonly sql: string }[]): string {
  return `json_build_object(${fields.map(({ name, sql }) => `${values.add(name)}::text, ${sql}`).join(", ")})`;
}

function embedSql(values: Values, embed: Embed, { workspaceId, maxRows }: Reach): string {
  const { relation, read } = embed;
  const fields = read.fields.flatMap((field) => {
    if (field.kind === "embed") return [];
    return [{ name: field.name, sql: operandSql(values, EMBEDDED_ROW, field.operand) }];
  });
  const object = objectSql(values, fields);
  const from = embeddedFrom(values, embed, workspaceId);
  if (relation.finds === "one") return `select ${object} as value, true as found ${from} limit 1`;
  const order = orderBy(read.order, ({ operand }) => operandSql(values, EMBEDDED_ROW, operand));
  const limit = Math.min(read.range.limit ?? maxRows, maxRows);
  return (
    `select coalesce(json_agg(x.value), '[]') as value, count(*) > 0 as found from ` +
    `(select ${object} as value ${from}${order}${limitSql(values, { ...read.range, limit })}) x`
  );
}

function embeddedFrom(values: Values, { relation, read }: Embed, workspaceId: string | undefined): string {
  const conditions = [
    `${EMBEDDED_ROW}.${relation.other.name} = ${ROW}.${relation.own.name}`,
    wall(values, EMBEDDED_ROW, workspaceId),
    ...read.where.map((condition) => conditionSql(values, EMBEDDED_ROW, condition)),
  ];
  return `from table_api.${read.table.name} ${EMBEDDED_ROW} where ${conditions.join(" and ")}`;
}

function orderBy(order: readonly PlannedOrder[], valueOf: (term: PlannedOrder) => string): string {
  if (order.length === 0) return "";
  const keys = order.map((term) => {
    const nulls = term.nulls === undefined ? "" : ` nulls ${term.nulls}`;
    return `${valueOf(term)} ${term.direction}${nulls}`;
  });
  return ` order by ${keys.join(", ")}`;
}

/** Whether rows are chosen by having something in this embedded table, or nothing. */
function decides(embed: Embed, { where }: ReadPlan): boolean {
  const asks = (condition: PlannedCondition): boolean =>
    condition.kind === "empty" ? condition.embed === embed : condition.kind !== "test" && condition.parts.some(asks);
  return where.some(asks);
}

/** ` limit … offset …`. */
export function limitSql(values: Values, range: { readonly limit: number; readonly offset: number }): string {
  return ` limit ${values.add(range.limit)}::bigint offset ${values.add(range.offset)}::bigint`;
}

/** Row security filters anyway; an equation lets PostgreSQL use the indexes that begin with the workspace. */
function wall(values: Values, row: string, workspaceId: string | undefined): string {
  if (workspaceId === undefined) return "true";
  return `${row}.workspace_id = ${values.add(workspaceId)}::uuid`;
}
