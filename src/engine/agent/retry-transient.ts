import { setTimeout as sleep } from "node:timers/promises";
import { ModelError } from "#domain/models/model-call.ts";
import { retryPause } from "../models/retry-pause.ts";

/** A failed attempt after which another one is made. */
export interface FailedAttempt {
  /** Its number, from 1. */
  readonly attempt: number;
  /** Until the next one, in milliseconds. */
  readonly pause: number;
  readonly error: ModelError;
}

/** What {@link retryTransient} is told. */
export interface RetryOptions {
  /** How often the call is made at most. */
  readonly attempts: number;
  /** A provider that asks for a longer pause than this is not asked again, in milliseconds; default: any pause. */
  readonly maxPauseMs?: number;
  readonly signal: AbortSignal;
  readonly onFailure?: (failed: FailedAttempt) => void;
}

/**
 * Makes a call to a provider, again after failures that may pass.
 * @throws what the last attempt has thrown; the reason of the signal once that fires
 */
export async function retryTransient<T>(call: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { attempts, maxPauseMs = Infinity, signal, onFailure } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ModelError) || !error.isTransient || attempt >= attempts) throw error;
      if ((error.retryAfterMs ?? 0) > maxPauseMs) throw error;
      const pause = retryPause(attempt, error);
      onFailure?.({ attempt, pause, error });
      await sleep(pause, undefined, { signal });
    }
  }
}
