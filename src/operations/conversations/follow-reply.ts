import { readStreamHead } from "#db/queries/streams/task-events.ts";
import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import type { Services } from "../context.ts";
import { followEvents } from "../streams/follow-events.ts";
import { replyEvent } from "#protocols/openai/reply-event.ts";
import type { ReplyEvents, ReplyPart } from "#protocols/openai/reply-event.ts";

/** The reply to follow. */
export interface ReplyReading extends ReplyPart {
  readonly signal: AbortSignal;
}

/** A reply that has begun. */
export interface BegunReply {
  readonly part: ReplyPart;
  /** Its events; undefined for one that is to be read from its log. */
  readonly events: ReplyEvents | undefined;
}

/**
 * Awaits the first reply of a run that does not exist yet: its log need not be read then. Abort the signal if the run is
 * not created.
 */
export function awaitReply(
  services: Services,
  who: Principal,
  { taskId, signal }: { readonly taskId: string; readonly signal: AbortSignal },
): ReplyEvents {
  return untilQuestion(
    followEvents(services, { tenant: who, logId: taskId, attempt: 1, after: 0, hasAll: true, signal }),
  );
}

/**
 * Follows a reply of a task, an agent's or a team's, to its end, on any process.
 * @throws AppError `not_found` when the workspace has no such task, or it was never dispatched.
 */
export async function followReply(
  services: Services,
  who: Principal,
  { taskId, after, signal }: ReplyReading,
): Promise<ReplyEvents> {
  const head = await readStreamHead(services.db, who, taskId);
  if (head === undefined) throw new AppError("not_found", "Response not found");
  const start = after ?? head.first_seq - 1;
  return untilQuestion(followEvents(services, { tenant: who, logId: taskId, attempt: 1, after: start, signal }));
}

async function* untilQuestion(batches: ReturnType<typeof followEvents>): ReplyEvents {
  for await (const batch of batches) {
    const events = batch.flatMap(({ seq, text }) => {
      const { data } = replyEvent.safeParse(JSON.parse(text));
      return data === undefined ? [] : [{ ...data, seq }];
    });
    const end = events.findIndex(({ type }) => type === "INTERACTION_REQUEST");
    yield end === -1 ? events : events.slice(0, end + 1);
    if (end !== -1) return;
  }
}
