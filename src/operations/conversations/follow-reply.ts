import { readStreamHead } from "#db/queries/streams/task-events.ts";
import { AppError } from "#domain/errors.ts";
import { newId } from "#lib/ids.ts";
import type { Services } from "../context.ts";
import { inSharedTransaction } from "../shared-transaction.ts";
import { followEvents } from "../streams/follow-events.ts";
import { replyEvent } from "#protocols/openai/reply-event.ts";
import type { ReplyEvents, ReplyPart } from "#protocols/openai/reply-event.ts";
import type { Workspace } from "../workspace.ts";

/** The reply to follow. */
export interface ReplyReading extends ReplyPart {
  readonly signal: AbortSignal;
}

/** How a reply begins. */
interface Beginning<Given extends Services, Begun> {
  /** Until when the caller follows the reply; undefined for a caller that does not. */
  readonly follows: AbortSignal | undefined;
  /** Whether all that `begin` does is one transaction, with its look-ups: it waits for nothing but the database. */
  readonly isOneTransaction: boolean;
  /** Starts a run with this id, or continues another. In one transaction it is called again after a deadlock. */
  readonly begin: (joined: Workspace<Given>, taskId: string) => Promise<Begun>;
}

/** A reply that has begun. */
export interface BegunReply {
  readonly part: ReplyPart;
  /** Its events; undefined for one that is to be read from its log, or that nobody follows. */
  readonly events: ReplyEvents | undefined;
}

/** Begins a reply. A new run is followed from before it exists. @throws any error of `begin`. */
export async function beginReply<Given extends Services, Begun extends Pick<BegunReply, "part">>(
  workspace: Workspace<Given>,
  { follows, isOneTransaction, begin }: Beginning<Given, Begun>,
): Promise<Begun & Pick<BegunReply, "events">> {
  const taskId = newId();
  const unused = new AbortController();
  const signal = follows && AbortSignal.any([follows, unused.signal]);
  const events = signal && awaitReply(workspace, { taskId, signal });
  try {
    const begun = isOneTransaction
      ? await inSharedTransaction(workspace, (joined) => begin(joined, taskId))
      : await begin(workspace, taskId);
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
  workspace: Workspace,
  { taskId, signal }: { readonly taskId: string; readonly signal: AbortSignal },
): ReplyEvents {
  return untilQuestion(
    followEvents(workspace, { tenant: workspace.who, logId: taskId, attempt: 1, after: 0, hasAll: true, signal }),
  );
}

/**
 * Follows a reply of a task, an agent's or a team's, to its end, on any process.
 * @throws AppError `not_found` when the workspace has no such task, or it was never dispatched.
 */
export async function followReply(workspace: Workspace, { taskId, after, signal }: ReplyReading): Promise<ReplyEvents> {
  const head = await readStreamHead(workspace, taskId);
  if (head === undefined) throw new AppError("not_found", "Response not found");
  const start = after ?? head.first_seq - 1;
  return untilQuestion(
    followEvents(workspace, { tenant: workspace.who, logId: taskId, attempt: 1, after: start, signal }),
  );
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
