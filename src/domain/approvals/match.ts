import { digitsOf } from "#lib/text/exact-json.ts";
import { compilePattern } from "./pattern.ts";
import type { ApprovalPolicy, ApprovalRule, ArgumentCondition } from "./policy.ts";
import { readPointer } from "./pointer.ts";

/** A call of a tool, as rules see it. */
export interface RuledCall {
  /** The tool's names: as the model calls it, and as agents list it. */
  readonly names: readonly string[];
  /** As `parseExactly` reads them. */
  readonly arguments: unknown;
}

/** What rules may depend on besides the call. */
export interface RunFacts {
  /** What the run has cost so far, in US dollars. */
  readonly costUsd: number;
  /** Whether no call of the tool by this agent was approved before. */
  readonly isFirstUse: boolean;
}

/** The rules whose tool and arguments fit a call; the facts decide between them. */
export function rulesFor(policy: ApprovalPolicy, call: RuledCall): ApprovalPolicy {
  return policy.filter(({ when }) => {
    const isItsTool = when.tool === undefined || call.names.includes(when.tool);
    return isItsTool && (when.arguments ?? []).every((condition) => holds(condition, call.arguments));
  });
}

/** The first of these rules that the facts fit. */
export function firstRule(rules: ApprovalPolicy, { costUsd, isFirstUse }: RunFacts): ApprovalRule | undefined {
  return rules.find(
    ({ when }) =>
      (when.cost_above === undefined || costUsd > when.cost_above) && (when.first_use !== true || isFirstUse),
  );
}

/**
 * Whether a condition holds. An argument that is absent is different from every value and holds nothing else. Numbers
 * and truth values count as their texts, and texts as these, so that quotation marks lead around no rule.
 */
function holds({ pointer, is, value }: ArgumentCondition, given: unknown): boolean {
  const found = readPointer(given, pointer);
  switch (is) {
    case "=":
      return equals(found, value);
    case "!=":
      return !equals(found, value);
    case ">":
      return numberOf(found) > numberOf(value);
    case "<":
      return numberOf(found) < numberOf(value);
    case "in":
      return Array.isArray(value) && value.some((each) => equals(found, each));
    case "matches":
      return matches(textOf(found), String(value));
  }
}

function matches(text: string | undefined, pattern: string): boolean {
  return text !== undefined && compilePattern(pattern)?.matcher(text).find() === true;
}

function equals(found: unknown, value: unknown): boolean {
  if (found === null || value === null) return found === value;
  const text = textOf(found);
  return text !== undefined && (text === textOf(value) || (typeof value === "number" && numberOf(found) === value));
}

function numberOf(found: unknown): number {
  const text = typeof found === "boolean" ? "" : (textOf(found) ?? "");
  return text.trim() === "" ? NaN : Number(text);
}

/** The text of a text, a number or a truth value, with all digits; undefined for anything else. */
function textOf(found: unknown): string | undefined {
  if (typeof found === "string") return found;
  return typeof found === "number" || typeof found === "boolean" ? String(found) : digitsOf(found);
}
