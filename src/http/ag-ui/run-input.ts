import { z } from "zod";
import { AppError } from "#domain/errors.ts";
import type { Utterance } from "#domain/run-job.ts";
import { isUuid, newId } from "#lib/ids.ts";
import type { Upload } from "#operations/files.ts";
import type { Dialect } from "./dialect.ts";
import { readFileParts } from "./read-parts.ts";

const part = z.looseObject({ type: z.string(), text: z.string().optional() });

const message = z.looseObject({
  id: z.string().max(200).optional(),
  role: z.string(),
  content: z.union([z.string(), z.array(part)]).nullish(),
});

const MAX_MESSAGE = 100_000;
const MAX_THREAD_ID = 200;
const NO_THREAD_ID = "threadId is required (maps to task ID)";

const attemptNumber = z.int32().positive().optional();
const answers = z.array(z.unknown()).nullish();

/** What of a log is to be read, and how; a standard client is told by the `messages` of its RunAgentInput. */
export interface ReadingInput extends Dialect {
  /** Which attempt to read; the current one when absent. */
  readonly attempt: number | undefined;
}

/** What a user says, and what comes with it. */
interface NewMessage extends Utterance {
  readonly files: readonly Upload[];
}

/** What a request for a task's stream asks for. */
export interface RunInput extends ReadingInput {
  /** The thread as it is looked up; `dialect.threadId` is as the client writes it. */
  readonly thread: string;
  /** The newest message, if it is the user's and says something or brings files. */
  readonly message: NewMessage | undefined;
}

/**
 * Reads the body of a stream request: `{threadId, runId?, attempt?}`, or AG-UI's RunAgentInput
 * (https://docs.ag-ui.com/sdk/js/core/types), of which the newest message counts: the service has
 * the history itself, and runs no tools of a client. Without a `threadId` a message starts a thread of a new id. A
 * request for an attempt reads, and posts nothing.
 * @throws AppError `bad_request`.
 */
export function readRunInput(body: Readonly<Record<string, unknown>>): RunInput {
  const { messages } = body;
  const reading = readReading(body);
  const posts = Array.isArray(messages) && reading.attempt === undefined;
  const message = posts ? newestFromUser(messages) : undefined;
  const threadId = readThreadId(body["threadId"], message);
  return { ...reading, message, threadId, thread: asThreadKey(threadId) };
}

/** A thread's id as it is stored: tasks have their ids in lower case; some platforms write UUIDs in upper case. */
export function asThreadKey(threadId: string): string {
  return isUuid(threadId) ? threadId.toLowerCase() : threadId;
}

function readThreadId(threadId: unknown, message: NewMessage | undefined): string {
  if (threadId === undefined && message !== undefined) return newId();
  if (typeof threadId !== "string" || threadId === "") throw new AppError("bad_request", NO_THREAD_ID);
  if (threadId.length <= MAX_THREAD_ID) return threadId;
  throw new AppError("bad_request", `threadId is at most ${MAX_THREAD_ID} characters long`);
}

/**
 * What a reader of a team's run asks for, by the same fields; others do not matter.
 * @throws AppError `bad_request`.
 */
export function readReading(body: Readonly<Record<string, unknown>>): ReadingInput {
  const { runId, messages, resume } = body;
  if (runId !== undefined && typeof runId !== "string") throw new AppError("bad_request", "runId must be a string");
  const attempt = attemptNumber.safeParse(body["attempt"]);
  if (!attempt.success) throw new AppError("bad_request", "attempt must be a whole number from 1 on");
  rejectResume(resume);
  return { runId, attempt: attempt.data, isStandard: Array.isArray(messages) };
}

/** An answer is never dropped: a client that sends it here would take the run for resumed. */
function rejectResume(resume: unknown): void {
  const given = answers.safeParse(resume);
  if (given.success && (given.data ?? []).length === 0) return;
  throw new AppError("bad_request", "resume is not supported here: answer with POST /ag-ui/{agent id}/respond");
}

function newestFromUser(messages: readonly unknown[]): NewMessage | undefined {
  if (messages.length === 0) return undefined;
  const newest = message.safeParse(messages.at(-1));
  if (!newest.success) throw new AppError("bad_request", "messages must be AG-UI messages, each with role and content");
  const { id, role, content } = newest.data;
  const text = typeof content === "string" ? content : (content ?? []).map((piece) => piece.text ?? "").join("");
  if (role !== "user") return undefined;
  const files = Array.isArray(content) ? readFileParts(content) : [];
  if (text === "" && files.length === 0) return undefined;
  if (text.length > MAX_MESSAGE) {
    throw new AppError("bad_request", `A message is at most ${MAX_MESSAGE} characters long.`);
  }
  return { role, content: text, files, ...(id !== undefined && { id }) };
}
