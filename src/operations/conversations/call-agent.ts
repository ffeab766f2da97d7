import { z } from "zod";
import { AppError } from "#domain/errors.ts";
import { acceptDelegation } from "#domain/tools/delegation-depth.ts";
import { waitForTask } from "./a2a/wait-for-task.ts";
import { openNewStream } from "../streams/open-stream.ts";
import { startThread } from "../tasks/post-message.ts";
import { updateTask } from "../tasks/tasks.ts";
import type { Workspace } from "../workspace.ts";

const callEvent = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("TEXT_MESSAGE_CONTENT"), delta: z.string() }),
  z.looseObject({ type: z.literal("TOOL_CALL_START"), toolCallName: z.string() }),
  z.looseObject({ type: z.literal("INTERACTION_REQUEST"), title: z.string() }),
  z.looseObject({ type: z.literal("RUN_FINISHED"), result: z.string() }),
  z.looseObject({ type: z.literal("RUN_ERROR"), message: z.string(), code: z.string() }),
]);

/** An event that is relayed to the caller; the log has more. */
export type CallEvent = z.output<typeof callEvent>;

/** A message to an agent that a full run answers. */
export interface AgentCall {
  readonly agentId: string;
  readonly message: string;
  /** The metadata of the call, which say how many delegations led to it. */
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  /** Aborting it cancels the task. */
  readonly signal: AbortSignal;
  /** Receives the events in batches as they occur. Undefined: the log is not read. */
  readonly onEvents: ((events: readonly CallEvent[]) => Promise<void>) | undefined;
}

/** The outcome of a call. */
export interface CallOutcome {
  readonly taskId: string;
  readonly status: "completed" | "failed";
  /** The result, or why there is none. */
  readonly text: string;
}

/**
 * Sends a message to an agent as a new task and follows the task to its end, on any process.
 * @throws AppError as {@link startThread} and {@link acceptDelegation}; the signal's reason when it is aborted: the task is then cancelled.
 */
export async function callAgent(workspace: Workspace, call: AgentCall): Promise<CallOutcome> {
  const { agentId, message, metadata, signal, onEvents } = call;
  signal.throwIfAborted();
  const sent = { role: "user", content: message, ...acceptDelegation(metadata) } as const;
  const taskId = await startThread(workspace, { agentId, message: sent, files: [] });
  const started = { agentId, taskId, signal };
  try {
    return onEvents === undefined
      ? await waitForEnd(workspace, started)
      : await follow(workspace, { ...started, onEvents });
  } finally {
    if (signal.aborted) await cancelUnlessEnded(workspace, taskId);
  }
}

interface StartedCall extends Pick<AgentCall, "agentId" | "signal"> {
  readonly taskId: string;
}

async function waitForEnd(workspace: Workspace, started: StartedCall): Promise<CallOutcome> {
  const { taskId, signal } = started;
  const { status, result, error } = await waitForTask(workspace, { ...started, isNew: true, until: "end" });
  signal.throwIfAborted();
  return status === "completed"
    ? { taskId, status, text: result ?? "" }
    : { taskId, status: "failed", text: error ?? `The task was ${status}.` };
}

async function follow(
  workspace: Workspace,
  { onEvents, taskId, signal }: StartedCall & { readonly onEvents: NonNullable<AgentCall["onEvents"]> },
): Promise<CallOutcome> {
  for await (const batch of openNewStream(workspace, { taskId, signal })) {
    const events = batch.flatMap(({ text }) => callEvent.safeParse(JSON.parse(text)).data ?? []);
    if (events.length > 0) await onEvents(events);
    const last = events.at(-1);
    if (last?.type === "RUN_FINISHED") return { taskId, status: "completed", text: last.result };
    if (last?.type === "RUN_ERROR") return { taskId, status: "failed", text: last.message };
  }
  signal.throwIfAborted();
  throw new Error(`The stream of task ${taskId} ended without a final event.`);
}

async function cancelUnlessEnded(workspace: Workspace, id: string): Promise<void> {
  try {
    await updateTask(workspace, { id, patch: { status: "cancelled" } });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "conflict") throw error;
  }
}
