import { expect, test } from "vitest";
import { foldEqual, wordDiff } from "./text-diff.ts";

test("texts differ by word", () => {
  expect(wordDiff("Say noon in Paris.", "Say noon in Rome.")).toEqual([
    { kind: "same", text: "Say noon in " },
    { kind: "removed", text: "Paris" },
    { kind: "added", text: "Rome" },
    { kind: "same", text: "." },
  ]);
});

test("the middle of a long equal piece is folded, and nothing is lost", () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`).join("\n");
  const pieces = wordDiff(`one\n${lines}\ntwo`, `1\n${lines}\n2`) ?? [];
  const folded = foldEqual(pieces);
  expect(folded.map(({ kind }) => kind)).toEqual(["removed", "added", "same", "folded", "same", "removed", "added"]);
  const after = folded.filter(({ kind }) => kind !== "removed").map(({ text }) => text);
  expect(after.join("")).toBe(`1\n${lines}\n2`);
});
