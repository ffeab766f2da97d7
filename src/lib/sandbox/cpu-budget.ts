import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";

/** Keys whose spending is remembered at a time. */
const MAX_KEYS = 10_000;

/** How much CPU time each key may use. */
export interface CpuBudgetLimits {
  /** At once, after a pause, in milliseconds. */
  readonly burstMs: number;
  /** In the long run: milliseconds of CPU per second. */
  readonly refillMsPerSecond: number;
}

/** A token bucket of CPU time for each key. */
export interface CpuBudget {
  /** Waits until the key may use any; it may then use more than it has, and waits longer the next time. */
  wait(key: string, signal: AbortSignal): Promise<void>;
  /** Takes CPU time, in milliseconds, from the key's bucket. */
  charge(key: string, cpuMs: number): void;
}

/** Makes full buckets. @param now milliseconds of a clock that is never set back */
export function createCpuBudget(
  { burstMs, refillMsPerSecond }: CpuBudgetLimits,
  now: () => number = () => performance.now(),
): CpuBudget {
  const buckets = new LRUCache<string, { readonly leftMs: number; readonly at: number }>({ max: MAX_KEYS });

  function leftOf(key: string): number {
    const bucket = buckets.get(key);
    if (bucket === undefined) return burstMs;
    return Math.min(burstMs, bucket.leftMs + ((now() - bucket.at) * refillMsPerSecond) / 1_000);
  }

  return {
    async wait(key, signal) {
      for (let left = leftOf(key); left <= 0; left = leftOf(key)) {
        await sleep(Math.ceil(((1 - left) * 1_000) / refillMsPerSecond), undefined, { signal, ref: false });
      }
    },
    charge(key, cpuMs) {
      buckets.set(key, { leftMs: leftOf(key) - cpuMs, at: now() });
    },
  };
}
