import { Problem } from "../../../api/problem.ts";
import type { RuleNames } from "./rule-names.ts";
import type { Rule } from "./rules.ts";

type Condition = NonNullable<Rule["when"]["arguments"]>[number];

const IS = ["=", "!=", ">", "<", "in", "matches"] as const;
const ENDINGS = { fail: "the run fails", deny: "the call is denied", allow: "the call is allowed" } as const;

/** A rule as a sentence. */
export function ruleWords(rule: Rule, names: RuleNames): string {
  const { when, ask, need = 1, after = [], within_seconds: last = 86_400, else: ending = "fail" } = rule;
  const facts = [
    ...(when.arguments ?? []).map(conditionText),
    ...(when.cost_above === undefined ? [] : [`the run has cost over $${when.cost_above}`]),
    ...(when.first_use === true ? ["it is the first use"] : []),
  ];
  const call = when.tool === undefined ? "Any call" : `A call of ${names.tool(when.tool)}`;
  const where = facts.length === 0 ? "" : ` where ${facts.join(" and ")}`;
  const who = (asked: Rule["ask"]) =>
    [
      ...(asked.people ?? []).map(names.person),
      ...(asked.role === undefined ? [] : [`any ${asked.role}`]),
      ...(asked.channel === undefined ? [] : [`the people of ${names.channel(asked.channel)}`]),
    ].join(" or ");
  const approval = need === 1 ? "the approval" : `${need} approvals`;
  const later = after.map(({ seconds, ask: also }) => ` After ${duration(seconds)}, also of ${who(also)}.`);
  return `${call}${where} needs ${approval} of ${who(ask)}.${later.join("")} After ${duration(last)}, ${ENDINGS[ending]}.`;
}

/** A condition as a line, `/amount > 500`. A text is quoted where it would be read as another value. */
export function conditionText({ pointer, is, value }: Condition): string {
  const isPlain =
    typeof value === "string" && (is === "matches" || (!/^\s|\n|\s$|^$/.test(value) && valueIn(value) === value));
  return `${pointer} ${is} ${isPlain ? value : JSON.stringify(value)}`;
}

/** The conditions in a text, one on each line. @throws Problem at `conditions` for a line that is none */
export function conditionsIn(text: string): readonly Condition[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").map(conditionIn);
}

function conditionIn(line: string): Condition {
  const [pointer = "", operator = ""] = line.split(/\s+/, 2);
  const rest = line.slice(line.indexOf(operator, pointer.length) + operator.length).trim();
  const is = IS.find((each) => each === operator);
  if (is !== undefined && pointer.startsWith("/") && rest !== "")
    return { pointer, is, value: is === "matches" ? rest : valueIn(rest) };
  const message = `“${line}” is no condition. One per line, such as: /amount > 500`;
  throw new Problem({ status: 400, code: "bad_request", message, details: [{ path: "conditions", message }] });
}

/** A value as JSON, or else as the text that it is. */
function valueIn(text: string): Condition["value"] {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value.every((each) => isScalar(each)) ? value : text;
    return isScalar(value) ? value : text;
  } catch {
    return text;
  }
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

function duration(seconds: number): string {
  const units = [
    ["day", 86_400],
    ["hour", 3_600],
    ["minute", 60],
  ] as const;
  const [unit, size] = units.find(([, each]) => seconds % each === 0) ?? ["second", 1];
  const count = seconds / size;
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
