import { expect, test } from "vitest";
import { formatCost, formatDuration } from "./format.ts";

test.each([
  [0, "0 ms"],
  [40.4, "40 ms"],
  [999.7, "1.0 s"],
  [1_234, "1.2 s"],
  [125_000, "2 min 5 s"],
])("%d ms read %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test.each([
  [0, "$0"],
  [0.00042, "$0.000420"],
  [1.25, "$1.25"],
])("%d dollars read %s", (usd, text) => {
  expect(formatCost(usd)).toBe(text);
});
