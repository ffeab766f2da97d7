import { AppError } from "#domain/errors.ts";
import { isUuid } from "#lib/ids.ts";
import type { ReplyPart } from "./reply-event.ts";

const PART = /^(.{36})(?:_(\d{1,9}))?$/;

/** Returns the id of a reply's completion. */
export function completionId(part: ReplyPart): string {
  return `chatcmpl-${nameOf(part)}`;
}

/** Returns the id of a reply's response. */
export function responseId(part: ReplyPart): string {
  return `resp_${nameOf(part)}`;
}

/** Returns the id of a response's message. */
export function messageId(part: ReplyPart): string {
  return `msg_${nameOf(part)}`;
}

/** Returns the id of a response's reasoning item, by its index among them. */
export function reasoningId(part: ReplyPart, index: number): string {
  return `rs_${nameOf(part)}_${index}`;
}

/** Returns the id of an input item of a response. */
export function inputItemId(part: ReplyPart, index: number): string {
  return `item_${nameOf(part)}_${index}`;
}

/** Returns the reply of a response's or message's id. @throws AppError `not_found` for an invalid id. */
export function replyPartOf(id: string, prefix: "resp_" | "msg_" = "resp_"): ReplyPart {
  const [, taskId = "", after] = PART.exec(id.startsWith(prefix) ? id.slice(prefix.length).toLowerCase() : "") ?? [];
  if (!isUuid(taskId)) throw new AppError("not_found", `${prefix === "resp_" ? "Response" : "Item"} not found: ${id}`);
  return after === undefined ? { taskId } : { taskId, after: Number(after) };
}

/** A continued run has one reply per request. */
function nameOf({ taskId, after }: ReplyPart): string {
  return after === undefined ? taskId : `${taskId}_${after}`;
}
