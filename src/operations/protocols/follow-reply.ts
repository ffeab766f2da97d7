import { z } from "zod";
import { FINISH_REASONS } from "#domain/models/reply-parts.ts";
import { readStreamHead } from "#db/queries/streams/task-events.ts";
import { clientCalls } from "#domain/tools/client-tools.ts";
import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import type { Services } from "../context.ts";
import { followEvents } from "../streams/follow-events.ts";

const replyEvent = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("TEXT_MESSAGE_START"), messageId: z.string() }),
  z.looseObject({ type: z.literal("TEXT_MESSAGE_CONTENT"), messageId: z.string(), delta: z.string() }),
  z.looseObject({ type: z.literal("TEXT_MESSAGE_END"), messageId: z.string() }),
  // Only calls of the client's own tools are part of a reply, not questions to people.
  z.looseObject({ type: z.literal("INTERACTION_REQUEST"), clientCalls }),
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

/** A reply: the part of a task's run from a request of the client to the calls of its tools, or to the end. */
export interface ReplyPart {
  readonly taskId: string;
  /** The number of the event that requested the results with which the part starts; absent: it starts with the run. */
  readonly after?: number | undefined;
}

/** The reply to follow. */
export interface ReplyReading extends ReplyPart {
  readonly signal: AbortSignal;
}

/**
 * Follows a reply of a task, an agent's or a team's, to its end, on any process.
 * @throws AppError `not_found` when the workspace has no such task, or it was never dispatched.
 */
export async function followReply(
  services: Services,
  who: Principal,
  { taskId, after, signal }: ReplyReading,
): Promise<AsyncGenerator<readonly ReplyEvent[]>> {
  const head = await readStreamHead(services.db, who, taskId);
  if (head === undefined) throw new AppError("not_found", "Response not found");
  const start = after ?? head.first_seq - 1;
  return untilCalls(followEvents(services, { tenant: who, logId: taskId, attempt: 1, after: start, signal }));
}

async function* untilCalls(batches: ReturnType<typeof followEvents>): AsyncGenerator<readonly ReplyEvent[]> {
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
