import { readSse } from "./read-sse.ts";
import { startTimeLimit } from "./time-limit.ts";
import type { TimeLimit } from "./time-limit.ts";

/** A connection that is silent for this long is dead, in milliseconds: the service sends a comment every 15 s. */
const SILENCE_MS = 45_000;

/** Decides how failures are handled. */
export interface Retries {
  /** Resets the pauses; call it when the connection works. */
  reset(): void;
  /** Waits before the next try. @throws the failure when a retry is pointless */
  wait(failure: unknown): Promise<void>;
}

/** The stream to follow. */
export interface Followed<Event> {
  /** Connects after an event; undefined when the service reports that no events follow. */
  readonly open: (
    lastEventId: string | undefined,
    signal: AbortSignal,
  ) => Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Parses the data of an event. */
  readonly parse: (data: string) => Event;
  /** Whether an event is the last one. */
  readonly isFinal: (event: Event) => boolean;
  readonly retries: Retries;
  /** Continue after this event; absent: from the start. */
  readonly lastEventId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An event with its id, after which a stream can continue. */
export interface Identified<Event> {
  readonly id: string;
  readonly event: Event;
}

/**
 * Yields the events of a run until its end. After a broken connection, it reconnects after the last received event, so no event is lost or yielded twice.
 * @throws what {@link Retries.wait} throws; the signal's reason.
 */
export async function* follow<Event>(followed: Followed<Event>): AsyncGenerator<Identified<Event>> {
  const { parse, isFinal, retries } = followed;
  let { lastEventId } = followed;
  for (;;) {
    try {
      const connection = await connect(followed, lastEventId);
      if (connection === undefined) return;
      for await (const { id, data } of readSse(connection)) {
        const event = parse(data);
        retries.reset();
        if (id !== "") lastEventId = id;
        yield { id, event };
        if (isFinal(event)) return;
      }
      throw new Error("The service closed the stream before the run had ended.");
    } catch (error) {
      followed.signal?.throwIfAborted();
      await retries.wait(error);
    }
  }
}

/** Yields the bytes of one connection; it is aborted after too long a silence. */
async function connect<Event>(
  { open, retries, signal }: Followed<Event>,
  lastEventId: string | undefined,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const silence = startTimeLimit(SILENCE_MS, signal, () => new Error("nothing came for too long"));
  const bytes = await open(lastEventId, silence.signal).catch((error: unknown) => {
    silence.end();
    throw error;
  });
  if (bytes !== undefined) return listen(bytes, silence, retries);
  silence.end();
  return undefined;
}

async function* listen(
  bytes: AsyncIterable<Uint8Array>,
  silence: TimeLimit,
  retries: Retries,
): AsyncGenerator<Uint8Array> {
  let isGreeted = false;
  try {
    for await (const piece of bytes) {
      silence.restart();
      // An agent may think for long: a heartbeat after the greeting shows that the connection works.
      if (isGreeted) retries.reset();
      isGreeted = true;
      yield piece;
    }
  } finally {
    silence.end();
  }
}
