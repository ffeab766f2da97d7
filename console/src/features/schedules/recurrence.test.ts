import { expect, test } from "vitest";
import { cronOf, cronLabel, parseRecurrence } from "./recurrence.ts";

test.each([
  ["*/15 * * * *", "Every 15 minutes"],
  ["*/1 * * * *", "Every minute"],
  ["30 * * * *", "Every hour at minute 30"],
  ["5 9 * * *", "Every day at 09:05"],
  ["0 9 * * 1-5", "Every weekday at 09:00"],
  ["0 18 * * 5", "Every Friday at 18:00"],
  ["0 9 1 * *", "On day 1 of every month at 09:00"],
])("%s is %s, there and back", (cron, words) => {
  expect(cronLabel(cron)).toBe(words);
  expect(cronOf(parseRecurrence(cron))).toBe(cron);
});

test.each(["0 9 1 */3 *", "*/20 * * * * *", "@daily", "0 9 * * 1,3", "0 9-17 * * *", "nonsense"])(
  "%s has no plain words and stays as it is",
  (cron) => {
    expect(parseRecurrence(cron)).toEqual({ kind: "cron", cron });
    expect(cronLabel(cron)).toBe(cron);
  },
);
