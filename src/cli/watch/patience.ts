import { setTimeout as sleep } from "node:timers/promises";
import { RefusedError, UnreachableError } from "../errors/cli-error.ts";
import { isTransient } from "../errors/refusal.ts";

/** Pauses before each try, in milliseconds: a restart of the service takes a few seconds, an outage ends the patience. */
const PAUSES_MS = [200, 400, 800, 1_500, 3_000, 5_000, 5_000, 5_000, 5_000, 5_000, 5_000, 5_000] as const;

/** Bears failures that may pass, for a while. */
export interface Patience {
  /** Notes that it works (again). */
  regain(): void;
  /**
   * Waits before the next try.
   * @throws the failure itself when waiting will not mend it, or this was the last try; the signal's reason.
   */
  bear(failure: unknown): Promise<void>;
}

/** What {@link createPatience} needs. */
export interface PatienceOptions {
  readonly signal: AbortSignal;
  /** Called at the first of several failures in a row. */
  readonly onTrouble: () => void;
}

/** Makes a patience for one connection. */
export function createPatience({ signal, onTrouble }: PatienceOptions): Patience {
  let failures = 0;
  return {
    regain() {
      failures = 0;
    },
    async bear(failure) {
      signal.throwIfAborted();
      const pause = PAUSES_MS[failures];
      if (pause === undefined || !mayPass(failure)) throw failure;
      if (failures++ === 0) onTrouble();
      await sleep(pause, undefined, { signal });
    },
  };
}

function mayPass(failure: unknown): boolean {
  return failure instanceof RefusedError ? isTransient(failure.status) : failure instanceof UnreachableError;
}
