/** How long a window that had no more is not asked again: another process may give permits back. */
const EXHAUSTED_MS = 2_000;

/** What a window has granted: see {@link createPermits}. */
export interface Granted {
  /** Unix seconds. */
  readonly startsAt: number;
  readonly endsAt: number;
  readonly msLeft: number;
  readonly allowed: number;
  /** Permits granted in this window so far to everyone, these included. */
  readonly used: number;
  /** Permits granted now: at least as many as wanted unless the window has no more. */
  readonly granted: number;
}

/** Whether a request may pass, and how its window stands after it. */
export interface Verdict {
  readonly passes: boolean;
  readonly allowed: number;
  /** Permits that are left in the window, as far as is known here. */
  readonly remaining: number;
  /** Unix seconds at which the window ends. */
  readonly resetAt: number;
  /** Whole seconds until then, at least 1. */
  readonly retryAfter: number;
}

/** The permits of one counted subject that this process holds. */
export interface Permits {
  /**
   * Spends permits, by default one, from memory where there are enough. Passes while the window has any left: a
   * batch may need more than that, and uses up the window then.
   * @throws whatever the source throws: without a count no request passes.
   */
  take(count?: number): Verdict | Promise<Verdict>;
  /** Hands over what is unspent, so that it can be given back. */
  drain(): { readonly startsAt: number; readonly count: number };
}

/**
 * Holds permits that were taken from a shared count in blocks, and spends them one by one. Whoever
 * finds none waits for one request to the source that all of them share.
 * @param source takes at least `wanted` permits, if there are so many, from the current window
 * @param now milliseconds of a clock that is never set
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
    // By the time of asking: an answer that was long on its way must not stretch the window.
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
