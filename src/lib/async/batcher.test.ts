import { expect, test } from "vitest";
import { createBatcher } from "./batcher.ts";

const AT_ONCE = { intervalMs: 0, maxBatch: 10 };

test("items of one event-loop turn share a write, and each gets its own result", async () => {
  const batches: (readonly number[])[] = [];
  const double = createBatcher({
    ...AT_ONCE,
    async write(items: readonly number[]) {
      batches.push(items);
      return items.map((item) => item * 2);
    },
  });
  expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
  expect(batches).toEqual([[1, 2, 3]]);
});

test("a batch has at most so many bytes, but always one item", async () => {
  const batches: (readonly string[])[] = [];
  const add = createBatcher({
    ...AT_ONCE,
    maxBytes: 4,
    sizeOf: (item: string) => item.length,
    async write(items: readonly string[]) {
      batches.push(items);
      return items;
    },
  });
  await Promise.all(["12", "34", "5", "too long", "6"].map(add));
  expect(batches).toEqual([["12", "34"], ["5"], ["too long"], ["6"]]);
});

test("a lingering item is written with the next one, or alone after its time", async () => {
  const batches: (readonly string[])[] = [];
  const add = createBatcher({
    ...AT_ONCE,
    lingerMs: (item: string) => (item.startsWith("late") ? 30 : 0),
    async write(items: readonly string[]) {
      batches.push(items);
      return items;
    },
  });
  const late = add("late 1");
  await new Promise((resolve) => setImmediate(resolve));
  await Promise.all([late, add("now")]);
  await add("late 2");
  expect(batches).toEqual([["late 1", "now"], ["late 2"]]);
});

test("an item with a pending result does not delay the next write", async () => {
  const gate = Promise.withResolvers<string>();
  const add = createBatcher({
    ...AT_ONCE,
    write: async (items: readonly string[]) => items.map((item) => (item === "held" ? gate.promise : item)),
  });
  const held = add("held");
  expect(await add("next")).toBe("next");
  expect(await add("last")).toBe("last");
  gate.resolve("given");
  expect(await held).toBe("given");
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

test("a deferrable item is written with the next urgent one, or at a flush", async () => {
  const batches: (readonly string[])[] = [];
  const add = createBatcher({
    ...AT_ONCE,
    maxDelayMs: (item: string) => (item.startsWith("late") ? 60_000 : 0),
    async write(items: readonly string[]) {
      batches.push(items);
      return items;
    },
  });
  await add("first");
  await Promise.all([add("late 1"), add("now")]);
  const late = add("late 2");
  add.flush();
  await late;
  expect(batches).toEqual([["first"], ["late 1", "now"], ["late 2"]]);
});

test("items that arrive during a write share the next one", async () => {
  const gate = Promise.withResolvers<void>();
  const batches: (readonly number[])[] = [];
  const add = createBatcher({
    ...AT_ONCE,
    async write(items: readonly number[]) {
      batches.push(items);
      await gate.promise;
      return items;
    },
  });
  const first = add(1);
  await new Promise((resolve) => setImmediate(resolve));
  const others = [add(2), add(3)];
  gate.resolve();
  await Promise.all([first, ...others]);
  expect(batches).toEqual([[1], [2, 3]]);
});
