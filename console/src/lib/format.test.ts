import { describe, expect, test } from "vitest";
import {
  bytes,
  clockTime,
  cost,
  count,
  countdown,
  duration,
  plural,
  relativeTime,
  shortId,
  tokens,
  zonedTime,
} from "./format.ts";

const NOW = new Date(2026, 10, 22, 14, 3, 30);
const ago = (ms: number) => new Date(NOW.getTime() - ms);

describe("relativeTime", () => {
  test.each([
    [0, "just now"],
    [4_999, "just now"],
    [42_000, "42 s ago"],
    [3 * 60_000 + 59_000, "3 min ago"],
    [5 * 3_600_000, "5 h ago"],
    [-90_000, "in 1 min"],
  ])("%d ms back is %s", (ms, text) => {
    expect(relativeTime(ago(ms), NOW)).toBe(text);
  });

  test("names the day after 24 hours, and the year when it is another one", () => {
    expect(relativeTime(new Date(2026, 10, 20, 9, 5), NOW)).toBe("20 Nov, 09:05");
    expect(relativeTime(new Date(2025, 11, 31, 9, 5), NOW)).toBe("31 Dec 2025");
  });
});

test.each([
  [-5, "0 ms"],
  [850, "850 ms"],
  [4_250, "4.2 s"],
  [9_999, "9.9 s"],
  [42_900, "42 s"],
  [192_000, "3 min 12 s"],
  [7_500_000, "2 h 05 min"],
  [273_600_000, "3 d 4 h"],
])("a duration of %d ms is %s", (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test("a countdown ends with zero", () => {
  expect(countdown(ago(-245_000), NOW)).toBe("4 min 05 s");
  expect(countdown(ago(-900), NOW)).toBe("1 s");
  expect(countdown(ago(0), NOW)).toBe("0 s");
  expect(countdown(ago(5_000), NOW)).toBe("0 s");
});

test.each([
  [null, "no price"],
  [0, "$0"],
  [0.0042, "$0.0042"],
  [0.00999, "$0.0100"],
  [0.01, "$0.01"],
  [1234.5, "$1,234.50"],
])("a cost of %s is %s", (usd, text) => {
  expect(cost(usd)).toBe(text);
});

test("numbers have separators, and units when they are large", () => {
  expect(tokens(9_999)).toBe("9,999");
  expect(tokens(12_345)).toBe("12.3k");
  expect(tokens(1_234_567)).toBe("1.2M");
  expect(count(12_345)).toBe("12,345");
  expect(bytes(812)).toBe("812 B");
  expect(bytes(14_592)).toBe("14.3 KiB");
  expect(bytes(500 * 1_024 * 1_024)).toBe("500.0 MiB");
  expect(plural(1, "question")).toBe("1 question");
  expect(plural(4, "question")).toBe("4 questions");
  expect(shortId("019f1234-5678-7000-8000-000000000000")).toBe("019f1234…0000");
  expect(clockTime(NOW)).toBe("14:03");
});

test("a time in a zone says the offset that holds then", () => {
  expect(zonedTime(new Date("2027-03-27T08:00:00Z"), "Europe/Berlin")).toBe("Sat, 27 Mar 2027, 09:00 GMT+1");
  expect(zonedTime(new Date("2027-03-28T07:00:00Z"), "Europe/Berlin")).toBe("Sun, 28 Mar 2027, 09:00 GMT+2");
  expect(zonedTime(new Date("2027-03-28T07:00:00Z"), "UTC")).toBe("Sun, 28 Mar 2027, 07:00");
});
