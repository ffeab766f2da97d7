import { z } from "zod";
import { FINISH_REASONS } from "#domain/models/reply-parts.ts";
import { readStreamHead } from "#db/queries/streams/task-events.ts";
import { clientCalls } from "#domain/tools/client-tools.ts";
import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import type { Services } from "../context.ts";
import { followEvents } from "../streams/follow-events.ts";

/** An event that ends a reply: it asks the client to execute its tools, or it asks a person. */
export const asking = z.looseObject({
  type: z.literal("INTERACTION_REQUEST"),
  interactionId: z.string(),
  title: z.string(),
  description: z.string(),
  clientCalls: clientCalls.optional(),
});

const replyEvent = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("TEXT_MESSAGE_START"), messageId: z.string() }),
  z.looseObject({ type: z.literal("TEXT_MESSAGE_CONTENT"), messageId: z.string(), delta: z.string() }),
  z.looseObject({ type: z.literal("TEXT_MESSAGE_END"), messageId: z.string() }),
  z.looseObject({ type: z.literal("REASONING_MESSAGE_CONTENT"), messageId: z.string(), delta: z.string() }),
  asking,
  z.looseObject({
    type: z.literal("RUN_FINISHED"),
    result: z.string(),
    finishReason: z.enum(FINISH_REASONS).optional(),
  }),
  z.looseObject({ type: z.literal("RUN_ERROR"), message: z.string(), code: z.string() }),
]);

/** An event of a task's log from which a reply is made. */
export type ReplyEvent = z.output<typeof replyEvent> & {
  /** Its number in the log. */
  readonly seq: number;
};

/**
 * A reply: the part of a task's run from a request of the client, or a person's answer, to the next question, or to the
 * end. A question is a call of the client's tools, or one to a person; each page of a wizard is one.
 */
export interface ReplyPart {
  readonly taskId: string;
  /** The number of the event whose answer the part starts with; absent: it starts with the run. */
  readonly after?: number | undefined;
}

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

/** The events of a reply, in batches. */
export type ReplyEvents = AsyncGenerator<readonly ReplyEvent[]>;

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
