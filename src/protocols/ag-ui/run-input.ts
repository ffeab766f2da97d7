import { plainMessage } from "#domain/plain-messages.ts";
import { z } from "zod";
import type { ClientResults, ClientTools } from "#domain/tools/client-tools.ts";
import { AppError } from "#domain/errors.ts";
import { issuesOf, invalid } from "#domain/invalid.ts";
import type { ConversationMessage } from "#domain/tasks/run-job.ts";
import { isRecord } from "#lib/is-record.ts";
import { isUuid, newId } from "#lib/ids.ts";
import type { Dialect } from "./dialect.ts";
import { readClientSection } from "./client-context.ts";
import { readClientTools, readToolResults } from "./client-tools.ts";
import { readFileParts } from "./read-parts.ts";
import type { SentFile } from "#domain/files/sent-file.ts";

const part = z.looseObject({ type: z.string(), text: z.string().optional() });

const message = z.looseObject({
  id: z.string().max(200).optional(),
  role: z.string(),
  content: z.union([z.string(), z.array(part)]).nullish(),
});

const MAX_MESSAGE = 100_000;
const MAX_PARTS = 1_000;
const MAX_THREAD_ID = 200;
const NO_THREAD_ID = "threadId is required (maps to task ID)";

const attemptNumber = z.int32().positive().optional();
/** Clients that write all their fields send null, or an empty text, for none. */
const ownRunId = z.string().nullish();
const answers = z
  .array(
    z.looseObject({
      interruptId: z.string().min(1),
      status: z.enum(["resolved", "cancelled"]),
      payload: z.record(z.string(), z.unknown()).optional(),
    }),
  )
  .max(1, "a task asks one question at a time")
  .nullish();
/** The versions of AG-UI with all that this service can send. */
const CURRENT = /^1\./;

/** The log to read, and the format; the `messages` of a RunAgentInput identify a standard client. */
export interface ReadingInput extends Dialect {
  /** The attempt to read; the current one if absent. */
  readonly attempt: number | undefined;
}

/** A user's message, with its files. */
interface NewMessage extends ConversationMessage {
  readonly files: readonly SentFile[];
}

/** An answer to an interrupt. */
export interface ResumeAnswer {
  readonly interactionId: string;
  /** Undefined if the person cancelled the question. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** A request for a task's stream. */
export interface RunInput extends ReadingInput {
  /** The normalized thread id; `dialect.threadId` is the client's spelling. */
  readonly thread: string;
  /** Whether the client receives standard interrupts instead of interactions. */
  readonly interrupts: boolean;
  /** The client's answer to an interrupt. */
  readonly resume: ResumeAnswer | undefined;
  /** The newest message, if it is the user's and has a text or files. */
  readonly message: NewMessage | undefined;
  /** The results of tools by `toolCallId`, if the request ends with results. */
  readonly results: ClientResults;
  /** The tools that the client executes itself. */
  readonly clientTools: ClientTools;
}

/**
 * Parses the body of a stream request: `{threadId, runId?, attempt?}`, or AG-UI's RunAgentInput
 * (https://docs.ag-ui.com/sdk/js/core/types). Of the latter, only the newest message counts, or the tool results: the
 * service has the history itself. Without a `threadId`, a message starts a thread with a new id. A request for an
 * attempt only reads. `interrupts` enables standard interrupts; each answer is then a run of its own. Many clients
 * support them without sending a `protocolVersion`.
 * @throws AppError `bad_request`.
 */
export function readRunInput(
  { resume: given, ...body }: Readonly<Record<string, unknown>>,
  options: { readonly interrupts: boolean },
): RunInput {
  const { messages } = body;
  const reading = readReading(body);
  const interrupts = options.interrupts && reading.isStandard && reading.attempt === undefined;
  const resume = interrupts ? readResume(given) : rejectResume(given);
  const posted = Array.isArray(messages) && reading.attempt === undefined ? messages : [];
  const said = newestFromUser(posted);
  const section = said && readClientSection(posted, body["context"]);
  const message = said && { ...said, ...(section !== undefined && { clientSection: section }) };
  const results = readToolResults(posted);
  const clientTools = readClientTools(posted.length === 0 ? undefined : body["tools"]);
  const threadId = readThreadId(body["threadId"], message);
  return { ...reading, interrupts, resume, message, results, clientTools, threadId, thread: asThreadKey(threadId) };
}

/** Returns a thread's id as it is stored: task ids are lower case, but some platforms write UUIDs in upper case. */
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
 * Parses a request for a team run's stream, with the same fields; others are ignored.
 * @throws AppError `bad_request`.
 */
export function readReading(body: Readonly<Record<string, unknown>>): ReadingInput {
  const { messages, resume, protocolVersion } = body;
  const runId = ownRunId.safeParse(body["runId"]);
  if (!runId.success) throw new AppError("bad_request", "runId must be a string");
  const attempt = attemptNumber.safeParse(body["attempt"]);
  if (!attempt.success) throw new AppError("bad_request", "attempt must be a whole number, 1 or more");
  rejectResume(resume);
  const isCurrent = typeof protocolVersion === "string" && CURRENT.test(protocolVersion);
  return { runId: runId.data || undefined, attempt: attempt.data, isStandard: Array.isArray(messages), isCurrent };
}

/** An answer is never dropped: its client would assume that the run was resumed. */
function rejectResume(resume: unknown): undefined {
  if (resume === undefined || resume === null || (Array.isArray(resume) && resume.length === 0)) return undefined;
  throw new AppError(
    "bad_request",
    "resume is not supported here: answer with POST /ag-ui/{agent id}/respond. " +
      "It needs a body with messages and no attempt, and interrupts that are not off.",
  );
}

function readResume(resume: unknown): ResumeAnswer | undefined {
  const given = answers.safeParse(resume, { error: plainMessage });
  if (!given.success) throw invalid("body", issuesOf(given.error, ["resume"]));
  const [answer] = given.data ?? [];
  if (answer === undefined) return undefined;
  const { interruptId: interactionId, status, payload = {} } = answer;
  return { interactionId, body: status === "resolved" ? payload : undefined };
}

/** Before the parts are checked one by one. */
function assertFewParts(newest: unknown): void {
  const content = isRecord(newest) ? newest["content"] : undefined;
  if (!Array.isArray(content) || content.length <= MAX_PARTS) return;
  throw new AppError("bad_request", `A message has at most ${MAX_PARTS} parts.`);
}

function newestFromUser(messages: readonly unknown[]): NewMessage | undefined {
  if (messages.length === 0) return undefined;
  assertFewParts(messages.at(-1));
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
