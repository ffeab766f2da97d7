import type { FinishReason } from "#domain/models/reply-parts.ts";
import type { SseMessage } from "#lib/http/sse.ts";
import { isEnd } from "./reply-pieces.ts";
import type { EndPiece, ReplyPiece } from "./reply-pieces.ts";
import { messageId } from "./ids.ts";
import { withNotice } from "./question-notice.ts";
import { functionCalls, messageStatus, noticeOf, outputMessage, outputText, responseBody } from "./response-body.ts";
import type { EventCalls, ItemStatus, ResponseEvent, ResponseOf } from "./response-body.ts";
import { reasoningBegins, reasoningDelta, reasoningEnds } from "./reasoning-events.ts";
import type { OpenReasoning } from "./reasoning-events.ts";
import type { ReplyPart } from "./reply-event.ts";
import type { Reply, Said } from "./reply.ts";
import { NOTHING_SAID, withPiece } from "./reply.ts";

/** The source of a response's stream. */
interface ResponseStream extends ResponseOf {
  readonly batches: AsyncIterable<readonly ReplyPiece[]>;
  /** Only events with a greater sequence number are sent. */
  readonly after: number;
  /** The reply at its beginning; undefined: it is read. */
  readonly opening: Reply | undefined;
  /** Reads the rest of the reply. */
  readonly read: (said: Said) => Promise<Reply>;
}

/**
 * Yields the events of a streamed response (https://platform.openai.com/docs/api-reference/responses-streaming). They
 * are numbered without jumps, and the same for every reader of the log, so an interrupted stream continues with
 * `starting_after`.
 */
export async function* responseEvents(stream: ResponseStream): AsyncGenerator<readonly SseMessage[]> {
  const { batches, after, read } = stream;
  let next = 0;
  const numbered = (events: readonly ResponseEvent[]) =>
    events.flatMap((event): SseMessage[] => {
      const sequence_number = next++;
      if (sequence_number <= after) return [];
      return [{ event: event.type, data: JSON.stringify({ ...event, sequence_number }) }];
    });
  const items = createItems(stream);

  const opening = responseBody(stream, { ...(stream.opening ?? (await read(NOTHING_SAID))), ...BEGUN });
  yield numbered([
    { type: "response.created", response: opening },
    { type: "response.in_progress", response: opening },
  ]);
  let said = NOTHING_SAID;
  for await (const batch of batches) {
    said = batch.reduce(withPiece, said);
    const events = batch.flatMap(items.eventsOf);
    const last = batch.at(-1);
    if (last === undefined || !isEnd(last)) yield numbered(events);
    else yield [...numbered([...events, endOf(stream, last, await read(said))]), DONE];
  }
}

/** Ends the stream of a whole response, as Open Responses requires. */
const DONE: SseMessage = { data: "[DONE]" };

/** The state of a response when its stream opens, whatever has happened since. */
const BEGUN = { status: "running", text: "", asked: undefined, question: undefined } as const;

/** The last event, with the whole response: its text is the streamed one. */
function endOf(stream: ResponseStream, piece: EndPiece, reply: Reply): ResponseEvent {
  if (piece.kind === "failed") return { type: "response.failed", response: responseBody(stream, reply) };
  const response = responseBody(stream, { ...reply, text: piece.text });
  return { type: `response.${response.status === "incomplete" ? "incomplete" : "completed"}`, response };
}

/** Makes the events of a response's output items, in the order of their indices. */
function createItems(response: ResponseOf) {
  const { part } = response;
  let count = 0;
  let reasonings = 0;
  let reasoning: OpenReasoning | undefined;
  let message: OpenMessage | undefined;

  function endReasoning(): ResponseEvent[] {
    const open = reasoning;
    reasoning = undefined;
    return open === undefined ? [] : reasoningEnds(part, open);
  }

  function say(delta: string): ResponseEvent[] {
    const begins = message === undefined ? messageBegins(part, count) : [];
    message ??= { output_index: count++, text: "" };
    message = { ...message, text: message.text + delta };
    const place = placeOf(part, message);
    return [...begins, { type: "response.output_text.delta", ...place, delta, logprobs: [] }];
  }

  function think({ messageId: id, delta }: Extract<ReplyPiece, { kind: "reasoning" }>): ResponseEvent[] {
    const ends = reasoning?.id === id ? [] : endReasoning();
    const begins = reasoning === undefined;
    reasoning ??= { id, index: reasonings++, output_index: count++, text: "" };
    reasoning = { ...reasoning, text: reasoning.text + delta };
    return [...ends, ...(begins ? reasoningBegins(part, reasoning) : []), reasoningDelta(part, reasoning, delta)];
  }

  function end(finish: FinishReason): ResponseEvent[] {
    return [...endReasoning(), ...(message === undefined ? [] : messageEnds(part, message, messageStatus(finish)))];
  }

  function eventsOf(piece: ReplyPiece): ResponseEvent[] {
    switch (piece.kind) {
      case "text":
        return [...endReasoning(), ...say(piece.delta)];
      case "reasoning":
        return think(piece);
      case "question": {
        const text = withNotice(piece.text, noticeOf(response, piece.question));
        return [...endReasoning(), ...say(text.slice(piece.text.length)), ...end("stop")];
      }
      case "calls":
        return [...end("tool_calls"), ...callEvents(part, piece, count)];
      case "end":
        return end(piece.finish);
      case "failed":
        return [];
    }
  }

  return { eventsOf };
}

interface OpenMessage {
  readonly output_index: number;
  /** The text so far. */
  readonly text: string;
}

function placeOf(part: ReplyPart, { output_index }: Pick<OpenMessage, "output_index">) {
  return { item_id: messageId(part), output_index, content_index: 0 };
}

function messageBegins(part: ReplyPart, output_index: number): ResponseEvent[] {
  return [
    { type: "response.output_item.added", output_index, item: outputMessage(part, "in_progress") },
    { type: "response.content_part.added", ...placeOf(part, { output_index }), part: outputText("") },
  ];
}

function messageEnds(part: ReplyPart, message: OpenMessage, status: ItemStatus): ResponseEvent[] {
  const { output_index, text } = message;
  const place = placeOf(part, message);
  return [
    { type: "response.output_text.done", ...place, text, logprobs: [] },
    { type: "response.content_part.done", ...place, part: outputText(text) },
    { type: "response.output_item.done", output_index, item: outputMessage(part, status, text) },
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
