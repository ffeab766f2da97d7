import { z } from "zod";
import { readRecord } from "#db/queries/records.ts";
import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/principal.ts";
import { TASK_STATUSES } from "#domain/task.ts";
import type { TaskStatus } from "#domain/task.ts";
import type { Services } from "../context.ts";
import { followReply } from "./follow-reply.ts";

const taskRecord = z.object({
  status: z.enum(TASK_STATUSES),
  result: z.string().nullable(),
  error: z.string().nullable(),
  assigned_agent_id: z.uuid().nullable(),
  assigned_team_id: z.uuid().nullable(),
  created_at: z.iso.datetime({ offset: true }),
  usage: z.object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() }),
});

/** A reply as far as it has come. */
export interface Reply {
  readonly status: TaskStatus;
  /** The result; empty as long as there is none. */
  readonly text: string;
  /** Why it failed. */
  readonly error: string | null;
  /** When it was asked for, in seconds since 1970. */
  readonly created: number;
  /** The agent or team; null when it was deleted. */
  readonly assigneeId: string | null;
  readonly usage: z.output<typeof taskRecord>["usage"];
}

/** Reads a reply as it is now. @throws AppError `not_found` when the workspace has no such task. */
export async function currentReply(services: Services, who: Principal, taskId: string): Promise<Reply> {
  const record = await readRecord(services.db, who, "task", taskId);
  if (record === undefined) throw new AppError("not_found", "Response not found");
  const { status, result, error, created_at, usage, ...assignee } = taskRecord.parse(JSON.parse(record));
  const created = Math.floor(Date.parse(created_at) / 1_000);
  const assigneeId = assignee.assigned_agent_id ?? assignee.assigned_team_id;
  return { status, text: result ?? "", error, created, assigneeId, usage };
}

/** Waits for the end of a reply. When the signal fires first, the reply is read as it is. */
export async function finalReply(
  services: Services,
  who: Principal,
  reading: { readonly taskId: string; readonly signal: AbortSignal },
): Promise<Reply> {
  for await (const _ of await followReply(services, who, reading)) if (reading.signal.aborted) break;
  return currentReply(services, who, reading.taskId);
}

/**
 * A reply that succeeded. A failed run is a `bad_request`: official clients send a request again after a 5xx, which
 * would pay for another run.
 * @throws AppError `bad_request` with the reason when the run failed or was cancelled.
 */
export function completed(reply: Reply): Reply {
  if (reply.status === "completed") return reply;
  throw new AppError("bad_request", `The run is ${reply.status}${reply.error === null ? "." : `: ${reply.error}`}`);
}
