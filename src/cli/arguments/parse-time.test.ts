import { expect, test } from "vitest";
import { parseAt, parseSince } from "./parse-time.ts";

const NOON = Date.parse("2030-01-31T12:00:00Z");

test.each([
  ["2030-01-30T08:00:00Z", "2030-01-30T08:00:00.000Z"],
  ["2030-01-30T08:00:00+02:00", "2030-01-30T06:00:00.000Z"],
  ["90s", "2030-01-31T11:58:30.000Z"],
  ["30m", "2030-01-31T11:30:00.000Z"],
  ["2h", "2030-01-31T10:00:00.000Z"],
  ["7d", "2030-01-24T12:00:00.000Z"],
])("%s is %s", (text, expected) => {
  expect(parseSince("since", text, NOON)).toBe(expected);
});

test.each(["", "5", "yesterday", "2 h", "-1h", "1w", "2030-13-01"])("%j is rejected with what is allowed", (text) => {
  expect(() => parseSince("since", text, NOON)).toThrow(
    `--since must be a time such as 2030-01-31T12:00:00Z, or how long ago, such as 30m, 2h or 7d; not "${text}".`,
  );
});

test("a time to come is a time, or how far ahead", () => {
  expect(parseAt("at", "2h", NOON)).toBe("2030-01-31T14:00:00.000Z");
  expect(parseAt("at", "2030-02-01T08:00:00+02:00", NOON)).toBe("2030-02-01T06:00:00.000Z");
  expect(() => parseAt("at", "tomorrow", NOON)).toThrow(
    '--at must be a time such as 2030-01-31T12:00:00Z, or how far ahead, such as 30m, 2h or 7d; not "tomorrow".',
  );
});
