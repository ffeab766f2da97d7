import { expect, test } from "vitest";
import { createFairLimiter, SlotTimeoutError } from "./fair-limiter.ts";

/** Work that records when it runs, and ends on demand. */
function works() {
  const running: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    running,
    work: (name: string) => () =>
      new Promise<string>((resolve) => {
        running.push(name);
        ends.set(name, () => {
          running.splice(running.indexOf(name), 1);
          resolve(name);
        });
      }),
    end: (name: string) => ends.get(name)?.(),
  };
}

test("concurrency stays within the limit, and no key gets more than its share", async () => {
  const turns = createFairLimiter({ total: 3, perKey: 2, timeoutMs: 60_000 });
  const { running, work, end } = works();
  const all = ["a1", "a2", "a3", "b1", "b2"].map((name) => turns.take(name.slice(0, 1), work(name)));
  await Promise.resolve();
  expect(running).toEqual(["a1", "a2", "b1"]);
  end("b1");
  await all[3];
  await Promise.resolve();
  expect(running).toEqual(["a1", "a2", "b2"]);
  for (const name of ["a1", "a2", "b2"]) end(name);
  await all[0];
  await Promise.resolve();
  expect(running).toEqual(["a3"]);
  end("a3");
  expect(await Promise.all(all)).toEqual(["a1", "a2", "a3", "b1", "b2"]);
});

test("failed work frees its slot, and work that waits too long is rejected", async () => {
  const turns = createFairLimiter({ total: 1, perKey: 1, timeoutMs: 5 });
  await expect(turns.take("a", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  const { work, end } = works();
  const first = turns.take("a", work("first"));
  await expect(turns.take("b", work("late"))).rejects.toThrow(SlotTimeoutError);
  end("first");
  expect(await first).toBe("first");
});

test("work whose caller gives up leaves the queue", async () => {
  const turns = createFairLimiter({ total: 1, perKey: 1, timeoutMs: 60_000 });
  const { running, work, end } = works();
  const first = turns.take("a", work("first"));
  const caller = new AbortController();
  const given = turns.take("a", work("given up"), caller.signal);
  const next = turns.take("a", work("next"));
  caller.abort(new Error("cancelled"));
  await expect(given).rejects.toThrow("cancelled");
  end("first");
  await first;
  await Promise.resolve();
  expect(running).toEqual(["next"]);
  end("next");
  expect(await next).toBe("next");
  await expect(turns.take("a", work("too late"), caller.signal)).rejects.toThrow("cancelled");
});
