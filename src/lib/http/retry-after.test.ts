import { expect, test } from "vitest";
import { retryAfterMs } from "./retry-after.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");

test.each([
  [{ "retry-after": "7" }, 7_000],
  [{ "retry-after": "0.5" }, 500],
  [{ "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" }, 30_000],
  [{ "retry-after": "Wed, 31 Dec 2025 23:59:00 GMT" }, 0],
  [{ "retry-after": "7", "retry-after-ms": "250" }, 250],
  [{ "retry-after": "soon" }, undefined],
  [{}, undefined],
])("%j asks to wait %s ms", (headers, expected) => {
  expect(retryAfterMs(headers, NOW)).toBe(expected);
});
