import { z } from "zod";
import { readStreamHead } from "#db/queries/task-events.ts";
import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/principal.ts";
import type { Services } from "../context.ts";
import { followEvents } from "../follow-events.ts";

const replyEvent = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("TEXT_MESSAGE_START"), messageId: z.string() }),
  z.looseObject({ type: z.literal("TEXT_MESSAGE_CONTENT"), messageId: z.string(), delta: z.string() }),
  z.looseObject({ type: z.literal("TEXT_MESSAGE_END"), messageId: z.string() }),
  z.looseObject({ type: z.literal("RUN_FINISHED"), result: z.string() }),
  z.looseObject({ type: z.literal("RUN_ERROR"), message: z.string(), code: z.string() }),
]);

/** An event of a task's log from which a reply is made. */
export type ReplyEvent = z.output<typeof replyEvent> & {
  /** Its number in the log. */
  readonly seq: number;
};

/** Which task to follow, and from where. */
export interface ReplyReading {
  readonly taskId: string;
  /** The number of the last event that the reader has; absent: none. */
  readonly after?: number | undefined;
  readonly signal: AbortSignal;
}

/**
 * Follows a task, an agent's or a team's, to the end of its current attempt, on whichever process it runs.
 * @throws AppError `not_found` when the workspace has no such task, or it was never dispatched.
 */
export async function followReply(
  services: Services,
  who: Principal,
  { taskId, after, signal }: ReplyReading,
): Promise<AsyncGenerator<readonly ReplyEvent[]>> {
  const head = await readStreamHead(services.db, who, taskId);
  if (head === undefined) throw new AppError("not_found", "Response not found");
  const start = Math.max(after ?? 0, head.first_seq - 1);
  return parsed(followEvents(services, { tenant: who, taskId, attempt: 1, after: start, signal }));
}

async function* parsed(batches: ReturnType<typeof followEvents>): AsyncGenerator<readonly ReplyEvent[]> {
  for await (const batch of batches) {
    yield batch.flatMap(({ seq, text }) => {
      const { data } = replyEvent.safeParse(JSON.parse(text));
      return data === undefined ? [] : [{ ...data, seq }];
    });
  }
}
