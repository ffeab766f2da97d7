import { expect, test } from "vitest";
import { startsAtTop } from "./starts-at-top.ts";

const RUNS = { pathname: "/w/a/runs", search: { status: ["failed"] } };

test("another screen and another list start at the top", () => {
  expect(startsAtTop(RUNS, { ...RUNS, pathname: "/w/a/agents" })).toBe(true);
  expect(startsAtTop(RUNS, { ...RUNS, search: { status: ["failed", "running"] } })).toBe(true);
});

test("a dialog over a list leaves it where it is", () => {
  expect(startsAtTop(RUNS, { ...RUNS, search: { status: ["failed"], new: "task" } })).toBe(false);
});
