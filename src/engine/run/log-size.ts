import type { RunLimits } from "./run-context.ts";
import { RunFailure } from "./run-failure.ts";

const MIB = 1_048_576;

/** The size of an attempt's log so far. */
export interface LogSize {
  /** @throws RunFailure `MODEL_ERROR` when the log has reached its limit; only the end may follow. */
  check(): void;
  /** Counts an event and returns its text. */
  add(text: string): string;
}

/** Creates the counter of an attempt's log, including the events of earlier executions. */
export function createLogSize(
  { maxEvents, maxEventBytes }: Pick<RunLimits, "maxEvents" | "maxEventBytes">,
  written: { readonly events: number; readonly bytes: number },
): LogSize {
  let { events, bytes } = written;
  return {
    check() {
      if (events >= maxEvents) {
        throw new RunFailure("MODEL_ERROR", `The run has more than ${maxEvents} events (RUN_MAX_EVENTS).`);
      }
      if (bytes >= maxEventBytes) {
        const mib = maxEventBytes / MIB;
        throw new RunFailure("MODEL_ERROR", `The run has more than ${mib} MiB of events (RUN_MAX_EVENTS_MIB).`);
      }
    },
    add(text) {
      events += 1;
      bytes += Buffer.byteLength(text);
      return text;
    },
  };
}
