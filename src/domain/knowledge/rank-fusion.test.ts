import { expect, test } from "vitest";
import { fuseRankings } from "./rank-fusion.ts";

const order = (...rankings: string[][]) => fuseRankings(rankings).map(({ id }) => id);

test("one ranking stays as it is, and its first has the score 1", () => {
  expect(order(["a", "b", "c"])).toEqual(["a", "b", "c"]);
  expect(fuseRankings([["a", "b"]])[0]).toEqual({ id: "a", score: 1 });
});

test("a result high in both rankings precedes one that is first in one of them", () => {
  expect(order(["a", "b", "c"], ["d", "b", "e"])[0]).toBe("b");
  expect(order(["a", "b"], ["b", "a"])).toEqual(["a", "b"]);
});

test("only the first of every ranking has the score 1; nothing is lost", () => {
  const fused = fuseRankings([["a", "b"], ["a"], ["a", "c"]]);
  expect(fused[0]?.score).toBeCloseTo(1);
  expect(fused.map(({ id }) => id).toSorted()).toEqual(["a", "b", "c"]);
  expect(fused.every(({ score }) => score > 0 && score <= 1 + Number.EPSILON)).toBe(true);
});

test("no ranking gives nothing", () => {
  expect(fuseRankings([])).toEqual([]);
  expect(fuseRankings([[], []])).toEqual([]);
});
