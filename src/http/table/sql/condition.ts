import { COMPARISONS, STATES, TEXT_SEARCHES } from "../parse/filter.ts";
import type { Test } from "../parse/filter.ts";
import type { Embed, PlannedCondition } from "../plan/read.ts";
import type { ColumnType } from "../tables.ts";
import { operandSql } from "./operand.ts";
import type { Values } from "./values.ts";

/** Returns the name of an embedded table's result in the statement. */
export function embedName({ index }: Embed): string {
  return `e${index}`;
}

/** Returns a condition on a row named `row`. */
export function conditionSql(values: Values, row: string, condition: PlannedCondition): string {
  const text = positive(values, row, condition);
  return condition.negated ? `not (${text})` : text;
}

function positive(values: Values, row: string, condition: PlannedCondition): string {
  switch (condition.kind) {
    case "and":
    case "or":
      return `(${condition.parts.map((part) => conditionSql(values, row, part)).join(` ${condition.kind} `)})`;
    case "empty":
      return `${embedName(condition.embed)}.found is not true`;
    case "test": {
      const { operand, test } = condition;
      return testSql(values, test, { sql: operandSql(values, row, operand), type: operand.type });
    }
  }
}

function testSql(values: Values, test: Test, value: { readonly sql: string; readonly type: ColumnType }): string {
  const { sql, type } = value;
  switch (test.op) {
    case "is":
      return `${sql} is ${STATES[test.state]}`;
    case "in":
      // "in ()" is not valid SQL; an empty list contains nothing. The operand's placeholders must still be used.
      if (test.values.length === 0) return `(false and ${sql} is null)`;
      return `${sql} in (${test.values.map((each) => `${values.add(each)}::${type}`).join(", ")})`;
    case "fts":
    case "plfts":
    case "phfts":
    case "wfts": {
      const language = test.language === undefined ? "" : `${values.add(test.language)}::regconfig, `;
      return `to_tsvector(${language}${sql}) @@ ${TEXT_SEARCHES[test.op]}(${language}${values.add(test.value)}::text)`;
    }
    default:
      return comparison(values, test, value);
  }
}

function comparison(
  values: Values,
  test: Extract<Test, { readonly op: keyof typeof COMPARISONS }>,
  { sql, type }: { readonly sql: string; readonly type: ColumnType },
): string {
  const { op, quantifier } = test;
  const matches = op === "like" || op === "ilike";
  const textual = matches || op === "match" || op === "imatch";
  // The percent sign must be encoded in a URL: * means the same.
  const placeholder = values.add(matches ? test.value.replaceAll("*", "%") : test.value);
  const expected = `${placeholder}::${textual ? "text" : type}`;
  if (quantifier === undefined) return `${sql} ${COMPARISONS[op]} ${expected}`;
  return `${sql} ${COMPARISONS[op]} ${quantifier}(${expected}[])`;
}
