import { describe, expect, test } from "vitest";
import { parseExactly } from "#lib/text/exact-json.ts";
import { verifies } from "../../../test/support/verifies.ts";
import { firstRule, rulesFor } from "./match.ts";
import { approvalPolicy } from "./policy.ts";
import { reasonOf } from "./reason.ts";

/** A number that keeps its digits. */
const LONG = parseExactly("12345678901234567891");
const policyOf = (...whens: readonly object[]) =>
  approvalPolicy.parse(whens.map((when) => ({ when, ask: { role: "admin" } })));
const fits = (when: object, given: unknown) =>
  rulesFor(policyOf(when), { names: ["pay", "custom:1"], arguments: given }).length === 1;
const holds = (is: string, value: unknown, found: unknown) =>
  fits({ arguments: [{ pointer: "/a/0/b~1c", is, value }] }, { a: [{ "b/c": found }] });

test("a rule is for a tool by either of its names, or for any", () => {
  expect([{ tool: "pay" }, { tool: "custom:1" }, { tool: "wait" }, {}].map((when) => fits(when, {}))).toEqual([
    true,
    true,
    false,
    true,
  ]);
});

describe("conditions", () => {
  test.each([
    ["=", "x", "x", true],
    ["=", "x", "y", false],
    ["=", 5, 5, true],
    ["=", 5, "5", true],
    ["=", 5, "five", false],
    ["=", "5", 5, true],
    ["=", 5, "5.0", true],
    ["=", "5", "5.0", false],
    ["=", "12345678901234567891", LONG, true],
    ["=", "12345678901234567892", LONG, false],
    ["=", true, true, true],
    ["=", true, "true", true],
    ["=", 1, true, false],
    ["=", null, null, true],
    ["=", 0, "", false],
    ["=", 0, null, false],
    ["=", "x", { x: 1 }, false],
    ["!=", "x", "y", true],
    ["!=", "x", "x", false],
    ["!=", 5, "5", false],
    ["!=", "x", undefined, true],
    [">", 5, 6, true],
    [">", 5, 5, false],
    [">", 5, "6", true],
    [">", 5, "six", false],
    [">", 1e19, LONG, true],
    [">", -1, null, false],
    [">", -1, "", false],
    [">", -1, [], false],
    [">", 5, undefined, false],
    ["<", 5, 4, true],
    ["<", 5, 5, false],
    ["<", 5, " 4 ", true],
    ["<", 5, undefined, false],
    ["in", ["x", 5], "x", true],
    ["in", ["x", 5], "5", true],
    ["in", ["x", 5], "y", false],
    ["in", ["x"], undefined, false],
    ["in", ["x", "5"], 5, true],
    ["matches", "^a+$", "aaa", true],
    ["matches", "^a+$", "aab", false],
    ["matches", "a", "bab", true],
    ["matches", "^5$", 5, true],
    ["matches", "^12345678901234567891$", LONG, true],
    ["matches", "true", true, true],
    ["matches", ".", null, false],
    ["matches", ".", ["x"], false],
    ["matches", ".", undefined, false],
  ])("%s %j of %j is %j", (is, value, found, expected) => {
    expect(holds(is, value, found)).toBe(expected);
  });

  test("all of them must hold", () => {
    const both = {
      arguments: [
        { pointer: "/a", is: ">", value: 1 },
        { pointer: "/b", is: "=", value: "x" },
      ],
    };
    expect([{ a: 2, b: "x" }, { a: 2 }, { b: "x" }, null, "x"].map((given) => fits(both, given))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  test("a pointer finds only what the arguments have themselves", () => {
    const has = (pointer: string) =>
      fits({ arguments: [{ pointer, is: "matches", value: "." }] }, { a: ["x"], "": "y" });
    expect(["/a/0", "/", "/a/00", "/a/length", "/a/1", "/constructor/name", "/__proto__/a"].map(has)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});

test("facts choose the first of several rules", () => {
  const policy = policyOf({ cost_above: 2 }, { first_use: true }, { cost_above: 1, first_use: true });
  const place = (costUsd: number, isFirstUse: boolean) => {
    const rule = firstRule(policy, { costUsd, isFirstUse });
    return rule === undefined ? undefined : policy.indexOf(rule);
  };
  expect([place(3, false), place(2, false), place(2, true), place(0, true), place(0, false)]).toEqual([
    0,
    undefined,
    1,
    1,
    undefined,
  ]);
});

verifies("approvals.linear", "a regular expression on which others take forever is linear", () => {
  const when = { arguments: [{ pointer: "/a", is: "matches", value: "^(a+)+$" }] };
  expect(fits(when, { a: `${"a".repeat(20_000)}b` })).toBe(false);
});

test("the reason is a sentence", () => {
  const facts = { costUsd: 2.5, isFirstUse: true };
  const reason = (rule: object) => {
    const [parsed] = approvalPolicy.parse([{ ask: { role: "admin" }, ...rule }]);
    return parsed && reasonOf(parsed, "pay", facts);
  };
  const amount = { pointer: "/amount", is: ">", value: 500 };
  expect(reason({ name: "Large", when: { arguments: [amount], cost_above: 2 } })).toBe(
    "The rule “Large” asks: amount is above 500, and the run has cost $2.50, more than $2.00.",
  );
  expect(reason({ when: { arguments: [{ pointer: "/to", is: "in", value: ["a", "b"] }] } })).toBe(
    'A rule asks: to is one of "a", "b".',
  );
  expect(reason({ when: { tool: "pay", first_use: true } })).toBe("A rule asks: it is the agent's first use of pay.");
  expect(reason({ when: { tool: "pay" } })).toBe("A rule asks about each call of pay.");
  expect(reason({ when: {} })).toBe("A rule asks about every call.");
});
