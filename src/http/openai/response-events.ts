import type { SseMessage } from "#lib/sse.ts";
import type { Reply } from "#operations/protocols/read-reply.ts";
import type { ReplyPiece } from "./reply-pieces.ts";
import { outputMessage, outputText, responseBody } from "./response-body.ts";
import type { ResponseOf } from "./response-body.ts";

/** The numbers of the events that open a stream; those of the log follow. */
const OPENING_EVENTS = 4;

/** What a stream of a response is made of. */
interface ResponseStream extends ResponseOf {
  readonly batches: AsyncIterable<readonly ReplyPiece[]>;
  /** Only events with a greater sequence number are given. */
  readonly after: number;
  readonly read: () => Promise<Reply>;
}

interface ResponseEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * The events of a streamed response (https://platform.openai.com/docs/api-reference/responses-streaming). Their
 * sequence numbers follow from the event log, so a stream that was cut is continued with `starting_after`.
 */
export async function* responseEvents(stream: ResponseStream): AsyncGenerator<readonly SseMessage[]> {
  const { taskId, batches, after, read } = stream;
  const place = { item_id: `msg_${taskId}`, output_index: 0, content_index: 0 };
  const numbered = (first: number, events: readonly ResponseEvent[]) =>
    events.flatMap((event, index) => {
      const sequence_number = first + index;
      if (sequence_number <= after) return [];
      return [{ event: event.type, data: JSON.stringify({ ...event, sequence_number }) }];
    });

  const opening = responseBody(stream, { ...(await read()), status: "running" });
  yield numbered(0, [
    { type: "response.created", response: opening },
    { type: "response.in_progress", response: opening },
    { type: "response.output_item.added", output_index: 0, item: outputMessage(taskId, "in_progress") },
    { type: "response.content_part.added", ...place, part: outputText("") },
  ]);
  for await (const batch of batches) {
    for (const piece of batch) {
      const first = OPENING_EVENTS + piece.seq;
      if (piece.kind === "text") {
        yield numbered(first, [{ type: "response.output_text.delta", ...place, delta: piece.delta, logprobs: [] }]);
      } else if (piece.kind === "end") {
        yield numbered(first + 1, [
          { type: "response.output_text.done", ...place, text: piece.text, logprobs: [] },
          { type: "response.content_part.done", ...place, part: outputText(piece.text) },
          { type: "response.output_item.done", output_index: 0, item: outputMessage(taskId, "completed", piece.text) },
          { type: "response.completed", response: responseBody(stream, { ...(await read()), text: piece.text }) },
        ]);
      } else {
        yield numbered(first, [{ type: "response.failed", response: responseBody(stream, await read()) }]);
      }
    }
  }
}
