import type { ToldLimits } from "#db/queries/queue/model-gates.ts";

const MINUTE_MS = 60_000;
/** The calls that may be in progress while nothing is known of a provider's limits. */
const UNKNOWN_CALLS = 10;
/** After so long without a response, twice as many may be. */
const GROWTH_MS = 1_000;
/** The share of a limit that must be left for calls without asking, and what may be used of a minute at once. */
const ENOUGH_LEFT = 1 / 4;
const BURST = 1 / 6;
const MIN_BURST = 10;
/** Failures in a row that open the breaker, and for how long. */
const MAX_FAILURES = 3;
const BROKEN_MS = 60_000;

/** Whether a call may pass, must ask the database, or waits until others have been answered. */
export type LocalVerdict = "pass" | "ask" | "hold";

/**
 * What a process knows of a gate. As long as its provider's limits are far or unknown, calls pass without the database.
 * Once they are near, all processes share the gate. Times are in milliseconds of any clock that does not jump.
 */
export interface LocalGate {
  check(now: number): LocalVerdict;
  /** A call begins. */
  begin(now: number): void;
  /** The headers of a call's response arrived. @param told with its number if the database let it pass */
  answered(told: ToldLimits | undefined, now: number): void;
  /** A call ended without a response. */
  unanswered(): void;
  succeeded(): void;
  /** A call failed; returns whether that opened the breaker. */
  failed(now: number): boolean;
  /** Another process has opened the breaker. */
  open(now: number): void;
  /** Whether the provider failed so often that another model should be called. */
  isBroken(now: number): boolean;
  /** From now on, calls ask the database. */
  share(): void;
  /** The limits are far again. */
  calm(now: number): void;
  /** What the database has not been told yet. */
  takeTold(): ToldLimits | undefined;
  /** The calls of the last minute, about. */
  inLastMinute(now: number): number;
}

/** Creates the knowledge of a gate of which nothing is known. */
export function createLocalGate(): LocalGate {
  let isShared = false;
  let isKnown = false;
  let waiting = 0;
  let allowed = UNKNOWN_CALLS;
  let grownAt = 0;
  let told: (ToldLimits & { readonly at: number }) | undefined;
  let untold: ToldLimits | undefined;
  /** When the calls that passed would have been made at an even pace. */
  let pacedAt = 0;
  let failures = 0;
  let brokenUntil = 0;
  const calls = createCount();

  function isNear(now: number): boolean {
    if (told === undefined) return false;
    const { requests, requestsLeft = Infinity, tokens, tokensLeft = Infinity, at } = told;
    const isCurrent = (fullInMs = 0) => at + fullInMs > now;
    if (tokens !== undefined && isCurrent(told.tokensFullInMs) && tokensLeft < tokens * ENOUGH_LEFT) return true;
    if (requests === undefined) return false;
    if (isCurrent(told.requestsFullInMs) && requestsLeft - waiting < requests * ENOUGH_LEFT) return true;
    const burst = Math.max(MIN_BURST, requests * BURST);
    return pacedAt - now > ((burst - 1) / requests) * MINUTE_MS;
  }

  function open(now: number): void {
    brokenUntil = now + BROKEN_MS;
  }

  return {
    check(now) {
      if (isShared || isNear(now)) return ((isShared = true), "ask");
      if (isKnown || waiting < allowed) return "pass";
      if (now - grownAt < GROWTH_MS) return "hold";
      allowed *= 2;
      grownAt = now;
      return "pass";
    },
    begin(now) {
      if (waiting === 0) grownAt = now;
      waiting += 1;
      calls.add(now);
      if (told?.requests !== undefined) pacedAt = Math.max(pacedAt, now) + MINUTE_MS / told.requests;
    },
    answered(limits, now) {
      waiting -= 1;
      isKnown = true;
      if (limits === undefined) return;
      if (told?.requests === undefined && limits.requests !== undefined) {
        pacedAt = now + (calls.inLastMinute(now) / limits.requests) * MINUTE_MS;
      }
      told = { ...limits, at: now };
      untold = limits.by === undefined ? { ...limits, unanswered: waiting } : limits;
    },
    unanswered: () => void (waiting -= 1),
    succeeded: () => void (failures = 0),
    failed(now) {
      failures += 1;
      if (failures < MAX_FAILURES || now < brokenUntil) return false;
      open(now);
      return true;
    },
    open,
    isBroken: (now) => now < brokenUntil,
    share: () => void (isShared = true),
    calm(now) {
      isShared = false;
      pacedAt = now;
    },
    takeTold() {
      const taken = untold;
      untold = undefined;
      return taken;
    },
    inLastMinute: calls.inLastMinute,
  };
}

/** Counts events of the last minute, from the counts of this one and of the one before. */
function createCount() {
  let minute = 0;
  let current = 0;
  let previous = 0;
  function turn(now: number): number {
    const begun = Math.floor(now / MINUTE_MS);
    if (begun > minute) {
      previous = begun === minute + 1 ? current : 0;
      current = 0;
      minute = begun;
    }
    return 1 - (now / MINUTE_MS - begun);
  }
  return {
    add(now: number): void {
      turn(now);
      current += 1;
    },
    inLastMinute(now: number): number {
      const share = turn(now);
      return Math.ceil(previous * share + current);
    },
  };
}
