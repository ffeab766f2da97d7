import { setTimeout as sleep } from "node:timers/promises";
import type { RetryTimer } from "./retry-timer.ts";
import { isFinal } from "./watch-event.ts";
import type { WatchEvent } from "./watch-event.ts";

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 2_000;
const PAUSE_GROWTH = 1.5;

/** What to look at. */
export interface PollOptions<T> {
  readonly read: () => Promise<T>;
  /** What a record says, as events: its state, and if it has ended the event with which its stream ends. */
  readonly describe: (record: T) => readonly WatchEvent[];
  readonly signal: AbortSignal;
  readonly retries: RetryTimer;
}

/**
 * Follows a record without an AG-UI key: looks at it from time to time and gives its events when they differ from
 * those before, until one of them is final.
 * @throws CliError when the service rejects, or stays away for too long; the signal's reason.
 */
export async function* poll<T>({ read, describe, signal, retries }: PollOptions<T>): AsyncGenerator<WatchEvent> {
  let seen: string | undefined;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * PAUSE_GROWTH, MAX_PAUSE_MS)) {
    const events = describe(await readWithRetries(read, retries));
    const state = JSON.stringify(events);
    if (state !== seen) {
      yield* events;
      pause = FIRST_PAUSE_MS;
    }
    seen = state;
    if (events.some(isFinal)) return;
    await sleep(pause, undefined, { signal });
  }
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
