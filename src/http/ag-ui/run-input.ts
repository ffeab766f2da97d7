import { plainMessage } from "#domain/plain-messages.ts";
import { z } from "zod";
import type { ClientResults, ClientTools } from "#domain/tools/client-tools.ts";
import { AppError } from "#domain/errors.ts";
import { issuesOf, invalid } from "#domain/invalid.ts";
import type { ConversationMessage } from "#domain/tasks/run-job.ts";
import { isUuid, newId } from "#lib/ids.ts";
import type { Upload } from "#operations/files/files.ts";
import type { Dialect } from "./dialect.ts";
import { readClientTools, readToolResults } from "./client-tools.ts";
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
/** Clients that know standard interrupts. */
const WITH_INTERRUPTS = /^1\./;

/** What of a log is to be read, and how; a standard client is told by the `messages` of its RunAgentInput. */
export interface ReadingInput extends Dialect {
  /** Which attempt to read; the current one when absent. */
  readonly attempt: number | undefined;
}

/** What a user says, and what comes with it. */
interface NewMessage extends ConversationMessage {
  readonly files: readonly Upload[];
}

/** An answer to an interrupt. */
export interface ResumeAnswer {
  readonly interactionId: string;
  /** Undefined when the person cancelled the question. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** What a request for a task's stream asks for. */
export interface RunInput extends ReadingInput {
  /** The thread as it is looked up; `dialect.threadId` is as the client writes it. */
  readonly thread: string;
  /** Whether the client gets standard interrupts in place of interactions. */
  readonly interrupts: boolean;
  /** The client's answer to an interrupt. */
  readonly resume: ResumeAnswer | undefined;
  /** The newest message, if it is the user's and says something or brings files. */
  readonly message: NewMessage | undefined;
  /** The results of tools, by `toolCallId`, if they are what the client has to say. */
  readonly results: ClientResults;
  /** Tools that the client executes itself. */
  readonly clientTools: ClientTools;
}

/**
 * Reads the body of a stream request: `{threadId, runId?, attempt?}`, or AG-UI's RunAgentInput
 * (https://docs.ag-ui.com/sdk/js/core/types), of which the newest message counts, or the results of tools: the service
 * has the history itself. Without a `threadId` a message starts a thread of a new id. A
 * request for an attempt reads, and posts nothing. `interrupts` says whether this instance has standard interrupts,
 * which clients of AG-UI 1.x understand; each answer is a run of its own then.
 * @throws AppError `bad_request`.
 */
export function readRunInput(
  { resume: given, ...body }: Readonly<Record<string, unknown>>,
  options: { readonly interrupts: boolean },
): RunInput {
  const { messages, protocolVersion } = body;
  const read = readReading(body);
  const isCurrent = typeof protocolVersion === "string" && WITH_INTERRUPTS.test(protocolVersion);
  const interrupts = options.interrupts && read.isStandard && isCurrent && read.attempt === undefined;
  const reading = interrupts ? { ...read, runId: read.runId ?? newId() } : read;
  const resume = interrupts ? readResume(given) : rejectResume(given);
  const posted = Array.isArray(messages) && reading.attempt === undefined ? messages : [];
  const message = newestFromUser(posted);
  const results = readToolResults(posted);
  const clientTools = readClientTools(posted.length === 0 ? undefined : body["tools"]);
  const threadId = readThreadId(body["threadId"], message);
  return { ...reading, interrupts, resume, message, results, clientTools, threadId, thread: asThreadKey(threadId) };
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
function rejectResume(resume: unknown): undefined {
  if (resume === undefined || resume === null || (Array.isArray(resume) && resume.length === 0)) return undefined;
  throw new AppError("bad_request", "resume is not supported here: answer with POST /ag-ui/{agent id}/respond");
}

function readResume(resume: unknown): ResumeAnswer | undefined {
  const given = answers.safeParse(resume, { error: plainMessage });
  if (!given.success) throw invalid("body", issuesOf(given.error, ["resume"]));
  const [answer] = given.data ?? [];
  if (answer === undefined) return undefined;
  const { interruptId: interactionId, status, payload = {} } = answer;
  return { interactionId, body: status === "resolved" ? payload : undefined };
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
