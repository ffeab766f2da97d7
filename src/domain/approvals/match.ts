import { compilePattern } from "./pattern.ts";
import type { ApprovalPolicy, ApprovalRule, ArgumentCondition } from "./policy.ts";
import { readPointer } from "./pointer.ts";

/** A call of a tool, as rules see it. */
export interface RuledCall {
  /** The tool's names: as the model calls it, and as agents list it. */
  readonly names: readonly string[];
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
 * that are written as text count as numbers, so that quotation marks lead around no rule.
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
      return isScalar(found) && compilePattern(String(value))?.matcher(String(found)).find() === true;
  }
}

function equals(found: unknown, value: unknown): boolean {
  return found === value || (typeof value === "number" && numberOf(found) === value);
}

function numberOf(found: unknown): number {
  if (typeof found === "number") return found;
  return typeof found === "string" && found.trim() !== "" ? Number(found) : NaN;
}

function isScalar(found: unknown): boolean {
  return typeof found === "string" || typeof found === "number" || typeof found === "boolean";
}
