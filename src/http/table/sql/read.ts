import type { Operand } from "../plan/operand.ts";
import type { Field, ReadPlan } from "../plan/read.ts";
import { fieldSql, fromSql, limitSql, objectSql, orderSql } from "./rows.ts";
import type { StatementScope } from "./rows.ts";
import { Values } from "./values.ts";

/** A statement for {@link Transaction.queryOnce}, without its time limit. */
export interface BuiltStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The format of the rows. */
export type Form = "json" | "json-without-nulls" | "csv";

/** How to read the rows of a list, at most `maxRows`. */
export interface ReadOptions extends StatementScope {
  readonly form: Form;
  /** Whether cells that look like formulas are prefixed with an apostrophe. */
  readonly escapesFormulas: boolean;
  readonly withTotal: boolean;
}

/**
 * Builds the statement of a read. Its one row has `body` (the formatted rows; null if longer than `maxBytes`), `length`
 * (their number) and `total` (the number without limit and offset; null unless requested).
 */
export function readSql(plan: ReadPlan, options: ReadOptions & { readonly maxBytes: number }): BuiltStatement {
  const values = new Values();
  const limit = Math.min(plan.range.limit ?? options.maxRows, options.maxRows);
  const columns = plan.fields.map((field, index) => `${shownSql(values, field, options)} as c${index}`);
  const from = fromSql(values, plan, { ...options, shows: "embeds" });
  const order = orderSql(values, plan, options);
  const page = `select ${columns.join(", ")} ${from}${order}${limitSql(values, { offset: plan.range.offset, limit })}`;
  const body = options.form === "csv" ? CSV_BODY : jsonBody(values, plan.fields, options.form);
  const total = options.withTotal
    ? `(select count(*) ${fromSql(values, plan, { ...options, shows: "nothing" })})`
    : "null";
  const text =
    `with page as (${page}), answer as (select ${body} as body, count(*) as length from page) ` +
    `select case when octet_length(body) <= ${values.add(options.maxBytes)}::integer then body end as body, ` +
    `length::integer as length, ${total}::integer as total from answer`;
  return { text, values: values.list };
}

/** Builds the statement that counts the rows of a plan, without limit and offset, up to `stopAt`. */
export function countSql(plan: ReadPlan, options: StatementScope & { readonly stopAt: number }): BuiltStatement {
  const values = new Values();
  const from = fromSql(values, plan, { ...options, shows: "nothing" });
  const text = `select count(*)::integer as total from (select true ${from} limit ${values.add(options.stopAt)}::bigint) x`;
  return { text, values: values.list };
}

/**
 * Builds the statement that finds the ids of a plan's rows, in the plan's order; one more than `maxRows`, to detect
 * more.
 */
export function idsSql(plan: ReadPlan, reach: StatementScope): BuiltStatement {
  const values = new Values();
  const from = fromSql(values, plan, { ...reach, shows: "nothing" });
  const limit = Math.min(plan.range.limit ?? reach.maxRows + 1, reach.maxRows + 1);
  const order = orderSql(values, plan, reach);
  return {
    text: `select t.id ${from}${order}${limitSql(values, { offset: plan.range.offset, limit })}`,
    values: values.list,
  };
}

const BACKSLASH = "chr(92)";
/** A row in PostgreSQL's text format is a line of CSV in brackets, with each backslash doubled. */
const CSV_LINE = `replace(substring(page::text from 2 for length(page::text) - 2), repeat(${BACKSLASH}, 2), ${BACKSLASH})`;
const CSV_BODY = `coalesce(string_agg(${CSV_LINE}, chr(10)), '')`;

/** Matches a cell that looks like a formula, and its prefix. */
const FORMULA = ["^(?=[-=+@\\t\\r])", "'"] as const;

function shownSql(values: Values, field: Field, { form, escapesFormulas }: ReadOptions): string {
  const sql = fieldSql(values, field);
  if (form !== "csv" || !escapesFormulas || field.kind === "embed" || !isText(field.operand)) return sql;
  const [pattern, replacement] = FORMULA;
  return `regexp_replace(${sql}, ${values.add(pattern)}::text, ${values.add(replacement)}::text)`;
}

function isText({ cast, type }: Operand): boolean {
  return (cast ?? type) === "text";
}

function jsonBody(values: Values, fields: readonly Field[], form: Form): string {
  const object = objectSql(
    values,
    fields.map(({ name }, index) => ({ name, sql: `page.c${index}` })),
  );
  const element = form === "json" ? object : `json_strip_nulls(${object})`;
  return `coalesce(json_agg(${element}), '[]')::text`;
}
