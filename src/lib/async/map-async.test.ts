import { setFlagsFromString } from "node:v8";
import { setTimeout as sleep } from "node:timers/promises";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { mapAsync } from "./map-async.ts";

setFlagsFromString("--expose-gc");
const collect: unknown = runInNewContext("gc");

/** A source that notes whether it was closed. */
function sourceOf(values: readonly number[]) {
  const state = { isClosed: false };
  async function* yieldAll() {
    try {
      for (const value of values) yield await Promise.resolve(value);
    } finally {
      state.isClosed = true;
    }
  }
  return { state, values: yieldAll() };
}

async function allOf<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
}

test("values are mapped in order, and the end of the source is the end", async () => {
  const { state, values } = sourceOf([1, 2, 3]);
  expect(await allOf(mapAsync(values, { map: (value) => value * 2 }))).toEqual([2, 4, 6]);
  expect(state.isClosed).toBe(true);
});

test("the first values are not mapped", async () => {
  const mapped = mapAsync(sourceOf([1, 2]).values, { first: [7, 8], map: (value) => value * 2 });
  expect(await allOf(mapped)).toEqual([7, 8, 2, 4]);
});

test("nothing follows the last value, and the source is closed", async () => {
  const { state, values } = sourceOf([1, 2, 3]);
  const mapped = mapAsync(values, { map: (value) => Promise.resolve(value), isLast: (value) => value === 2 });
  expect(await allOf(mapped)).toEqual([1, 2]);
  expect(state.isClosed).toBe(true);
});

test("a reader that stops, and a mapping that throws, close the source", async () => {
  const left = sourceOf([1, 2, 3]);
  for await (const value of mapAsync(left.values, { map: (each) => each })) {
    if (value === 1) break;
  }
  expect(left.state.isClosed).toBe(true);

  const broken = sourceOf([1, 2, 3]);
  const mapped = mapAsync(broken.values, {
    map: () => {
      throw new Error("broken");
    },
  });
  await expect(mapped.next()).rejects.toThrow("broken");
  expect(broken.state.isClosed).toBe(true);
  expect(await mapped.next()).toEqual({ done: true, value: undefined });
});

test("while it waits, it keeps neither the last value nor its mapped value", async () => {
  const refs: WeakRef<object>[] = [];
  const noted = (value: object) => {
    refs.push(new WeakRef(value));
    return value;
  };
  const results = [{ done: false as const, value: noted({}) }];
  const source = {
    [Symbol.asyncIterator]: () => ({
      next: () => Promise.resolve(results.pop() ?? new Promise<IteratorResult<object>>(() => undefined)),
    }),
  };
  const mapped = mapAsync(source, { map: () => noted({}) });
  await (async () => mapped.next())();
  void mapped.next();
  for (let turn = 0; turn < 50 && refs.some((each) => each.deref() !== undefined); turn++) {
    await sleep(10);
    if (typeof collect === "function") collect();
  }
  expect(refs.map((each) => each.deref())).toEqual([undefined, undefined]);
});
