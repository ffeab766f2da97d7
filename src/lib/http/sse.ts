/** A server-sent event. */
export interface SseMessage {
  /** The client sends it as `Last-Event-ID` when it reconnects. */
  readonly id?: string | number;
  /** The event's type. */
  readonly event?: string;
  /** One line of text. */
  readonly data: string;
}

/** Settings of {@link sseStream}. */
export interface SseOptions {
  /** After this much silence a comment is sent, so that proxies keep the connection open, in milliseconds. */
  readonly heartbeatMs: number;
  /** Called once when the client has disconnected, or the source has ended. */
  readonly onClose: () => void;
  /** Called after `onClose` when the client has disconnected before the source ended. */
  readonly onLeave?: (() => void) | undefined;
  /** Called after `onClose` when the source failed: to log it, and to break the connection. */
  readonly onError: (error: unknown) => void;
}

const HEARTBEAT = ": heartbeat\n\n";

/**
 * Encodes batches of messages as `text/event-stream` (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 * The source is read only when the client has consumed the previous batch.
 */
export function sseStream(
  source: AsyncIterable<readonly SseMessage[]>,
  { heartbeatMs, onClose, onLeave, onError }: SseOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const batches = source[Symbol.asyncIterator]();
  let heartbeat: NodeJS.Timeout | undefined;
  // Then a batch that is still awaited has no reader, and the controller takes nothing more.
  let hasLeft = false;

  function end(): void {
    clearInterval(heartbeat);
    onClose();
  }

  return new ReadableStream<Uint8Array>({
    start(controller) {
      // The first bytes are sent immediately, so that the client knows that the stream is open.
      controller.enqueue(encoder.encode(": connected\n\n"));
      heartbeat = setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(HEARTBEAT));
      }, heartbeatMs);
    },
    async pull(controller) {
      try {
        const { done, value } = await batches.next();
        if (hasLeft) return;
        if (done) {
          end();
          controller.close();
          return;
        }
        heartbeat?.refresh();
        controller.enqueue(encoder.encode(value.map(frame).join("")));
      } catch (error) {
        if (hasLeft) return;
        end();
        // Not `controller.error`: the HTTP server would print the error, apart from the log.
        onError(error);
        controller.close();
      }
    },
    async cancel() {
      hasLeft = true;
      end();
      onLeave?.();
      await batches.return?.();
    },
  });
}

function frame({ id, event, data }: SseMessage): string {
  const head = (id === undefined ? "" : `id: ${id}\n`) + (event === undefined ? "" : `event: ${event}\n`);
  return `${head}data: ${data}\n\n`;
}
