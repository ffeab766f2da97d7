import { expect, test } from "vitest";
import { FOUND, NAME_END, rank } from "./rank.ts";

const NAMES = ["Settings", "Sign out", "Show all keys", "Usage", "Newsroom", "New task", "New agent", "Design review"];

test.each([
  ["sign out", "Sign out"],
  ["sign", "Sign out"],
  ["s", "Settings"],
  ["new", "New task"],
  ["news", "Newsroom"],
  ["new ag", "New agent"],
  ["agent new", "New agent"],
  ["out", "Sign out"],
  ["usage", "Usage"],
])("%j finds %s first", (text, first) => {
  const found = NAMES.map((name) => ({ name, score: rank(name, text) })).filter(({ score }) => score > 0);
  expect(found.toSorted((a, b) => b.score - a.score)[0]?.name).toBe(first);
});

test("a name goes before a keyword, and a keyword before what only the server has matched", () => {
  const scores = [rank("Pause", "pause"), rank("Usage", "pause", ["pause new work"]), rank("x", "pause", [FOUND])];
  expect(scores.toSorted((a, b) => b - a)).toEqual(scores);
  expect(Math.min(...scores)).toBeGreaterThan(0);
});

test("what tells equal names apart is not matched", () => {
  expect(rank(`Support${NAME_END}4711`, "support")).toBe(rank("Support", "support"));
  expect(rank(`Support${NAME_END}4711`, "4711")).toBe(0);
});

test("what does not match is left out", () => {
  expect(rank("Usage", "pause", ["costs"])).toBe(0);
});
