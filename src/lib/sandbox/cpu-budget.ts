import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";

/** The maximum number of keys with a remembered balance. */
const MAX_KEYS = 10_000;

/** The CPU time per key. */
export interface CpuBudgetLimits {
  /** The burst after a pause, in milliseconds. */
  readonly burstMs: number;
  /** The sustained rate: milliseconds of CPU per second. */
  readonly refillMsPerSecond: number;
}

/** A token bucket of CPU time per key. */
export interface CpuBudget {
  /** Waits until the key has CPU time left; it may overdraw, and then waits longer next time. */
  wait(key: string, signal: AbortSignal): Promise<void>;
  /** Charges CPU time to the key, in milliseconds. */
  charge(key: string, cpuMs: number): void;
}

/** Creates full buckets. @param now milliseconds of a monotonic clock */
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
