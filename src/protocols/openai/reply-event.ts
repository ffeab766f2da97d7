import { z } from "zod";
import { FINISH_REASONS } from "#domain/models/reply-parts.ts";
import { clientCalls } from "#domain/tools/client-tools.ts";

/** An event that ends a reply: it asks the client to execute its tools, or it asks a person. */
export const asking = z.looseObject({
  type: z.literal("INTERACTION_REQUEST"),
  interactionId: z.string(),
  title: z.string(),
  description: z.string(),
  clientCalls: clientCalls.optional(),
});

/** The events of a task's log from which a reply is made; see {@link ReplyEvent}. */
export const replyEvent = z.discriminatedUnion("type", [
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

/** The events of a reply, in batches. */
export type ReplyEvents = AsyncGenerator<readonly ReplyEvent[]>;

/**
 * A reply: the part of a task's run from a request of the client, or a person's answer, to the next question, or to the
 * end. A question is a call of the client's tools, or one to a person; each page of a wizard is one.
 */
export interface ReplyPart {
  readonly taskId: string;
  /** The number of the event whose answer the part starts with; absent: it starts with the run. */
  readonly after?: number | undefined;
}
