import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LEASE_MS, createLease } from "./lease.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

test("a process is sure of its runs while it is heard, and no longer well before others may take them", () => {
  const lease = createLease();
  expect(lease.isSure(performance.now())).toBe(false);
  lease.renew(performance.now());
  const takenAt = performance.now();
  vi.advanceTimersByTime(LEASE_MS / 2 - 1);
  expect(lease.isSure(takenAt)).toBe(true);
  vi.advanceTimersByTime(1);
  expect(lease.isSure(takenAt)).toBe(false);
});

test("what counts is when it began to speak, not when it was heard", () => {
  const lease = createLease();
  const spokeAt = performance.now();
  vi.advanceTimersByTime(LEASE_MS);
  lease.renew(spokeAt);
  expect(lease.isSure(performance.now())).toBe(false);
});

test("a process that was silent for too long is sure only of the runs that it takes afterwards", () => {
  const lease = createLease();
  lease.renew(performance.now());
  const before = performance.now();
  vi.advanceTimersByTime(LEASE_MS);
  lease.renew(performance.now());
  const after = performance.now();
  vi.advanceTimersByTime(LEASE_MS / 4);
  lease.renew(performance.now());
  expect([lease.isSure(before), lease.isSure(after)]).toEqual([false, true]);
});

test("a process that was not heard for a while gives the others the time of a lease before it takes them for dead", () => {
  const lease = createLease();
  lease.renew(performance.now());
  expect(lease.mayJudge()).toBe(false);
  vi.advanceTimersByTime(LEASE_MS);
  expect(lease.mayJudge()).toBe(true);
  // What it said meanwhile may be heard all at once.
  lease.renew(performance.now() - LEASE_MS / 2);
  lease.renew(performance.now());
  expect(lease.mayJudge()).toBe(false);
  for (let quarter = 0; quarter < 4; quarter++) {
    expect(lease.mayJudge()).toBe(false);
    vi.advanceTimersByTime(LEASE_MS / 4);
    lease.renew(performance.now());
  }
  expect(lease.mayJudge()).toBe(true);
});
