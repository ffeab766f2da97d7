import { expect, test } from "vitest";
import { conditionText, conditionsIn, ruleWords } from "./rule-words.ts";

const names = {
  person: (id: string) => (id === "1" ? "Ana" : id),
  channel: () => "Finance",
  tool: (tool: string) => (tool === "custom:1" ? "refund" : tool),
};

test("a rule is a sentence", () => {
  expect(ruleWords({ when: {}, ask: { role: "admin" } }, names)).toBe(
    "Any call needs the approval of any admin. After 1 day, the run fails.",
  );
  const refunds = {
    when: {
      tool: "custom:1",
      arguments: [{ pointer: "/amount", is: ">", value: 500 }],
      cost_above: 2,
      first_use: true,
    },
    ask: { people: ["1"], role: "owner" },
    need: 2,
    after: [{ seconds: 5_400, ask: { role: "member", channel: "2" } }],
    within_seconds: 7_200,
    else: "deny",
  } as const;
  expect(ruleWords(refunds, names)).toBe(
    "A call of refund where /amount > 500 and the run has cost over $2 and it is the first use needs 2 " +
      "approvals of Ana or any owner. After 90 minutes, also of any member or the people of Finance. " +
      "After 2 hours, the call is denied.",
  );
});

test("conditions are lines, and lines are conditions", () => {
  const text = '/amount > 500\n/to in ["a","b"]\n/mail matches @example\\.com$\n/country != NO';
  const read = conditionsIn(`\n${text}\n`);
  expect(read.map(({ value }) => value)).toEqual([500, ["a", "b"], "@example\\.com$", "NO"]);
  expect(read.map(conditionText).join("\n")).toBe(text);
});

test.each(["600", "true", "null", '"600"', "[1]", "", " a", "two\nlines", "plain text", ["600", 600]])(
  "the value %j stays what it is",
  (value) => {
    const condition = { pointer: "/order", is: typeof value === "string" ? "=" : "in", value } as const;
    expect(conditionsIn(conditionText(condition))).toEqual([condition]);
  },
);

test.each(["amount > 500", "/amount >", "/amount ~ 5"])("%j is no condition", (line) => {
  expect(() => conditionsIn(line)).toThrow("is no condition");
});
