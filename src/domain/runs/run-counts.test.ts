import { describe, expect, it } from "vitest";
import { bucketsBetween, totalsOf } from "./run-counts.ts";

const NOW = Date.parse("2026-11-22T14:20:00Z");
const START = "2026-11-22T14:00:00.000Z";

describe("bucketsBetween", () => {
  it("covers the last 24 hours or 14 days, including the current one", () => {
    const hours = bucketsBetween({ bucket: "hour" }, NOW);
    expect([hours?.starts.length, hours?.starts[0], hours?.starts.at(-1)]).toEqual([
      24,
      "2026-11-21T15:00:00.000Z",
      START,
    ]);
    const days = bucketsBetween({ bucket: "day" }, NOW);
    expect([days?.starts.length, days?.from, days?.to]).toEqual([
      14,
      new Date("2026-11-09T00:00:00Z"),
      new Date("2026-11-23T00:00:00Z"),
    ]);
  });

  it("covers whole buckets around the given times", () => {
    const asked = { bucket: "hour", from: "2026-11-22T10:59:00Z", to: "2026-11-22T12:00:00+01:00" } as const;
    expect(bucketsBetween(asked, NOW)?.starts).toEqual(["2026-11-22T10:00:00.000Z"]);
  });

  it("rejects an empty period and one that is too long", () => {
    expect(bucketsBetween({ bucket: "hour", from: "2026-11-23T00:00:00Z" }, NOW)).toBeUndefined();
    expect(bucketsBetween({ bucket: "day", from: "2020-01-01T00:00:00Z" }, NOW)).toBeUndefined();
  });
});

describe("totalsOf", () => {
  it("counts by status, and computes percentiles over all runs that worked", () => {
    const none = { completed: 0, failed: 0, cancelled: 0, durations: [] };
    const totals = totalsOf([
      { ...none, completed: 9, durations: [{ 40: 7 }, { 40: 2 }] },
      { ...none, failed: 1, durations: [{ 52: 1 }] },
      { ...none, cancelled: 5 },
      { ...none, completed: 2 },
    ]);
    // 2^10 ms and 2^13 ms start the buckets 40 and 52.
    expect(totals).toEqual({ completed: 11, failed: 1, cancelled: 5, p50_ms: 1117, p95_ms: 8933 });
  });

  it("has no percentiles of nothing", () => {
    expect(totalsOf([])).toEqual({ completed: 0, failed: 0, cancelled: 0, p50_ms: null, p95_ms: null });
  });
});
