import { expect, test } from "vitest";
import { createPermits } from "./permits.ts";

const MINUTE = 60_000;

/** A shared count of one minute after another, as the database keeps it, and a clock. */
function sharedCount(allowed: number, block: number) {
  const count = { at: 0, used: 0, window: 0, asked: new Array<number>() };
  async function source(wanted: number) {
    count.asked.push(wanted);
    const window = Math.floor(count.at / MINUTE);
    if (window !== count.window) Object.assign(count, { window, used: 0 });
    const granted = wanted === 0 ? 0 : Math.max(0, Math.min(allowed - count.used, Math.max(wanted, block)));
    count.used += granted;
    const startsAt = (window * MINUTE) / 1_000;
    return {
      startsAt,
      endsAt: startsAt + 60,
      msLeft: MINUTE - (count.at % MINUTE),
      allowed,
      used: count.used,
      granted,
    };
  }
  return { count, permits: () => createPermits(source, () => count.at) };
}

test("the remaining count falls by one with each request, and a block is requested once", async () => {
  const { count, permits } = sharedCount(10, 4);
  const { take } = permits();
  const remaining: number[] = [];
  for (let i = 0; i < 10; i++) remaining.push((await take()).remaining);
  expect(remaining).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
  expect(count.asked).toEqual([1, 1, 1]);
  expect(await take()).toMatchObject({ passes: false, remaining: 0, retryAfter: 60 });
});

test("concurrent requests share one query", async () => {
  const { count, permits } = sharedCount(100, 1);
  const { take } = permits();
  const verdicts = await Promise.all(Array.from({ length: 30 }, async () => take()));
  expect(verdicts.every(({ passes }) => passes)).toBe(true);
  expect(count).toMatchObject({ used: 30, asked: [1, 29] });
});

test("two holders together allow exactly the limit", async () => {
  const { permits } = sharedCount(50, 7);
  const holders = [permits(), permits()];
  const verdicts = await Promise.all(Array.from({ length: 200 }, async (_, i) => holders[i % 2]?.take()));
  expect(verdicts.filter((verdict) => verdict?.passes === true)).toHaveLength(50);
});

test("permits end with their window", async () => {
  const { count, permits } = sharedCount(10, 8);
  const { take } = permits();
  await take();
  count.at = MINUTE;
  expect(await take()).toMatchObject({ passes: true, remaining: 9, resetAt: 120 });
  expect(count.used).toBe(8);
});

test("an exhausted window is queried again periodically, and finds returned permits", async () => {
  const { count, permits } = sharedCount(5, 5);
  const [one, other] = [permits(), permits()];
  await one.take();
  expect((await other.take()).passes).toBe(false);
  const { startsAt, count: unspent } = one.drain();
  expect([startsAt, unspent]).toEqual([0, 4]);
  count.used -= unspent;
  expect((await other.take()).passes).toBe(false);
  count.at += 2_000;
  expect(await other.take()).toMatchObject({ passes: true, remaining: 3 });
});

test("no request passes while the count is unavailable, and the next request queries it again", async () => {
  let broken = true;
  const { take } = createPermits(async () => {
    if (broken) throw new Error("no database");
    return { startsAt: 0, endsAt: 60, msLeft: MINUTE, allowed: 5, used: 1, granted: 1 };
  });
  const both = await Promise.allSettled([1, 2].map(async () => take()));
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  broken = false;
  expect(await take()).toMatchObject({ passes: true, remaining: 4 });
});
