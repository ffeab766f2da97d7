import type { components } from "#client/gen/schema.ts";

/** A rule on which calls people approve. */
export type Rule = components["schemas"]["ApprovalRule"];

/** The rules in a config. */
export function rulesIn(given: unknown): readonly Rule[] {
  return Array.isArray(given) ? given.filter((each): each is Rule => isRule(each)) : [];
}

function isRule(given: unknown): boolean {
  return typeof given === "object" && given !== null && "when" in given && "ask" in given;
}

/** The rules with one moved up by a place. */
export function raised(rules: readonly Rule[], index: number): readonly Rule[] {
  const moved = rules[index];
  return moved === undefined ? rules : rules.toSpliced(index, 1).toSpliced(Math.max(index - 1, 0), 0, moved);
}
