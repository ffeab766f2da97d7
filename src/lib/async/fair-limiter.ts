/** Work waited for a slot longer than allowed. */
export class SlotTimeoutError extends Error {
  override readonly name = "SlotTimeoutError";
}

/** The limits of concurrency and waiting. */
export interface FairLimits {
  /** Concurrent work in total. */
  readonly total: number;
  /** Concurrent work per key. */
  readonly perKey: number;
  /** How long work waits for a slot, in milliseconds. */
  readonly timeoutMs: number;
}

/** Limits concurrent work, in total and per key. */
export interface FairLimiter {
  /** Runs the work when a slot is free, in order of arrival. @throws SlotTimeoutError; the signal's reason */
  take<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

interface Waiting {
  readonly key: string;
  readonly start: () => void;
}

/** Creates a limiter. */
export function createFairLimiter({ total, perKey, timeoutMs }: FairLimits): FairLimiter {
  const running = new Map<string, number>();
  const queue = new Set<Waiting>();
  let busy = 0;

  function startWhoMay(): void {
    for (const waiting of queue) {
      if (busy >= total) return;
      const own = running.get(waiting.key) ?? 0;
      if (own >= perKey) continue;
      queue.delete(waiting);
      busy += 1;
      running.set(waiting.key, own + 1);
      waiting.start();
    }
  }

  function leave(key: string): void {
    busy -= 1;
    const left = (running.get(key) ?? 1) - 1;
    if (left === 0) running.delete(key);
    else running.set(key, left);
    startWhoMay();
  }

  function turn(key: string, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const waiting: Waiting = { key, start: () => (stopWaiting(), resolve()) };
      const timer = setTimeout(() => giveUp(new SlotTimeoutError("Timed out waiting for a slot.")), timeoutMs);
      const abort = () => giveUp(signal?.reason);
      signal?.addEventListener("abort", abort);

      function stopWaiting(): void {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
      }
      function giveUp(reason: unknown): void {
        stopWaiting();
        queue.delete(waiting);
        reject(reason);
      }

      queue.add(waiting);
      startWhoMay();
    });
  }

  return {
    async take(key, work, signal) {
      await turn(key, signal);
      try {
        return await work();
      } finally {
        leave(key);
      }
    },
  };
}
