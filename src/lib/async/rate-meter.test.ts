import { expect, test } from "vitest";
import { createRateMeter } from "./rate-meter.ts";

test("a steady rate is measured, and falls to zero when nothing follows", () => {
  let nowMs = 0;
  const meter = createRateMeter(() => nowMs);
  for (; nowMs < 3_000; nowMs += 10) meter.add(4);
  expect(meter.perSecond()).toBeGreaterThan(360);
  expect(meter.perSecond()).toBeLessThan(440);
  nowMs += 2_000;
  expect(meter.perSecond()).toBeLessThan(1);
});
