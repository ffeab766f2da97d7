import { setTimeout as sleep } from "node:timers/promises";
import { RejectedError, UnreachableError } from "../errors/cli-error.ts";
import { isTransient } from "../errors/service-rejection.ts";

/** Pauses before each try, in milliseconds: a restart of the service takes a few seconds, an outage ends the retries. */
const PAUSES_MS = [200, 400, 800, 1_500, 3_000, 5_000, 5_000, 5_000, 5_000, 5_000, 5_000, 5_000] as const;

/** Bears failures that may pass, for a while. */
export interface RetryTimer {
  /** Notes that it works (again). */
  regain(): void;
  /**
   * Waits before the next try.
   * @throws the failure itself when waiting will not help, or this was the last try; the signal's reason.
   */
  bear(failure: unknown): Promise<void>;
}

/** What {@link createRetryTimer} needs. */
export interface RetryTimerOptions {
  readonly signal: AbortSignal;
  /** Called at the first of several failures in a row. */
  readonly onTrouble: () => void;
}

/** Makes the timer of one connection. */
export function createRetryTimer({ signal, onTrouble }: RetryTimerOptions): RetryTimer {
  let failures = 0;
  return {
    regain() {
      failures = 0;
    },
    async bear(failure) {
      signal.throwIfAborted();
      const pause = PAUSES_MS[failures];
      if (pause === undefined || !isRetryable(failure)) throw failure;
      if (failures++ === 0) onTrouble();
      await sleep(pause, undefined, { signal });
    },
  };
}

function isRetryable(failure: unknown): boolean {
  return failure instanceof RejectedError ? isTransient(failure.status) : failure instanceof UnreachableError;
}

/** Reads a record, through failures that may pass. */
export async function readWithRetries<T>(read: () => Promise<T>, retries: RetryTimer): Promise<T> {
  for (;;) {
    try {
      const record = await read();
      retries.regain();
      return record;
    } catch (error) {
      await retries.bear(error);
    }
  }
}
