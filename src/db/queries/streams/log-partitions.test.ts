import { expect, test } from "vitest";
import { weeksOf } from "./log-partitions.ts";

test.each([
  [1, 1],
  [30, 1],
  [182, 1],
  [183, 2],
  [730, 5],
  [3_650, 21],
])("logs that are kept for %i days are in at most 26 partitions, of %i weeks", (days, weeks) => {
  expect(weeksOf(days)).toBe(weeks);
  expect(days / 7 / weeks).toBeLessThanOrEqual(26);
});
