import { expect, test } from "vitest";
import { createDice } from "#lib/dice.ts";
import type { Dice } from "#lib/dice.ts";
import { estimateFrom, outlookFrom } from "./estimate.ts";

const costing = (...costs: readonly number[]) =>
  costs.map((cost_usd) => ({ cost_usd, total_tokens: cost_usd * 1_000, duration_ms: 10 }));
const oneToTen = costing(3, 1, 2, 10, 9, 8, 7, 6, 5, 4);

test("half of the runs stay at or below p50, nine of ten at or below p90", () => {
  expect(estimateFrom({ samples: oneToTen, version: 3 })).toEqual({
    runs: 10,
    agent_version: 3,
    cost_usd: { p50: 5, p90: 9 },
    total_tokens: { p50: 5_000, p90: 9_000 },
    duration_ms: { p50: 10, p90: 10 },
    stopped_share: null,
  });
});

test("without runs nothing is estimated", () => {
  const none = { samples: [], version: null };
  expect(estimateFrom(none, { max_usd: 1 })).toMatchObject({ runs: 0, cost_usd: null, stopped_share: null });
  expect(outlookFrom([], 2)).toEqual({ spent_usd: 2, going_on_usd: null, again_usd: null, runs: 0 });
});

test("a cap stops the runs above it, in dollars or in tokens", () => {
  const shareOf = (cap: object) => estimateFrom({ samples: oneToTen, version: null }, cap).stopped_share;
  expect(shareOf({ max_usd: 8 })).toBe(0.2);
  expect(shareOf({ max_tokens: 4_000 })).toBe(0.6);
  expect(shareOf({ max_usd: 8, max_tokens: 4_000 })).toBe(0.6);
  expect(shareOf({ max_usd: 0 })).toBe(1);
  expect(shareOf({ max_usd: null, max_tokens: null })).toBeNull();
});

test("going on costs what comparable runs cost beyond what was spent", () => {
  expect(outlookFrom(oneToTen, 6)).toEqual({
    spent_usd: 6,
    going_on_usd: { p50: 2, p90: 4 },
    again_usd: { p50: 5, p90: 9 },
    runs: 10,
  });
  expect(outlookFrom(oneToTen, 10).going_on_usd).toBeNull();
});

/** Costs of runs as agents have them. */
const DISTRIBUTIONS: Readonly<Record<string, (dice: Dice) => number>> = {
  even: (dice) => dice.between(0.1, 2),
  "long tail": (dice) => 0.05 * Math.exp(0.5 * normal(dice)),
  "two kinds of work": (dice) => (dice.chance(0.3) ? dice.between(1, 2) : dice.between(0.01, 0.1)),
  "with retries": (dice) => 0.2 * (1 + [0.5, 0.25, 0.1].filter((share) => dice.chance(share)).length),
};

test.for(Object.entries(DISTRIBUTIONS))("p90 of 200 runs tells the next 200 within a quarter: %s", ([name, roll]) => {
  for (let series = 1; series <= 20; series++) {
    const dice = createDice(`${name} ${series}`);
    const bill = () => costing(...Array.from({ length: 200 }, () => roll(dice)));
    const told = estimateFrom({ samples: bill(), version: null }).cost_usd?.p90 ?? NaN;
    const came = estimateFrom({ samples: bill(), version: null }).cost_usd?.p90 ?? NaN;
    expect(told / came).toBeGreaterThan(0.75);
    expect(told / came).toBeLessThan(1.25);
  }
});

function normal(dice: Dice): number {
  return Math.sqrt(-2 * Math.log(1 - dice.between(0, 1))) * Math.cos(2 * Math.PI * dice.between(0, 1));
}
