import { describe, expect, test } from "vitest";
import { createLocalGate } from "./local-gate.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

function limitOf(requests: number, requestsLeft: number, requestsFullInMs = MINUTE) {
  return { requests, requestsLeft, requestsFullInMs };
}

/** Begins calls until one may not pass; returns how many did, and the verdict on that one. */
function beginAll(gate: ReturnType<typeof createLocalGate>, now: number, most = 1_000) {
  for (let begun = 0; begun < most; begun++) {
    const verdict = gate.check(now);
    if (verdict !== "pass") return [begun, verdict];
    gate.begin(now);
  }
  return [most, "pass"];
}

describe("without any response", () => {
  test("ten calls pass, and twice as many after each second", () => {
    const gate = createLocalGate();
    expect(beginAll(gate, 0)).toEqual([10, "hold"]);
    expect(beginAll(gate, SECOND - 1)).toEqual([0, "hold"]);
    expect(beginAll(gate, SECOND)).toEqual([10, "hold"]);
    expect(beginAll(gate, 2 * SECOND)).toEqual([20, "hold"]);
  });
});

describe("a provider that tells no limits", () => {
  test("takes any number of calls after its first response", () => {
    const gate = createLocalGate();
    gate.begin(0);
    gate.answered(undefined, 10);
    expect(beginAll(gate, 10)).toEqual([1_000, "pass"]);
  });
});

describe("a provider that tells limits", () => {
  test("takes calls without the database while they are far", () => {
    const gate = createLocalGate();
    gate.begin(0);
    gate.answered(limitOf(10_000, 9_999), 10);
    expect(beginAll(gate, 10)).toEqual([1_000, "pass"]);
    expect(gate.takeTold()).toEqual({ ...limitOf(10_000, 9_999), unanswered: 0 });
    expect(gate.takeTold()).toBeUndefined();
  });

  test("is shared once a burst is used up, with the calls from before its limits were known", () => {
    const gate = createLocalGate();
    beginAll(gate, 0);
    gate.answered(limitOf(60, 59), 10);
    expect(beginAll(gate, 10)[1]).toBe("ask");
    expect(beginAll(gate, 10 * MINUTE)).toEqual([0, "ask"]);
    expect(gate.takeTold()).toMatchObject({ requests: 60, unanswered: expect.any(Number) });
  });

  test("is shared while little is left, until that limit is full again", () => {
    for (const [left, verdict] of [
      [100, "ask"],
      [900, "pass"],
    ] as const) {
      const gate = createLocalGate();
      gate.begin(0);
      gate.answered(limitOf(1_000, left, 5 * SECOND), 0);
      expect(gate.check(0)).toBe(verdict);
    }
    const gate = createLocalGate();
    gate.begin(0);
    gate.answered(limitOf(1_000, 100, 5 * SECOND), 0);
    expect(gate.check(6 * SECOND)).toBe("pass");
  });

  test("counts tokens as well", () => {
    const gate = createLocalGate();
    gate.begin(0);
    gate.answered({ ...limitOf(1_000, 999), tokens: 1_000, tokensLeft: 200, tokensFullInMs: SECOND }, 0);
    expect(gate.check(0)).toBe("ask");
  });

  test("is no longer shared when the database finds it calm", () => {
    const gate = createLocalGate();
    gate.share();
    expect(gate.check(0)).toBe("ask");
    gate.calm(0);
    expect(gate.check(0)).toBe("pass");
  });
});

test("three failures in a row open the breaker for a minute; a success in between closes it", () => {
  const gate = createLocalGate();
  gate.failed(0);
  gate.failed(0);
  gate.succeeded();
  gate.failed(0);
  gate.failed(0);
  expect(gate.isBroken(0)).toBe(false);
  gate.failed(0);
  expect([gate.isBroken(MINUTE - 1), gate.isBroken(MINUTE)]).toEqual([true, false]);
  expect(gate.failed(MINUTE)).toBe(true);
  expect(gate.isBroken(MINUTE + 1)).toBe(true);
});

test("the breaker is opened once, also by another process", () => {
  const gate = createLocalGate();
  expect([0, 1, 2, 3].map((at) => gate.failed(at))).toEqual([false, false, true, false]);
  const other = createLocalGate();
  other.open(5);
  expect([other.isBroken(6), other.failed(6), other.isBroken(5 + MINUTE)]).toEqual([true, false, false]);
});

test("calls are counted over the last minute", () => {
  const gate = createLocalGate();
  for (let at = 0; at < 2 * MINUTE; at += SECOND) gate.begin(at);
  expect(gate.inLastMinute(2 * MINUTE)).toBe(60);
  expect(gate.inLastMinute(2.5 * MINUTE)).toBe(30);
  expect(gate.inLastMinute(10 * MINUTE)).toBe(0);
});
