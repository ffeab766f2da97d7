import { ModelError } from "#domain/models/model-call.ts";
import type { AnswerLimits } from "../define-provider.ts";
import { formatSize } from "#lib/text/format-size.ts";

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
/** The bytes of a frame's length. */
const FRAME_HEAD = 4;

/** A response body, and its limits. */
export interface BodySource {
  readonly chunks: AsyncIterator<Uint8Array>;
  /** Closes the connection. */
  readonly destroy: () => void;
  readonly limits: AnswerLimits;
  /** The response's `Content-Type`: event streams have a limit of lines, those of Amazon one of frames. */
  readonly contentType: string | null | undefined;
}

/**
 * A response body as a stream that fails with a ModelError `too_large` beyond its limits, and then closes the
 * connection. Costs half of `Readable.toWeb`; with `ReadableStream.from`, a cancelled stream would keep the connection
 * until the next chunk.
 */
export function boundedBody({ chunks, destroy, limits, contentType }: BodySource): ReadableStream<Uint8Array> {
  const check = createCheck(limits, contentType ?? "");
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

function createCheck(limits: AnswerLimits, contentType: string): (chunk: Uint8Array) => void {
  let bytes = 0;
  const checkPart = createPartCheck(limits, contentType);
  return (chunk) => {
    bytes += chunk.length;
    if (bytes > limits.bytes) throw tooLarge(`more than ${formatSize(limits.bytes)}`);
    checkPart(chunk);
  };
}

function createPartCheck({ lineBytes }: AnswerLimits, contentType: string): (chunk: Uint8Array) => void {
  if (contentType.includes("text/event-stream")) return createLineCheck(lineBytes);
  return contentType.includes("amazon.eventstream") ? createFrameCheck(lineBytes) : () => undefined;
}

function createLineCheck(limit: number): (chunk: Uint8Array) => void {
  let bytes = 0;
  return (chunk) => {
    const lineEnd = Math.max(chunk.lastIndexOf(LINE_FEED), chunk.lastIndexOf(CARRIAGE_RETURN));
    bytes = lineEnd === -1 ? bytes + chunk.length : chunk.length - 1 - lineEnd;
    if (bytes > limit) throw tooLarge(`a line of more than ${formatSize(limit)}`);
  };
}

/** A frame begins with its length, as 32 bits; its reader holds it in memory until it is complete. */
function createFrameCheck(limit: number): (chunk: Uint8Array) => void {
  let head: number[] = [];
  let left = 0;
  return (chunk) => {
    for (let at = 0; at < chunk.length;) {
      if (left === 0) {
        head.push(chunk[at++] ?? 0);
        if (head.length < FRAME_HEAD) continue;
        const length = Buffer.from(head).readUInt32BE();
        if (length > limit) throw tooLarge(`a frame of more than ${formatSize(limit)}`);
        left = Math.max(0, length - FRAME_HEAD);
        head = [];
      } else {
        const skipped = Math.min(left, chunk.length - at);
        left -= skipped;
        at += skipped;
      }
    }
  };
}

function tooLarge(what: string): ModelError {
  return new ModelError("too_large", `The provider sent ${what} in one answer, which is not allowed here.`);
}
