import { expect, test } from "vitest";
import { safeName } from "./file.ts";

test.each([
  ["../../etc/passwd", "passwd"],
  ["report. . .", "report"],
  ["...", "file"],
  ["a<b>.txt", "ab.txt"],
])("%j becomes the safe name %j", (given, name) => {
  expect(safeName(given)).toBe(name);
});

test("a name of many blanks and dots is handled in linear time", () => {
  const begun = performance.now();
  expect(safeName(`a${" .".repeat(100_000)}b.txt`)).toHaveLength(200);
  expect(performance.now() - begun).toBeLessThan(1_000);
});
