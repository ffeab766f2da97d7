import { readStreamHead } from "#db/queries/streams/task-events.ts";
import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import { newId } from "#lib/ids.ts";
import type { Services } from "../context.ts";
import { inSharedTransaction } from "../shared-transaction.ts";
import { followEvents } from "../streams/follow-events.ts";
import { replyEvent } from "#protocols/openai/reply-event.ts";
import type { ReplyEvents, ReplyPart } from "#protocols/openai/reply-event.ts";

/** The reply to follow. */
export interface ReplyReading extends ReplyPart {
  readonly signal: AbortSignal;
}

/** How a reply begins. */
interface Beginning<Given, Begun> {
  /** Until when the caller follows the reply; undefined for a caller that does not. */
  readonly follows: AbortSignal | undefined;
  /** Whether all that `begin` does is one transaction, with its look-ups: it waits for nothing but the database. */
  readonly isOneTransaction: boolean;
  /** Starts a run with this id, or continues another. In one transaction it is called again after a deadlock. */
  readonly begin: (given: Given, taskId: string) => Promise<Begun>;
}

/** A reply that has begun. */
export interface BegunReply {
  readonly part: ReplyPart;
  /** Its events; undefined for one that is to be read from its log, or that nobody follows. */
  readonly events: ReplyEvents | undefined;
}

/** Begins a reply. A new run is followed from before it exists. @throws any error of `begin`. */
export async function beginReply<Given extends Services, Begun extends Pick<BegunReply, "part">>(
  services: Given,
  who: Principal,
  { follows, isOneTransaction, begin }: Beginning<Given, Begun>,
): Promise<Begun & Pick<BegunReply, "events">> {
  const taskId = newId();
  const unused = new AbortController();
  const signal = follows && AbortSignal.any([follows, unused.signal]);
  const events = signal && awaitReply(services, who, { taskId, signal });
  try {
    const begun = isOneTransaction
      ? await inSharedTransaction(services, who, (joined) => begin(joined, taskId))
      : await begin(services, taskId);
    if (begun.part.taskId === taskId) return { ...begun, events };
    unused.abort();
    return { ...begun, events: undefined };
  } catch (error) {
    unused.abort();
    throw error;
  }
}

/** Awaits the first reply of a run that does not exist yet: its log need not be read then. */
function awaitReply(
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
