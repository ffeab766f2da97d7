import { expect, test } from "vitest";
import { diffLines } from "./line-diff.ts";

/** As a person reads it: one line after another, with a sign before it. */
function written(before: string, after: string): string {
  const sign = { kept: " ", removed: "-", added: "+" };
  return diffLines(before, after)
    .map(({ change, line }) => sign[change] + line)
    .join("\n");
}

test.each([
  ["a\nb\nc", "a\nb\nc", " a\n b\n c"],
  ["", "", " "],
  ["", "a", "-\n+a"],
  ["a\nb\nc", "a\nx\nc", " a\n-b\n+x\n c"],
  ["a\nc", "a\nb\nc", " a\n+b\n c"],
  ["a\nb\nc", "a\nc", " a\n-b\n c"],
  ["a\nb\nc\na\nb\nb\na", "c\nb\na\nb\na\nc", "-a\n-b\n c\n+b\n a\n b\n-b\n a\n+c"],
])("%j to %j", (before, after, expected) => {
  expect(written(before, after)).toBe(expected);
});

test("kept and removed lines are the first text; kept and added lines are the second", () => {
  let seed = 1;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const text = () => Array.from({ length: random(30) + 1 }, () => "abcd"[random(4)]).join("\n");
  for (let round = 0; round < 300; round++) {
    const [before, after] = [text(), text()];
    const diff = diffLines(before, after);
    const without = (change: string) => diff.filter((each) => each.change !== change).map(({ line }) => line);
    expect(without("added").join("\n")).toBe(before);
    expect(without("removed").join("\n")).toBe(after);
  }
});

test("texts without a common line are compared in bounded time, and still whole", () => {
  const before = Array.from({ length: 20_000 }, (_, index) => `a${index}`);
  const after = before.map((line) => line.replace("a", "b"));
  const diff = diffLines(before.join("\n"), after.join("\n"));
  expect(diff.map(({ line }) => line)).toEqual([...before, ...after]);
});
