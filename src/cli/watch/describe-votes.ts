import type { Schemas } from "#client/index.ts";
import { safeText } from "../terminal/safe-text.ts";

type Ruled = Pick<Schemas["Question"], "votes" | "may_answer" | "problem">;

/** The votes on an open question that a rule asks, as lines for people: none for other questions. */
export function describeVotes(
  { approval }: Schemas["Question"]["request"],
  { votes, may_answer: left, problem }: Ruled,
): string[] {
  if (approval === undefined) return [];
  const approved = votes.filter((vote) => vote.approved).map(({ by }) => by.name);
  const denied = votes.filter((vote) => !vote.approved).map(({ by }) => by.name);
  return [
    `${approved.length} of ${approval.need} approved${namesOf(approved)}`,
    ...(denied.length === 0 ? [] : [`${denied.length} denied${namesOf(denied)}`]),
    ...(left === null || left.length === 0 ? [] : [`May still answer${namesOf(left.map(({ name }) => name))}`]),
    ...(problem === null ? [] : [problem]),
  ];
}

function namesOf(names: readonly string[]): string {
  return names.length === 0 ? "" : `: ${safeText(names.join(", "))}`;
}
