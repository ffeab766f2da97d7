import { expect, test } from "vitest";
import { formatWait } from "./format-wait.ts";

test.each([
  [1, "1 second"],
  [119, "119 seconds"],
  [120, "2 minutes"],
  [889, "15 minutes"],
  [7_200, "2 hours"],
  [172_801, "3 days"],
])("a wait of %i seconds is %s", (seconds, words) => {
  expect(formatWait(seconds)).toBe(words);
});
