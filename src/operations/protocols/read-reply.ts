import { z } from "zod";
import { findFirstAsking, sumModelCalls } from "#db/queries/tools/client-tools.ts";
import { readRecord } from "#db/queries/tasks/read-record.ts";
import { FINISH_REASONS } from "#domain/models/reply-parts.ts";
import type { FinishReason } from "#domain/models/reply-parts.ts";
import { clientCalls } from "#domain/tools/client-tools.ts";
import type { ClientCalls } from "#domain/tools/client-tools.ts";
import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import { TASK_STATUSES } from "#domain/tasks/task-status.ts";
import type { TaskStatus } from "#domain/tasks/task-status.ts";
import type { Services } from "../context.ts";
import { followReply } from "./follow-reply.ts";
import type { ReplyPart, ReplyReading } from "./follow-reply.ts";
import { replyPieces } from "./reply-pieces.ts";
import { readAskedCalls } from "./submit-results.ts";

const taskRecord = z.object({
  status: z.enum(TASK_STATUSES),
  result: z.string().nullable(),
  error: z.string().nullable(),
  assigned_agent_id: z.uuid().nullable(),
  assigned_team_id: z.uuid().nullable(),
  created_at: z.iso.datetime({ offset: true }),
  finish_reason: z.enum(FINISH_REASONS).nullable(),
  usage: z.object({
    prompt_tokens: z.int(),
    completion_tokens: z.int(),
    total_tokens: z.int(),
    cached_tokens: z.int(),
    reasoning_tokens: z.int(),
  }),
});

const asking = z.looseObject({ clientCalls });

/** Calls of client tools that end a reply. */
export interface RequestedTools extends ClientCalls {
  /** The number of the event that requests their results. */
  readonly seq: number;
}

/** A reply in its current state. */
export interface Reply {
  readonly status: TaskStatus;
  /** The result, or the text before the calls; empty while there is none. */
  readonly text: string;
  /** The calls that end it; undefined for the last reply of a run. */
  readonly asked: RequestedTools | undefined;
  /** Why it ended; null while it has not, and at calls of client tools. */
  readonly finish: FinishReason | null;
  /** Why it failed. */
  readonly error: string | null;
  /** The time of the request, in seconds since 1970. */
  readonly created: number;
  /** The agent or team; null when it was deleted. */
  readonly assigneeId: string | null;
  readonly usage: z.output<typeof taskRecord>["usage"];
}

/** Reads a reply in its current state. @throws AppError `not_found` when the workspace has no such task. */
export async function currentReply(services: Services, who: Principal, part: ReplyPart): Promise<Reply> {
  const event = await findFirstAsking(services.db, who, part);
  const asked = event && { ...asking.parse(JSON.parse(event.text)).clientCalls, seq: event.seq };
  return readReply(services, who, { ...part, asked });
}

async function readReply(
  services: Services,
  who: Principal,
  { asked, ...part }: ReplyPart & { readonly asked: RequestedTools | undefined },
): Promise<Reply> {
  const { taskId } = part;
  const record = await readRecord(services.db, who, "task", taskId);
  if (record === undefined) throw new AppError("not_found", "Response not found");
  const {
    status,
    result,
    error,
    finish_reason: finish,
    created_at,
    usage,
    ...assignee
  } = taskRecord.parse(JSON.parse(record));
  const created = Math.floor(Date.parse(created_at) / 1_000);
  const assigneeId = assignee.assigned_agent_id ?? assignee.assigned_team_id;
  const whole = { created, assigneeId, asked };
  if (asked !== undefined) {
    const text = await textBefore(services, who, part);
    const used = await usageOf(services, who, { part, asked });
    return { ...whole, status: "completed", text, finish: null, error: null, usage: used };
  }
  const used = part.after === undefined ? usage : await usageOf(services, who, { part, asked });
  return { ...whole, status, text: result ?? "", finish, error, usage: used };
}

/** Reads the text of a reply before its calls, which the log already has. */
async function textBefore(services: Services, who: Principal, part: ReplyPart): Promise<string> {
  const events = await followReply(services, who, { ...part, signal: AbortSignal.any([]) });
  for await (const pieces of replyPieces(events, { templated: false })) {
    const calls = pieces.find(({ kind }) => kind === "calls");
    if (calls?.kind === "calls") return calls.text;
  }
  return "";
}

/** Sums up the usage of one reply's model calls. */
async function usageOf(
  services: Services,
  who: Principal,
  { part: { taskId, after }, asked }: { readonly part: ReplyPart; readonly asked: RequestedTools | undefined },
): Promise<Reply["usage"]> {
  const before = after === undefined ? undefined : await readAskedCalls(services, who, { taskId, seq: after });
  const from = before?.clientCalls.modelCalls ?? 0;
  return sumModelCalls(services.db, who, { taskId, from, to: asked?.modelCalls });
}

/** Waits for the end of a reply. If the signal is aborted first, returns its current state. */
export async function finalReply(services: Services, who: Principal, reading: ReplyReading): Promise<Reply> {
  for await (const events of await followReply(services, who, reading)) {
    const last = events.at(-1);
    if (last?.type === "INTERACTION_REQUEST") {
      return readReply(services, who, { ...reading, asked: { ...last.clientCalls, seq: last.seq } });
    }
    if (reading.signal.aborted) break;
  }
  return readReply(services, who, { ...reading, asked: undefined });
}

/**
 * Returns a reply that succeeded. A failed run is a `bad_request`: official clients repeat a request after a 5xx, which
 * would pay for another run.
 * @throws AppError `bad_request` with the reason when the run failed or was cancelled.
 */
export function completed(reply: Reply): Reply {
  if (reply.status === "completed") return reply;
  throw new AppError("bad_request", `The run is ${reply.status}${reply.error === null ? "." : `: ${reply.error}`}`);
}
