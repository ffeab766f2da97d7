import { dollars } from "#lib/text/dollars.ts";
import type { ApprovalRule } from "./policy.ts";
import type { RunFacts } from "./match.ts";

const WORDS = {
  "=": "is",
  "!=": "is not",
  ">": "is above",
  "<": "is below",
  in: "is one of",
  matches: "matches",
} as const;

/** Why a rule asks about a call, as a sentence. */
export function reasonOf({ name, when }: ApprovalRule, tool: string, { costUsd }: RunFacts): string {
  const parts = [
    ...(when.arguments ?? []).map(({ pointer, is, value }) => `${pointer.slice(1)} ${WORDS[is]} ${shown(value)}`),
    when.cost_above === undefined ? [] : `the run has cost ${dollars(costUsd)}, more than ${dollars(when.cost_above)}`,
    when.first_use === true ? `it is the agent's first use of ${tool}` : [],
  ].flat();
  const subject = name === undefined ? "A rule asks" : `The rule “${name}” asks`;
  if (parts.length > 0) return `${subject}: ${parts.join(", and ")}.`;
  return `${subject} about ${when.tool === undefined ? "every call" : `each call of ${tool}`}.`;
}

function shown(value: unknown): string {
  return Array.isArray(value) ? value.map((each) => JSON.stringify(each)).join(", ") : JSON.stringify(value);
}
