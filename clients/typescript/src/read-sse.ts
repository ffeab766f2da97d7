import { createParser } from "eventsource-parser";

/** One message of a stream of server-sent events. */
export interface SseEvent {
  /** The id to send as `Last-Event-ID` to continue after this event; "" if the stream had none so far. */
  readonly id: string;
  /** The data lines, joined by line feeds. */
  readonly data: string;
}

/**
 * Parses `text/event-stream` from chunks of any size. An unfinished event at the end is dropped. Event names and
 * `retry` are ignored: the service does not use them.
 */
export async function* readSse(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<SseEvent> {
  const decoder = new TextDecoder();
  let received: SseEvent[] = [];
  let lastId = "";
  const parser = createParser({
    onEvent({ id, data }) {
      lastId = id ?? lastId;
      received.push({ id: lastId, data });
    },
  });
  for await (const piece of bytes) {
    parser.feed(decoder.decode(piece, { stream: true }));
    const events = received;
    received = [];
    yield* events;
  }
}
