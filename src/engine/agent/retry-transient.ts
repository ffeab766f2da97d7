import { setTimeout as sleep } from "node:timers/promises";
import { ModelError } from "#domain/models/model-call.ts";
import { retryPause } from "../models/retry-pause.ts";

/** A failed attempt that is followed by another one. */
export interface FailedAttempt {
  /** Its number, from 1. */
  readonly attempt: number;
  /** The pause before the next attempt, in milliseconds. */
  readonly pause: number;
  readonly error: ModelError;
}

/** Options of {@link retryTransient}. */
export interface RetryOptions {
  /** The maximum number of attempts. */
  readonly attempts: number;
  /** If a provider asks for a longer pause, in milliseconds, there is no retry; default: no limit. */
  readonly maxPauseMs?: number;
  readonly signal: AbortSignal;
  /** How many attempts a failed one counts as, if earlier executions made some; default: its number. */
  readonly attemptsOf?: (attempt: number, error: ModelError) => number;
  readonly onFailure?: (failed: FailedAttempt) => void;
}

/**
 * Calls a provider and retries transient errors.
 * @throws the error of the last attempt; the signal's reason after it aborts
 */
export async function retryTransient<T>(call: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { attempts, maxPauseMs = Infinity, signal, attemptsOf = Number, onFailure } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ModelError) || !error.isTransient) throw error;
      if (attemptsOf(attempt, error) >= attempts) throw error;
      if ((error.retryAfterMs ?? 0) > maxPauseMs) throw error;
      const pause = retryPause(attempt, error);
      onFailure?.({ attempt, pause, error });
      await sleep(pause, undefined, { signal });
    }
  }
}
