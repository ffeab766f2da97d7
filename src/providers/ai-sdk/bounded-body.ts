import { ModelError } from "#domain/models/model-call.ts";
import type { AnswerLimits } from "../define-provider.ts";
import { formatSize } from "#lib/text/format-size.ts";

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** A response body, and its limits. */
export interface BodySource {
  readonly chunks: AsyncIterator<Uint8Array>;
  /** Closes the connection. */
  readonly destroy: () => void;
  readonly limits: AnswerLimits;
  /** The response's `Content-Type`: only event streams have a line limit. */
  readonly contentType: string | null | undefined;
}

/**
 * A response body as a stream that fails with a ModelError `too_large` beyond its limits, and then closes the
 * connection. Costs half of `Readable.toWeb`; with `ReadableStream.from`, a cancelled stream would keep the connection
 * until the next chunk.
 */
export function boundedBody({ chunks, destroy, limits, contentType }: BodySource): ReadableStream<Uint8Array> {
  const check = createCheck(limits, contentType?.includes("text/event-stream") === true);
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) return controller.close();
      try {
        check(value);
      } catch (error) {
        destroy();
        throw error;
      }
      controller.enqueue(value);
    },
    cancel: destroy,
  });
}

function createCheck(limits: AnswerLimits, hasLines: boolean): (chunk: Uint8Array) => void {
  let bytes = 0;
  let lineBytes = 0;
  return (chunk) => {
    bytes += chunk.length;
    if (bytes > limits.bytes) throw tooLarge(`more than ${formatSize(limits.bytes)}`);
    const lineEnd = Math.max(chunk.lastIndexOf(LINE_FEED), chunk.lastIndexOf(CARRIAGE_RETURN));
    lineBytes = lineEnd === -1 ? lineBytes + chunk.length : chunk.length - 1 - lineEnd;
    if (hasLines && lineBytes > limits.lineBytes) throw tooLarge(`a line of more than ${formatSize(limits.lineBytes)}`);
  };
}

function tooLarge(what: string): ModelError {
  return new ModelError("too_large", `The provider sent ${what} in one answer, which is not allowed here.`);
}
