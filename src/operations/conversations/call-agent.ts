import { z } from "zod";
import { acceptDelegation } from "#domain/tools/delegation-depth.ts";
import { isTerminal } from "#domain/tasks/task-status.ts";
import { openNewStream, openStream } from "../streams/open-stream.ts";
import type { EventStream } from "../streams/open-stream.ts";
import { startThread } from "../tasks/post-message.ts";
import type { Workspace } from "../workspace.ts";
import { watchForPause } from "./a2a/wait-for-task.ts";
import { cancelCall, readCall } from "./mcp-calls.ts";
import type { CallQuestion, McpCall } from "./mcp-calls.ts";

const callEvent = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("TEXT_MESSAGE_CONTENT"), delta: z.string() }),
  z.looseObject({ type: z.literal("TOOL_CALL_START"), toolCallName: z.string() }),
  z.looseObject({ type: z.literal("INTERACTION_REQUEST") }),
  z.looseObject({ type: z.literal("CUSTOM"), name: z.literal("approval_vote") }),
  z.looseObject({ type: z.literal("RUN_FINISHED"), result: z.string() }),
  z.looseObject({ type: z.literal("RUN_ERROR"), message: z.string(), code: z.string() }),
]);

/** An event that is relayed to the caller; the log has more. */
export type CallEvent = z.output<typeof callEvent>;

/** A message to an agent that a full run answers. */
export interface NewCall {
  readonly agentId: string;
  readonly message: string;
  /** The metadata of the call, which say how many delegations led to it. */
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
}

/** How a call is followed. */
export interface CallWatch {
  /** Aborting it ends the watch. */
  readonly signal: AbortSignal;
  /** What becomes of the task then; `cancelled` by default. */
  readonly leaves?: "running" | "cancelled";
  /**
   * Receives the events in batches as they occur, and what the call waits for when they are about a question. Undefined:
   * the log is not read.
   */
  readonly onEvents: ((events: readonly CallEvent[], waitsFor?: string) => Promise<void>) | undefined;
  /**
   * Told of each question that the caller may answer; returns whether the call ends with it. Undefined: all questions
   * wait for people.
   */
  readonly onQuestion: ((question: CallQuestion, taskId: string) => boolean | Promise<boolean>) | undefined;
}

/** The outcome of a call. */
export type CallOutcome = CallEnd | CallPause;

interface CallEnd {
  readonly taskId: string;
  readonly status: "completed" | "failed";
  /** The result, or why there is none. */
  readonly text: string;
}

/** A call that asks its caller. */
export interface CallPause {
  readonly taskId: string;
  readonly status: "asking";
  readonly question: CallQuestion;
  /** The last event that the caller has been told of; undefined when the log was not read. */
  readonly lastSeen: number | undefined;
}

/**
 * Sends a message to an agent as a new task; returns its id.
 * @throws AppError as {@link startThread} and {@link acceptDelegation}
 */
export function startCall(workspace: Workspace, { agentId, message, metadata }: NewCall): Promise<string> {
  const sent = { role: "user", content: message, ...acceptDelegation(metadata) } as const;
  return startThread(workspace, { agentId, message: sent, files: [] });
}

/**
 * Starts a call and follows it to its end or a question, on any process.
 * @throws AppError as {@link startCall}; the signal's reason when it is aborted: the task is then cancelled.
 */
export async function callAgent(workspace: Workspace, call: NewCall & CallWatch): Promise<CallOutcome> {
  const { signal, onEvents } = call;
  signal.throwIfAborted();
  const taskId = await startCall(workspace, call);
  return cancelledWith(workspace, { ...call, taskId }, () =>
    onEvents === undefined
      ? waitForEnd(workspace, { ...call, taskId, isNew: true })
      : follow(workspace, openNewStream(workspace, { taskId, signal }), { ...call, onEvents, taskId }),
  );
}

/**
 * Continues a call that paused, in the same way; its outcome is also that of a call that has ended.
 * @throws AppError `not_found` for a call that the caller did not make; the signal's reason
 */
export async function resumeCall(
  workspace: Workspace,
  { call, ...watch }: CallWatch & { readonly call: McpCall; readonly lastSeen: number | undefined },
): Promise<CallOutcome> {
  const { id: taskId, agent_id: agentId } = call;
  const { signal, onEvents, lastSeen } = watch;
  const paused = { ...watch, taskId };
  return cancelledWith(workspace, paused, async () => {
    if (onEvents === undefined || agentId === null) return waitForEnd(workspace, { ...paused, isNew: false });
    const stream = await openStream(workspace, { agentId, threadId: taskId, lastSeen, signal });
    return follow(workspace, stream, { ...paused, onEvents });
  });
}

interface Followed extends CallWatch {
  readonly taskId: string;
}

async function cancelledWith<T>(
  workspace: Workspace,
  { taskId, signal, leaves = "cancelled" }: Pick<Followed, "taskId" | "signal" | "leaves">,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } finally {
    if (signal.aborted && leaves === "cancelled") await cancelCall(workspace, { id: taskId, status: "running" });
  }
}

/** Waits without the log, which is cheaper. */
async function waitForEnd(
  workspace: Workspace,
  { taskId, isNew, signal, onQuestion }: Omit<Followed, "onEvents"> & { readonly isNew: boolean },
): Promise<CallOutcome> {
  const watch = watchForPause(workspace, taskId, signal);
  const asks = askOnce(onQuestion);
  try {
    if (isNew && !signal.aborted) await watch.next();
    for (;;) {
      const call = await readCall(workspace, taskId);
      signal.throwIfAborted();
      if (isTerminal(call.status)) return endOf(call);
      if (await asks(call)) return pauseOf(call, undefined);
      await watch.next();
    }
  } finally {
    watch.close();
  }
}

async function follow(
  workspace: Workspace,
  stream: EventStream,
  { onEvents, onQuestion, taskId, signal }: Followed & { readonly onEvents: NonNullable<CallWatch["onEvents"]> },
): Promise<CallOutcome> {
  const asks = askOnce(onQuestion);
  for await (const batch of stream ?? []) {
    const events = batch.flatMap(({ text }) => callEvent.safeParse(JSON.parse(text)).data ?? []);
    const isAboutQuestion = events.some(({ type }) => type === "INTERACTION_REQUEST" || type === "CUSTOM");
    const call = isAboutQuestion ? await readCall(workspace, taskId) : undefined;
    if (events.length > 0) await onEvents(events, call?.waitsFor);
    const last = events.at(-1);
    if (last?.type === "RUN_FINISHED") return { taskId, status: "completed", text: last.result };
    if (last?.type === "RUN_ERROR") return { taskId, status: "failed", text: last.message };
    if (call !== undefined && (await asks(call))) return pauseOf(call, batch.at(-1)?.seq);
  }
  signal.throwIfAborted();
  return endOf(await readCall(workspace, taskId));
}

/** Tells of each question once. */
function askOnce(onQuestion: CallWatch["onQuestion"]): (call: McpCall) => boolean | Promise<boolean> {
  let asked: string | undefined;
  return ({ id, question }) => {
    if (question === undefined || question.key === asked) return false;
    asked = question.key;
    return onQuestion?.(question, id) ?? false;
  };
}

function pauseOf({ id, question }: McpCall, lastSeen: number | undefined): CallPause {
  if (question === undefined) throw new Error("A call that pauses has a question.");
  return { taskId: id, status: "asking", question, lastSeen };
}

/** The outcome of a call that has ended. */
export function endOf({ id: taskId, status, result, error }: McpCall): CallEnd {
  if (!isTerminal(status)) throw new Error(`The stream of task ${taskId} ended without a final event.`);
  return status === "completed"
    ? { taskId, status, text: result ?? "" }
    : { taskId, status: "failed", text: error ?? `The task was ${status}.` };
}
