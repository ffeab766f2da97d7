import { expect, test } from "vitest";
import { groupRules, roleOfGroups } from "./group-rules.ts";
import type { GroupRule } from "./group-rules.ts";

const RULES: readonly GroupRule[] = [
  { group: "staff", workspace: "shop", role: "viewer" },
  { group: "leads", workspace: "shop", role: "admin" },
  { group: "bosses", workspace: "shop", role: "owner" },
  { group: "bosses", workspace: "lab", role: "owner" },
];

test("the highest role of a person's groups counts, whatever the order", () => {
  for (const rules of [RULES, RULES.toReversed()]) {
    expect(roleOfGroups(rules, ["staff", "leads"])).toBe("admin");
    expect(roleOfGroups(rules, ["bosses", "staff"])).toBe("owner");
    expect(roleOfGroups(rules, ["Staff", "another"])).toBeUndefined();
  }
});

test("each workspace of the rules has a rule for an owner", () => {
  expect(groupRules.safeParse(RULES).success).toBe(true);
  expect(groupRules.safeParse([]).success).toBe(true);
  const { error } = groupRules.safeParse([...RULES, { group: "staff", workspace: "hall", role: "admin" }]);
  expect(error?.issues.map(({ message }) => message)).toEqual([expect.stringContaining("owner in hall")]);
  expect(groupRules.safeParse([{ group: "", workspace: "hall", role: "boss" }]).success).toBe(false);
});
