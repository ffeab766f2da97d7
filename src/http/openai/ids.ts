import { AppError } from "#domain/errors.ts";
import { isUuid } from "#lib/ids.ts";
import type { ReplyPart } from "#operations/protocols/follow-reply.ts";

const PART = /^(.{36})(?:_(\d{1,9}))?$/;

/** The id of the completion that a reply makes. */
export function completionId(part: ReplyPart): string {
  return `chatcmpl-${nameOf(part)}`;
}

/** The id of the response that a reply makes. */
export function responseId(part: ReplyPart): string {
  return `resp_${nameOf(part)}`;
}

/** The id of a response's message. */
export function messageId(part: ReplyPart): string {
  return `msg_${nameOf(part)}`;
}

/** The reply behind the id of a response, or of its message. @throws AppError `not_found` for what is no such id. */
export function replyPartOf(id: string, prefix: "resp_" | "msg_" = "resp_"): ReplyPart {
  const [, taskId = "", after] = PART.exec(id.startsWith(prefix) ? id.slice(prefix.length).toLowerCase() : "") ?? [];
  if (!isUuid(taskId)) throw new AppError("not_found", `${prefix === "resp_" ? "Response" : "Item"} not found: ${id}`);
  return after === undefined ? { taskId } : { taskId, after: Number(after) };
}

/** A run that was continued has a reply for each request. */
function nameOf({ taskId, after }: ReplyPart): string {
  return after === undefined ? taskId : `${taskId}_${after}`;
}
