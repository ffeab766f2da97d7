import type { ModelMessage } from "#domain/models/model-call.ts";
import { plainParts, replyCalls, replyText } from "#domain/models/reply-parts.ts";
import type { FinishReason } from "#domain/models/reply-parts.ts";
import { RunFailure } from "../run/run-failure.ts";
import type { ModelReply } from "./stream-reply.ts";

/** How much longer a reply may be after one that was cut in the middle of a tool call. */
const LONGER = 4;

/** Whether a reply was cut before its tool calls were complete; none of them is executed then. */
export function isCutCall({ end, parts }: ModelReply): boolean {
  return end.reason === "length" && replyCalls(parts).length > 0;
}

/** What a conversation holds of a cut reply, and the notice to the model, which may try again once. */
export function cutCallMessages(reply: ModelReply): ModelMessage[] {
  const names = replyCalls(reply.parts).map(({ name }) => name);
  const content =
    `Notice of the service, not of the user: your reply reached its maximum length in the middle of a tool call ` +
    `(${names.join(", ")}), so nothing was called. Call it again with shorter arguments, or in smaller steps.`;
  return [
    { role: "assistant", parts: plainParts(replyText(reply.parts) || "(The reply was cut.)") },
    { role: "user", content, isNotice: true },
  ];
}

/**
 * The limit of a reply after a cut one, in tokens; undefined where no higher one is known.
 * @param maxOutput what the model can write at most; undefined for a model outside the catalogue
 */
export function longerLimit(limit: number | null, maxOutput: number | undefined): number | undefined {
  return limit === null || maxOutput === undefined ? undefined : Math.min(limit * LONGER, Math.max(limit, maxOutput));
}

/** The run cannot go on after a second cut tool call. */
export function cutCallFailure({ model }: ModelReply): RunFailure {
  return new RunFailure(
    "REPLY_CUT",
    `${model} reached the maximum length of a reply twice in the middle of a tool call. Raise the agent's max_tokens.`,
  );
}

/**
 * Returns why a run's last reply ended; text that was cut or filtered is still its result.
 * @throws RunFailure `MODEL_REFUSED` or `REPLY_CUT` when there is no text
 */
export function finishOf({ end, parts, model }: ModelReply): FinishReason {
  const { reason, raw } = end;
  if (replyText(parts).trim() !== "") return reason === "tool_calls" ? "stop" : reason;
  if (reason === "content_filter" || reason === "refusal") {
    throw new RunFailure("MODEL_REFUSED", `${model} gave no answer; its provider's reason: ${raw}.`);
  }
  if (reason === "length") {
    throw new RunFailure(
      "REPLY_CUT",
      `${model} reached the maximum length of a reply before any text. Raise the agent's max_tokens, or lower its reasoning effort.`,
    );
  }
  return reason === "tool_calls" ? "stop" : reason;
}
