import { expect, test } from "vitest";
import { cachedRead } from "./cached-read.ts";

function counted() {
  const answers: ((value: string | undefined) => void)[] = [];
  const cache = cachedRead(10, () => new Promise<string | undefined>((resolve) => answers.push(resolve)));
  return { answers, ...cache };
}

test("concurrent callers share one read, and later ones get what it returned", async () => {
  const { answers, read } = counted();
  const both = [read("a"), read("a")];
  answers[0]?.("first");
  expect(await Promise.all([...both, read("a")])).toEqual(["first", "first", "first"]);
  expect(answers).toHaveLength(1);
});

test.each(["evict", "clear"] as const)("%s during a read has the next caller read again", async (how) => {
  const { answers, read, ...cache } = counted();
  const old = read("a");
  cache[how]("a");
  const fresh = read("a");
  answers[1]?.("new");
  answers[0]?.("old");
  expect(await Promise.all([old, fresh, read("a")])).toEqual(["old", "new", "new"]);
});

test("what is missing is read again", async () => {
  const { answers, read } = counted();
  const missing = read("a");
  answers[0]?.(undefined);
  expect(await missing).toBeUndefined();
  void read("a");
  expect(answers).toHaveLength(2);
});

test("a failure is not kept", async () => {
  let calls = 0;
  const { read } = cachedRead(10, async () => (++calls === 1 ? Promise.reject(new Error("down")) : "up"));
  await expect(read("a")).rejects.toThrow("down");
  expect(await read("a")).toBe("up");
});
