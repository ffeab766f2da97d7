import fc from "fast-check";
import { expect, test } from "vitest";
import { ModelError } from "#domain/models/model-call.ts";
import { retryPause } from "./retry-pause.ts";

const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

test("pauses double from one second on, each a quarter longer at most", () => {
  const error = new ModelError("unavailable", "Down.");
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 }), chance, (attempt, random) => {
      const pause = retryPause(attempt, error, () => random);
      expect(pause).toBeGreaterThanOrEqual(1_000 * 2 ** (attempt - 1));
      expect(pause).toBeLessThanOrEqual(1_250 * 2 ** (attempt - 1));
    }),
  );
});

test("the provider's requested pause is the minimum for every attempt", () => {
  fc.assert(
    fc.property(fc.nat(60_000), fc.integer({ min: 1, max: 10 }), chance, (retryAfterMs, attempt, random) => {
      const pause = retryPause(attempt, new ModelError("rate_limit", "Slow down.", { retryAfterMs }), () => random);
      expect(pause).toBeGreaterThanOrEqual(retryAfterMs);
      expect(pause).toBeLessThanOrEqual(retryAfterMs * 1.25 + 1);
    }),
  );
});

test("runs that failed together do not retry together", () => {
  const error = new ModelError("rate_limit", "Slow down.", { retryAfterMs: 10_000 });
  const pauses = Array.from({ length: 50 }, () => retryPause(1, error));
  expect(new Set(pauses).size).toBeGreaterThan(10);
});
