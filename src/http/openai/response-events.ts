import type { SseMessage } from "#lib/http/sse.ts";
import type { ReplyPart } from "#operations/protocols/follow-reply.ts";
import type { Reply } from "#operations/protocols/read-reply.ts";
import type { ReplyPiece } from "#operations/protocols/reply-pieces.ts";
import { messageId } from "./ids.ts";
import { functionCalls, outputMessage, outputText, responseBody } from "./response-body.ts";
import type { EventCalls, ResponseOf } from "./response-body.ts";

/** The number of events that start the message; the two before them open the stream, those of the log follow. */
const MESSAGE_EVENTS = 2;
const OPENING_EVENTS = 4;

/** The source of a response's stream. */
interface ResponseStream extends ResponseOf {
  readonly batches: AsyncIterable<readonly ReplyPiece[]>;
  /** Only events with a greater sequence number are sent. */
  readonly after: number;
  readonly read: () => Promise<Reply>;
}

interface ResponseEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * Yields the events of a streamed response (https://platform.openai.com/docs/api-reference/responses-streaming). Their
 * sequence numbers are derived from the event log, so an interrupted stream continues with `starting_after`.
 */
export async function* responseEvents(stream: ResponseStream): AsyncGenerator<readonly SseMessage[]> {
  const { part, batches, after, read } = stream;
  const numbered = (first: number, events: readonly ResponseEvent[]) =>
    events.flatMap((event, index) => {
      const sequence_number = first + index;
      if (sequence_number <= after) return [];
      return [{ event: event.type, data: JSON.stringify({ ...event, sequence_number }) }];
    });
  const response = async (fields: Partial<Reply> = {}) => responseBody(stream, { ...(await read()), ...fields });

  const opening = await response({ status: "running" });
  yield numbered(0, [
    { type: "response.created", response: opening },
    { type: "response.in_progress", response: opening },
  ]);
  let hasMessage = false;
  for await (const batch of batches) {
    for (const piece of batch) {
      const first = OPENING_EVENTS + piece.seq;
      if (piece.kind === "text" && !hasMessage) {
        hasMessage = true;
        yield numbered(MESSAGE_EVENTS, messageBegins(part));
      }
      if (piece.kind === "text") {
        yield numbered(first, [
          { type: "response.output_text.delta", ...placeOf(part), delta: piece.delta, logprobs: [] },
        ]);
      } else if (piece.kind === "failed") {
        yield numbered(first, [{ type: "response.failed", response: await response() }]);
      } else {
        const message = hasMessage ? messageEnds(part, piece.text) : [];
        const calls = piece.kind === "calls" ? callEvents(part, piece, hasMessage ? 1 : 0) : [];
        const whole = await response({ text: piece.text });
        const end = { type: `response.${whole.status === "incomplete" ? "incomplete" : "completed"}`, response: whole };
        yield numbered(first + 1, [...message, ...calls, end]);
      }
    }
  }
}

function placeOf(part: ReplyPart) {
  return { item_id: messageId(part), output_index: 0, content_index: 0 };
}

function messageBegins(part: ReplyPart): ResponseEvent[] {
  return [
    { type: "response.output_item.added", output_index: 0, item: outputMessage(part, "in_progress") },
    { type: "response.content_part.added", ...placeOf(part), part: outputText("") },
  ];
}

function messageEnds(part: ReplyPart, text: string): ResponseEvent[] {
  return [
    { type: "response.output_text.done", ...placeOf(part), text, logprobs: [] },
    { type: "response.content_part.done", ...placeOf(part), part: outputText(text) },
    { type: "response.output_item.done", output_index: 0, item: outputMessage(part, "completed", text) },
  ];
}

function callEvents(part: ReplyPart, asked: EventCalls, firstIndex: number): ResponseEvent[] {
  return functionCalls(part, asked).flatMap((item, index): ResponseEvent[] => {
    const output_index = firstIndex + index;
    const place = { item_id: item.id, output_index };
    return [
      {
        type: "response.output_item.added",
        output_index,
        item: { ...item, status: "in_progress", arguments: "" },
      },
      { type: "response.function_call_arguments.delta", ...place, delta: item.arguments },
      { type: "response.function_call_arguments.done", ...place, name: item.name, arguments: item.arguments },
      { type: "response.output_item.done", output_index, item },
    ];
  });
}
