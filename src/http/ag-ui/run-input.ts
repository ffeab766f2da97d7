import { z } from "zod";
import { AppError } from "#domain/errors.ts";
import type { Utterance } from "#domain/run-job.ts";

const part = z.looseObject({ type: z.string(), text: z.string().optional() });

const message = z.looseObject({
  id: z.string().max(200).optional(),
  role: z.string(),
  content: z.union([z.string(), z.array(part)]).nullish(),
});

const MAX_MESSAGE = 100_000;

const attemptNumber = z.int32().positive().optional();

/** What a request asks for, in either dialect. */
export interface RunInput {
  readonly threadId: string;
  /** The client's own name for the run. */
  readonly runId: string | undefined;
  /** Which attempt of the task to read; the current one when absent. */
  readonly attempt: number | undefined;
  /** Whether a standard AG-UI client asks, told by the `messages` of its RunAgentInput. */
  readonly isStandard: boolean;
  /** The newest message, if it is the user's and says something. */
  readonly message: Utterance | undefined;
}

/**
 * Reads the body of a stream request: `{threadId, runId?, attempt?}`, or AG-UI's RunAgentInput
 * (https://docs.ag-ui.com/sdk/js/core/types), of which the newest message counts: the service has
 * the history itself, and runs no tools of a client. Who asks for an attempt reads, and says nothing.
 * @throws AppError `bad_request`.
 */
export function readRunInput(body: Readonly<Record<string, unknown>>): RunInput {
  const { threadId, runId, messages } = body;
  if (typeof threadId !== "string" || threadId === "") {
    throw new AppError("bad_request", "threadId is required (maps to task ID)");
  }
  if (runId !== undefined && typeof runId !== "string") throw new AppError("bad_request", "runId must be a string");
  const attempt = attemptNumber.safeParse(body["attempt"]);
  if (!attempt.success) throw new AppError("bad_request", "attempt must be a whole number from 1 on");
  const isStandard = Array.isArray(messages);
  const speaks = isStandard && attempt.data === undefined;
  return {
    threadId,
    runId,
    attempt: attempt.data,
    isStandard,
    message: speaks ? newestFromUser(messages) : undefined,
  };
}

function newestFromUser(messages: readonly unknown[]): Utterance | undefined {
  if (messages.length === 0) return undefined;
  const newest = message.safeParse(messages.at(-1));
  if (!newest.success) throw new AppError("bad_request", "messages must be AG-UI messages, each with role and content");
  const { id, role, content } = newest.data;
  const text = typeof content === "string" ? content : (content ?? []).map((piece) => piece.text ?? "").join("");
  if (role !== "user" || text === "") return undefined;
  if (text.length > MAX_MESSAGE) {
    throw new AppError("bad_request", `A message is at most ${MAX_MESSAGE} characters long.`);
  }
  return { role, content: text, ...(id !== undefined && { id }) };
}
