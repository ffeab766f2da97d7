import { z } from "zod";
import { readReplyRow } from "#db/queries/conversations/replies.ts";
import type { ReplyRow } from "#db/queries/conversations/replies.ts";
import { findAskingBefore, findFirstAsking } from "#db/queries/tools/client-tools.ts";
import { FINISH_REASONS } from "#domain/models/reply-parts.ts";
import { clientRequest } from "#domain/tasks/client-request.ts";
import type { ClientRequest } from "#domain/tasks/client-request.ts";
import { AppError } from "#domain/errors.ts";
import { parseExactly } from "#lib/text/exact-json.ts";
import { readEvents, readStreamHead } from "#db/queries/streams/task-events.ts";
import { followReply } from "./follow-reply.ts";
import type { ReplyReading } from "./follow-reply.ts";
import { replyPieces } from "#protocols/openai/reply-pieces.ts";
import type { RequestPosition } from "./submit-results.ts";
import type { ReplyBound } from "#domain/tasks/reply-bound.ts";
import type { ReplyEvents, ReplyPart } from "#protocols/openai/reply-event.ts";
import { asking } from "#protocols/openai/reply-event.ts";
import type { RequestedAnswer, Reply, Said } from "#protocols/openai/reply.ts";
import { NOTHING_SAID, withPiece } from "#protocols/openai/reply.ts";
import type { Workspace } from "../workspace.ts";

const finishReason = z.enum(FINISH_REASONS).nullable();
const answering = z.looseObject({ type: z.literal("INTERACTION_RESPONSE") });

/** Reads a reply in its current state. @throws AppError `not_found` when the workspace has no such task. */
export async function currentReply(workspace: Workspace, part: ReplyPart): Promise<Reply> {
  const reading = { ...part, signal: AbortSignal.any([]), templated: false };
  if ((await findFirstAsking(workspace, part)) !== undefined) return finalReply(workspace, reading);
  const row = await readRow(workspace, { part, said: NOTHING_SAID });
  const hasLog = isCut(row) && (await readStreamHead(workspace, part.taskId)) !== undefined;
  const isInLog = hasLog || (row.status === "completed" && row.showsThoughts);
  return toReply(row, isInLog ? await gather(workspace, { ...reading, templated: row.templated }) : NOTHING_SAID);
}

/** As {@link currentReply}. @throws AppError `not_found` also for a reply that its request said not to store. */
export async function storedReply(workspace: Workspace, part: ReplyPart): Promise<Reply> {
  const reply = await currentReply(workspace, part);
  if (reply.request?.stored === false) throw new AppError("not_found", "Response not found");
  return reply;
}

/** Returns the reply of the same run whose question a reply starts with the answer to; undefined for the first one. */
export async function previousReply(
  workspace: Workspace,
  { taskId, after }: ReplyPart,
): Promise<ReplyPart | undefined> {
  if (after === undefined) return undefined;
  const event = await findAskingBefore(workspace, { taskId, seq: after });
  return event === undefined ? { taskId } : { taskId, after: event.seq };
}

/** Reads what the request that started a task said beyond its messages. @throws AppError `not_found`. */
export async function requestOf(workspace: Workspace, part: ReplyPart): Promise<ClientRequest | undefined> {
  return toReply(await readRow(workspace, { part, said: NOTHING_SAID }), NOTHING_SAID).request;
}

/** The reply to wait for. */
interface AwaitedReply extends ReplyReading {
  /** Its events, if they are not to be read from the log. */
  readonly events?: ReplyEvents | undefined;
  /** As in {@link replyPieces}. */
  readonly templated: boolean;
}

/**
 * Waits for the end of a reply. If the signal is aborted first, returns its current state. A question whose run ended
 * without an answer is not the reply's end: the run's end is.
 */
export async function finalReply(workspace: Workspace, reading: AwaitedReply): Promise<Reply> {
  const said = await gather(workspace, reading);
  const row = await readRow(workspace, { part: reading, said });
  const isUnanswered =
    said.question !== undefined && isCut(row) && !(await hasAnswer(workspace, reading, said.question));
  return toReply(row, isUnanswered ? { ...said, question: undefined } : said);
}

function isCut({ status }: Pick<ReplyRow, "status">): boolean {
  return status === "failed" || status === "cancelled";
}

/** Follows the log of a reply to its end, which it may have reached already. */
async function gather(workspace: Workspace, reading: AwaitedReply): Promise<Said> {
  let said = NOTHING_SAID;
  const events = reading.events ?? (await followReply(workspace, reading));
  for await (const pieces of replyPieces(events, reading)) {
    said = pieces.reduce(withPiece, said);
    if (reading.signal.aborted) break;
  }
  return said;
}

interface ReadPart {
  readonly part: ReplyPart;
  readonly said: Said;
}

/** Reads the rest of a reply whose log was read. @throws AppError `not_found` when the workspace has no such task. */
export async function readReply(workspace: Workspace, reading: ReadPart): Promise<Reply> {
  return toReply(await readRow(workspace, reading), reading.said);
}

async function readRow(workspace: Workspace, { part, said }: ReadPart): Promise<ReplyRow> {
  const { taskId, after } = part;
  const since = after === undefined ? undefined : await questionAt(workspace, { taskId, seq: after });
  const row = await readReplyRow(workspace, { taskId, since, until: said.until });
  if (row === undefined) throw new AppError("not_found", "Response not found");
  return row;
}

/** Whether a question was answered. The log of a waiting run does not grow: the next event is the answer, or the end. */
async function hasAnswer(workspace: Workspace, { taskId }: ReplyPart, { seq }: RequestedAnswer): Promise<boolean> {
  const [event] = await readEvents(workspace, { logId: taskId, after: seq, limit: 1 });
  return event !== undefined && answering.safeParse(JSON.parse(event.text)).success;
}

/** The question that a run asked with an event; undefined for another event. */
async function questionAt(workspace: Workspace, { taskId, seq }: RequestPosition): Promise<ReplyBound | undefined> {
  const [event] = await readEvents(workspace, { logId: taskId, after: seq - 1, limit: 1 });
  const { data } = asking.safeParse(event?.seq === seq ? JSON.parse(event.text) : undefined);
  return data && { interactionId: data.interactionId, modelCalls: data.clientCalls?.modelCalls };
}

function toReply(row: ReplyRow, { text, thoughts, isThinking, asked, question }: Said): Reply {
  const isAsking = asked !== undefined || question !== undefined;
  const { created, completed, assigneeId, prompt_tokens, completion_tokens, total_tokens } = row;
  return {
    thoughts,
    isThinking,
    asked,
    question,
    created,
    completed: isAsking ? null : completed,
    assigneeId,
    request: row.clientRequest === null ? undefined : clientRequest.parse(row.clientRequest),
    metadata: parseExactly(row.metadata),
    usage: {
      prompt_tokens,
      completion_tokens,
      total_tokens,
      cached_tokens: row.cached_tokens,
      reasoning_tokens: row.reasoning_tokens,
    },
    ...(isAsking
      ? { status: "completed", text, finish: null, error: null }
      : {
          status: row.status,
          text: isCut(row) ? text : (row.result ?? ""),
          finish: finishReason.parse(row.finish),
          error: row.error,
        }),
  };
}

/**
 * Returns a reply that succeeded. A failed run is a `bad_request`: official clients repeat a request after a 5xx, which
 * would pay for another run.
 * @throws AppError `bad_request` with the reason when the run failed or was cancelled.
 */
export function succeeded(reply: Reply): Reply {
  if (reply.status === "completed") return reply;
  throw new AppError("bad_request", `The run is ${reply.status}${reply.error === null ? "." : `: ${reply.error}`}`);
}
