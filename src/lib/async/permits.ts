/** How long a used-up window is not queried again, in milliseconds: another process may return permits. */
const EXHAUSTED_MS = 2_000;

/** The state of a window: see {@link createPermits}. */
export interface Granted {
  /** Unix seconds. */
  readonly startsAt: number;
  readonly endsAt: number;
  readonly msLeft: number;
  readonly allowed: number;
  /** Permits granted in this window so far to all processes, including these. */
  readonly used: number;
  /** Permits granted now: as many as requested, or the rest of the window. */
  readonly granted: number;
}

/** Whether a request may pass, and the state of its window. */
export interface Verdict {
  readonly passes: boolean;
  readonly allowed: number;
  /** Permits left in the window, as far as this process knows. */
  readonly remaining: number;
  /** Unix seconds of the window's end. */
  readonly resetAt: number;
  /** Whole seconds until the end, at least 1. */
  readonly retryAfter: number;
}

/** The permits that this process holds for one counted subject. */
export interface Permits {
  /**
   * Spends permits, by default one, from memory if there are enough. Passes while the window has any left; a batch may
   * need more than that, and then uses up the window.
   * @throws any error of the source: without a count no request passes
   */
  take(count?: number): Verdict | Promise<Verdict>;
  /** Removes and returns unspent permits, so that they can be given back. */
  drain(): { readonly startsAt: number; readonly count: number };
}

/**
 * Takes permits from a shared count in blocks and spends them one by one. Concurrent callers without permits share one
 * request to the source.
 * @param source takes at least `wanted` permits from the current window, or what is left
 * @param now milliseconds of a monotonic clock
 */
export function createPermits(
  source: (wanted: number) => Promise<Granted>,
  now: () => number = () => performance.now(),
): Permits {
  let window: Granted = { startsAt: 0, endsAt: 0, msLeft: 0, allowed: 0, used: 0, granted: 0 };
  let windowEnds = 0;
  let exhaustedUntil = 0;
  let spare = 0;
  let exhausted = false;
  let waiting = 0;
  let asking: Promise<void> | undefined;

  async function ask(): Promise<void> {
    const askedAt = now();
    const wanted = Math.max(0, waiting - (askedAt < windowEnds ? spare : 0));
    const answer = await source(wanted);
    spare = (answer.startsAt === window.startsAt ? spare : 0) + answer.granted;
    window = answer;
    // From the time of the request: a slow response must not extend the window.
    windowEnds = askedAt + answer.msLeft;
    exhausted = answer.granted < wanted;
    exhaustedUntil = exhausted ? Math.min(windowEnds, askedAt + EXHAUSTED_MS) : 0;
  }

  async function askAndSpend(count: number): Promise<Verdict> {
    waiting += count;
    try {
      do await (asking ??= ask().finally(() => (asking = undefined)));
      while (spare < count && !exhausted);
      return spend(count);
    } finally {
      waiting -= count;
    }
  }

  function spend(count: number): Verdict {
    const passes = spare > 0;
    spare = Math.max(0, spare - count);
    return {
      passes,
      allowed: window.allowed,
      remaining: Math.max(0, window.allowed - window.used) + spare,
      resetAt: window.endsAt,
      retryAfter: Math.max(1, Math.ceil((windowEnds - now()) / 1_000)),
    };
  }

  return {
    take(count = 1) {
      const at = now();
      const known = spare >= count ? at < windowEnds : at < exhaustedUntil;
      return known ? spend(count) : askAndSpend(count);
    },
    drain() {
      const count = spare;
      spare = 0;
      return { startsAt: window.startsAt, count };
    },
  };
}
