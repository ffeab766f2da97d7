import { expect, test } from "vitest";
import { givenTime } from "./given-time.ts";

test.each(["0001-01-01T00:00:00Z", "2026-11-24T01:02:03.123456+14:00", "9998-12-31T23:59:59Z"])(
  "%s is a time",
  (text) => {
    expect(givenTime.parse(text)).toBe(text);
  },
);

test.each([
  ["0000-12-31T23:59:59Z", "must be between the years 1 and 9998"],
  ["9999-01-01T00:00:00Z", "must be between the years 1 and 9998"],
  ["0001-01-01T00:00:00+01:00", "must be between the years 1 and 9998"],
  ["2026-11-24T01:02:03+16:00", "must have an offset of at most 15:59"],
  ["2026-11-24T01:02:03-23:59", "must have an offset of at most 15:59"],
])("%s is none", (text, message) => {
  expect(givenTime.safeParse(text).error?.issues.map((issue) => issue.message)).toEqual([message]);
});
