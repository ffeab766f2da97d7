import { readSse } from "./read-sse.ts";

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
  const silence = watchSilence();
  try {
    const bytes = await open(lastEventId, signal ? AbortSignal.any([signal, silence.signal]) : silence.signal);
    return bytes && listen(bytes, silence, retries);
  } finally {
    silence.end();
  }
}

async function* listen(
  bytes: AsyncIterable<Uint8Array>,
  silence: Silence,
  retries: Retries,
): AsyncGenerator<Uint8Array> {
  let isGreeted = false;
  silence.restart();
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

type Silence = ReturnType<typeof watchSilence>;

/** Creates a timer that aborts a connection unless it is restarted in time. */
function watchSilence() {
  const tooLong = new AbortController();
  const start = () => setTimeout(() => tooLong.abort(new Error("nothing came for too long")), SILENCE_MS);
  let timer = start();
  const end = () => clearTimeout(timer);
  const restart = () => {
    end();
    timer = start();
  };
  return { signal: tooLong.signal, restart, end };
}
