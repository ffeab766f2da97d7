import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createBeatJudge } from "./beat-judge.ts";
import { createLease } from "./lease.ts";

const LEASE_MS = 5_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

test("a lease is valid while the process beats, and no longer well before others may take its jobs over", () => {
  const lease = createLease(LEASE_MS);
  expect(lease.isValid(performance.now())).toBe(false);
  lease.renew(performance.now());
  const takenAt = performance.now();
  vi.advanceTimersByTime(LEASE_MS / 2 - 1);
  expect(lease.isValid(takenAt)).toBe(true);
  vi.advanceTimersByTime(1);
  expect(lease.isValid(takenAt)).toBe(false);
});

test("what counts is when the beat began, not when it was answered", () => {
  const lease = createLease(LEASE_MS);
  const beganAt = performance.now();
  vi.advanceTimersByTime(LEASE_MS);
  lease.renew(beganAt);
  expect(lease.isValid(performance.now())).toBe(false);
});

test("after too long a silence the lease is valid only for jobs that are claimed later", () => {
  const lease = createLease(LEASE_MS);
  lease.renew(performance.now());
  const before = performance.now();
  vi.advanceTimersByTime(LEASE_MS);
  lease.renew(performance.now());
  const after = performance.now();
  vi.advanceTimersByTime(LEASE_MS / 4);
  lease.renew(performance.now());
  expect([lease.isValid(before), lease.isValid(after)]).toEqual([false, true]);
});

test("a process is dead when its beat has not changed for a lease of the observer's own time", () => {
  const judge = createBeatJudge(LEASE_MS);
  const living = (beat: number) => [
    { id: "silent", beat: 7 },
    { id: "living", beat },
  ];
  for (let beats = 0; beats < 5; beats++) {
    expect(judge.observe(living(beats))).toEqual([]);
    vi.advanceTimersByTime(LEASE_MS / 5);
  }
  expect(judge.observe(living(5))).toEqual([{ id: "silent", beat: 7 }]);
});

test("a process that could not observe for a while gives all others a whole lease", () => {
  const judge = createBeatJudge(LEASE_MS);
  const silent = [{ id: "silent", beat: 7 }];
  judge.observe(silent);
  vi.advanceTimersByTime(LEASE_MS * 2);
  for (let beats = 0; beats < 5; beats++) {
    expect(judge.observe(silent)).toEqual([]);
    vi.advanceTimersByTime(LEASE_MS / 5);
  }
  expect(judge.observe(silent)).toEqual(silent);
});
