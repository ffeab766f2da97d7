import { jsonObject } from "../../../forms/json-object.ts";
import { textIn } from "../../../forms/use-submit.ts";
import { readPicked } from "../../pickers/records.ts";
import type { GoldenCase } from "./queries.ts";

/** What the result of a case is held to. */
export type GoldenCheck = GoldenCase["checks"][number];

/** The labels of the types of checks, in the order in which they are offered. */
export const CHECK_LABELS = {
  exact: "Exactly as expected",
  contains: "Contains a text",
  pattern: "Matches a pattern",
  json_schema: "Fits a JSON Schema",
  numbers: "Numbers within a distance",
  tools: "Tools called",
  cost: "Cost",
  time: "Time",
  judge: "Judged by an agent",
} as const satisfies Record<GoldenCheck["type"], string>;

/** The name of a field of a check: of its row in the form, which keeps it when rows above are removed. */
export function checkField(row: string, field: string): string {
  return `check.${row}.${field}`;
}

/** A check as its fields show it, by their names. */
export function checkFields(row: string, check: GoldenCheck): Readonly<Record<string, string | number>> {
  const fields = Object.entries(valuesOf(check));
  return Object.fromEntries(fields.map(([name, value]) => [checkField(row, name), value]));
}

function valuesOf(check: GoldenCheck): Readonly<Record<string, string | number>> {
  switch (check.type) {
    case "exact":
      return { value: check.value ?? "" };
    case "contains":
      return { value: check.value };
    case "pattern":
      return { pattern: check.pattern };
    case "numbers":
      return { within: check.within, unit: check.unit ?? "absolute" };
    case "judge":
      return { rubric: check.rubric, votes: check.votes ?? 1 };
    case "tools":
      return { called: (check.called ?? []).join(", ") };
    case "cost":
      return { max_usd: check.max_usd };
    case "time":
      return { max_ms: check.max_ms };
    case "json_schema":
      return {};
  }
}

/**
 * The check that was entered in a row.
 * @param place of the check among those that are sent, for messages
 * @throws Problem at a JSON Schema that is no JSON object; the server validates the rest
 */
export function checkIn(values: FormData, row: string, place: number): GoldenCheck {
  const text = (field: string) => textIn(values, checkField(row, field));
  const type = typeIn(text("type"));
  switch (type) {
    case "exact":
      return { type, ...(text("value") !== "" && { value: text("value") }) };
    case "contains":
      return { type, value: text("value"), ignore_case: values.has(checkField(row, "ignore_case")) };
    case "pattern":
      return { type, pattern: text("pattern") };
    case "json_schema":
      return { type, schema: jsonObject(text("schema"), `checks.${place}.schema`) };
    case "numbers":
      return { type, within: numberOf(text("within")), unit: text("unit") === "percent" ? "percent" : "absolute" };
    case "tools":
      return text("of") === "kept" ? { type } : { type, called: listOf(text("called")) };
    case "cost":
      return { type, max_usd: numberOf(text("max_usd")) };
    case "time":
      return { type, max_ms: numberOf(text("max_ms")) };
    case "judge": {
      const agent = readPicked(text("agent"))?.id ?? "";
      return { type, agent_id: agent, rubric: text("rubric"), votes: numberOf(text("votes")) };
    }
  }
}

/** The type of a check by its name. */
export function typeIn(text: string): GoldenCheck["type"] {
  return isType(text) ? text : "exact";
}

function isType(text: string): text is GoldenCheck["type"] {
  return Object.hasOwn(CHECK_LABELS, text);
}

function listOf(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** What is not a number is sent as -1, which the server rejects at the field. */
function numberOf(text: string): number {
  const number = Number(text.trim().replace(",", ".") || "-1");
  return Number.isNaN(number) ? -1 : number;
}
