import { createParser } from "eventsource-parser";

/** A frame of the stream of changes. */
export interface LiveFrame {
  /** Undefined for an event of a followed run. */
  readonly event: string | undefined;
  readonly data: unknown;
}

/** An open stream of changes, read all the time. */
export interface LiveReader {
  readonly status: number;
  readonly frames: readonly LiveFrame[];
  /** Whether the service has closed it. */
  isOver(): boolean;
  close(): void;
}

/** Opens GET /console/api/live and waits for its first frame, or its error response. */
export async function readLive(
  url: string,
  headers: Readonly<Record<string, string>>,
  query = "",
): Promise<LiveReader> {
  const gone = new AbortController();
  const response = await fetch(`${url}/console/api/live${query}`, { headers, signal: gone.signal });
  const frames: LiveFrame[] = [];
  let over = false;
  const hello = Promise.withResolvers<void>();
  const parser = createParser({
    onEvent({ event, data }) {
      frames.push({ event, data: JSON.parse(data) });
      hello.resolve();
    },
  });
  void (async () => {
    try {
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) parser.feed(chunk);
    } catch {
      // The reader has closed it, or the service was stopped.
    } finally {
      over = true;
      hello.resolve();
    }
  })();
  await hello.promise;
  return { status: response.status, frames, isOver: () => over, close: () => gone.abort() };
}
