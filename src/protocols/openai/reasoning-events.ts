import { reasoningId } from "./ids.ts";
import { outputReasoning, summaryText } from "./response-body.ts";
import type { ResponseEvent } from "./response-body.ts";
import type { ReplyPart } from "./reply-event.ts";

/** A reasoning item whose text is not complete. */
export interface OpenReasoning {
  /** The id of the run's piece of reasoning. */
  readonly id: string;
  /** Its index among the response's reasoning items. */
  readonly index: number;
  readonly output_index: number;
  /** The text so far. */
  readonly text: string;
}

/** The events that begin a reasoning item. */
export function reasoningBegins(part: ReplyPart, reasoning: OpenReasoning): ResponseEvent[] {
  const { index, output_index } = reasoning;
  return [
    { type: "response.output_item.added", output_index, item: outputReasoning(part, { index, status: "in_progress" }) },
    { type: "response.reasoning_summary_part.added", ...placeOf(part, reasoning), part: summaryText("") },
  ];
}

/** The event of the next text of a reasoning item. */
export function reasoningDelta(part: ReplyPart, reasoning: OpenReasoning, delta: string): ResponseEvent {
  return { type: "response.reasoning_summary_text.delta", ...placeOf(part, reasoning), delta };
}

/** The events that end a reasoning item. */
export function reasoningEnds(part: ReplyPart, reasoning: OpenReasoning): ResponseEvent[] {
  const { index, output_index, text } = reasoning;
  const place = placeOf(part, reasoning);
  const item = outputReasoning(part, { index, status: "completed", text });
  return [
    { type: "response.reasoning_summary_text.done", ...place, text },
    { type: "response.reasoning_summary_part.done", ...place, part: summaryText(text) },
    { type: "response.output_item.done", output_index, item },
  ];
}

function placeOf(part: ReplyPart, { index, output_index }: OpenReasoning) {
  return { item_id: reasoningId(part, index), output_index, summary_index: 0 };
}
