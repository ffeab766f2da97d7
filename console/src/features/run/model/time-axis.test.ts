import { expect, test } from "vitest";
import type { StepRow } from "../../records/run-head.ts";
import { barsOf } from "./bars.ts";
import { FULL_ZOOM, createAxis, placeOf, ticksOf, visibleFolds, zoomBy, zoomed } from "./time-axis.ts";

const call = (from: number, to: number, fields: Partial<StepRow> = {}): StepRow => ({
  key: `model:${from}`,
  kind: "model",
  status: "completed",
  started_at: from,
  ended_at: to,
  ...fields,
});
const HOUR = 3_600_000;
const NONE: ReadonlySet<number> = new Set();

test("an axis without waits is even", () => {
  const axis = createAxis([call(0, 4_000), call(4_000, 10_000)], 0, NONE);
  expect(axis.stretches).toHaveLength(1);
  expect(placeOf(axis, 2_500)).toBeCloseTo(0.25);
  expect(placeOf(axis, 99_000)).toBe(1);
});

test("a long wait is folded, also while its question is open; unfolded it has its length", () => {
  const rows = [call(0, 10_000), call(10_000, 10_000 + HOUR, { kind: "question" }), call(10_000 + HOUR, 20_000 + HOUR)];
  const axis = createAxis(rows, 0, NONE);
  expect(axis.stretches.map(({ isFolded }) => isFolded)).toEqual([false, true, false]);
  expect(placeOf(axis, 10_000)).toBeCloseTo(0.48);
  expect(placeOf(axis, 10_000 + HOUR)).toBeCloseTo(0.52);
  const open = createAxis(rows, 0, new Set([10_000]));
  expect(open.stretches).toHaveLength(1);
  expect(placeOf(open, 10_000)).toBeLessThan(0.01);
  const [wait] = open.waits;
  expect(wait).toMatchObject({ from: 10_000, to: 10_000 + HOUR, isFolded: false });
  expect((wait?.x1 ?? 0) - (wait?.x0 ?? 0)).toBeGreaterThan(0.98);
  expect(axis.waits).toMatchObject([{ from: 10_000, isFolded: true }]);
});

test("of hundreds of folded waits those are drawn that are wide enough to be seen", () => {
  const axis = createAxis(
    Array.from({ length: 200 }, (_, n) => call(n * HOUR, n * HOUR + 10_000)),
    0,
    NONE,
  );
  expect(axis.waits).toHaveLength(199);
  expect(visibleFolds(axis, FULL_ZOOM)).toEqual([]);
  const zoomedIn = visibleFolds(axis, { from: 0.5, to: 0.52 });
  expect(zoomedIn.length).toBeGreaterThan(2);
  expect(zoomedIn.length).toBeLessThan(8);
});

test("a short wait is not folded", () => {
  expect(createAxis([call(0, 10_000), call(10_400, 20_000)], 0, NONE).stretches).toHaveLength(1);
});

test("a run that waits for its first answer has an axis, one without steps too", () => {
  const waiting = createAxis([call(0, 0, { kind: "question", status: "waiting" })], HOUR, NONE);
  expect(waiting.stretches.at(-1)?.x1).toBeCloseTo(1);
  expect(createAxis([], 5, NONE).stretches).toHaveLength(1);
  expect(createAxis([call(7, 7)], 9, NONE).stretches).toHaveLength(1);
});

test("a step that runs grows to the present", () => {
  const { ended_at: _, ...running } = call(0, 0);
  expect(createAxis([{ ...running, status: "running" }], 500, NONE).to).toBe(500);
});

test("ticks are round times, not in folds", () => {
  const axis = createAxis([call(1_000, 11_000)], 0, NONE);
  expect(ticksOf(axis, FULL_ZOOM, 5).map(({ ms }) => ms)).toEqual([0, 2_000, 4_000, 6_000, 8_000, 10_000]);
  const half = zoomBy(FULL_ZOOM, 2);
  expect(half).toEqual({ from: 0.25, to: 0.75 });
  expect(ticksOf(axis, half, 5).map(({ ms }) => ms)).toEqual([3_000, 4_000, 5_000, 6_000, 7_000]);
  expect(zoomed(half, 0.5)).toBe(0.5);
  expect(zoomBy(half, 0.1)).toEqual(FULL_ZOOM);
});

test("a small part of a long run has ticks, wherever it is", () => {
  const hour = createAxis([call(0, HOUR)], 0, NONE);
  expect(ticksOf(hour, { from: 0.8999, to: 0.9019 }, 3).map(({ ms }) => ms)).toEqual([3_240_000, 3_245_000]);
});

test("bars: the first token, tries, questions", () => {
  const looks = (row: StepRow) => barsOf(row, 50).map(({ look, from, to }) => [look, from, to]);
  expect(looks(call(0, 10, { first_token_at: 4 }))).toEqual([
    ["first-token", 0, 4],
    ["stream", 4, 10],
  ]);
  const failed_tries = [
    { started_at: 0, ended_at: 2 },
    { started_at: 3, ended_at: 4 },
  ];
  expect(looks(call(0, 10, { first_token_at: 8, tries: 3, wait_ms: 2, failed_tries }))).toEqual([
    ["retry", 0, 2],
    ["retry", 3, 4],
    ["wait", 2, 3],
    ["wait", 4, 5],
    ["first-token", 5, 8],
    ["stream", 8, 10],
  ]);
  expect(looks(call(0, 4, { status: "failed", failed_tries }))).toEqual([
    ["retry", 0, 2],
    ["retry", 3, 4],
    ["wait", 2, 3],
  ]);
  expect(looks(call(0, 10, { first_token_at: 8, wait_ms: 3 }))[0]).toEqual(["wait", 0, 3]);
  const { ended_at: _, ...open } = call(0, 0, { kind: "question", status: "waiting" });
  expect(looks(open)).toEqual([["question", 0, 50]]);
  expect(looks({ key: "x", kind: "model", status: "completed" })).toEqual([]);
});

test("the axis of a fork begins with its own steps", () => {
  const reused: StepRow = { key: "model:0", kind: "model", status: "completed", ended_at: 1_000, taken_over: true };
  const axis = createAxis([reused, call(HOUR, HOUR + 4_000)], 0, NONE);
  expect([axis.from, axis.to, axis.stretches.length]).toEqual([HOUR, HOUR + 4_000, 1]);
});
