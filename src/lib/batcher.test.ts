import { expect, test } from "vitest";
import { createBatcher } from "./batcher.ts";

const AT_ONCE = { intervalMs: 0, maxBatch: 10 };

test("what comes while a write is under way shares the next one, and each gets its own result", async () => {
  const batches: (readonly number[])[] = [];
  const double = createBatcher({
    ...AT_ONCE,
    async write(items: readonly number[]) {
      batches.push(items);
      return items.map((item) => item * 2);
    },
  });
  expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
  expect(batches).toEqual([[1], [2, 3]]);
});

test("items that must stay apart are written one after the other, in their order", async () => {
  const batches: (readonly string[])[] = [];
  const write = createBatcher({
    ...AT_ONCE,
    apart: (item: string) => item.slice(0, 1),
    async write(items: readonly string[]) {
      batches.push(items);
      return items;
    },
  });
  await Promise.all(["first", "a1", "b1", "a2", "b2"].map(write));
  expect(batches).toEqual([["first"], ["a1", "b1"], ["a2", "b2"]]);
});

test("an item that cannot be written fails alone", async () => {
  const write = createBatcher({
    ...AT_ONCE,
    async write(items: readonly number[]) {
      if (items.includes(3)) throw new Error("3 cannot be written");
      return items;
    },
  });
  const outcomes = await Promise.allSettled([1, 2, 3, 4].map(write));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
});
