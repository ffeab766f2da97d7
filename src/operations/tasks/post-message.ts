import type { ClientTools } from "#domain/tools/client-tools.ts";
import { continueThread, titleOf, containsMessage } from "#domain/tasks/conversation.ts";
import { AppError } from "#domain/errors.ts";
import { requireScope } from "#domain/access/principal.ts";
import type { Principal } from "#domain/access/principal.ts";
import { sourceOf } from "#domain/runs/run-source.ts";
import { includesRole, requireRole } from "#domain/access/role.ts";
import type { ConversationMessage } from "#domain/tasks/run-job.ts";
import { isTerminal, sourcesOf } from "#domain/tasks/task-status.ts";
import { insertThread, lockThread, readThread } from "#db/queries/tasks/agent-threads.ts";
import type { ThreadKey, ThreadTask } from "#db/queries/tasks/agent-threads.ts";
import { readQuestion } from "#db/queries/runs/questions.ts";
import { insertFile } from "#db/queries/files/files.ts";
import type { NewFile } from "#db/queries/files/files.ts";
import type { JobTransaction } from "#db/queries/queue/jobs.ts";
import { restartRun } from "#db/queries/runs/restart-run.ts";
import { beginLog, openLog } from "#db/queries/streams/log-heads.ts";
import * as rows from "#db/queries/tasks/tasks.ts";
import { isUuid, newId } from "#lib/ids.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import type { AcceptMessage } from "../runs/accept-message.ts";
import { storeAllSent } from "../files/linked-files.ts";
import { cancelRun } from "../runs/cancel-run.ts";
import { openingEvent } from "../runs/opening-event.ts";
import { checkClientTools } from "../tools/check-client-tools.ts";
import type { Change } from "../change-workspace.ts";
import type { SentFile } from "#domain/files/sent-file.ts";
import { codeOf } from "#lib/error-code.ts";
import { constraintOf } from "#db/constraints.ts";
import type { Workspace } from "../workspace.ts";

/** SQLSTATE unique_violation. */
const UNIQUE_VIOLATION = "23505";
/** Another request may start the thread meanwhile, once under its own id and once under a mapped one. */
const MAX_TRIES = 3;

/** A message to an agent in a thread. */
export interface PostedMessage extends ThreadKey {
  readonly message: ConversationMessage;
  /** Files attached to the message. */
  readonly files: readonly SentFile[];
  /** Tools that the client executes itself. */
  readonly clientTools?: ClientTools;
  /** The open question that the person leaves unanswered with the message: the run that asked it is cancelled. */
  readonly leavesQuestion?: string | undefined;
  readonly accept?: AcceptMessage | undefined;
}

/**
 * Posts a message to an agent. In a new thread, it creates a task and dispatches it. In a thread whose task has ended,
 * the agent runs again with the whole conversation, also after {@link PostedMessage.leavesQuestion}. A message that the thread already has is ignored. If the id of a
 * new thread is a free UUID, its task gets this id. Any other id is mapped to a generated one: the response is the same
 * when another workspace has a task with this id. Returns the task that runs; undefined for a message that was ignored.
 * @throws AppError `not_found` when the workspace has no such agent; `conflict` while the thread's task has not ended;
 * `forbidden` for read-only callers; as {@link storeAllSent} for a file.
 */
export async function postMessage(workspace: Workspace, posted: PostedMessage): Promise<StartedTask | undefined> {
  if (!isUuid(posted.agentId)) throw unknownAgent();
  if (readsThreadFirst(workspace.who, posted)) {
    const known = await readThread(workspace, posted);
    if (known !== undefined && containsMessage(known, posted.message)) return undefined;
    requireScope(workspace.who, "write");
    requireRole(workspace.who, "member");
    if (known !== undefined && posted.leavesQuestion === undefined) requireEnded(known);
  }
  const { clientTools } = posted;
  if (clientTools !== undefined) await checkClientTools(workspace, { agentId: posted.agentId, clientTools });
  const files = await storeAllSent(workspace, posted.files);
  return storeMessage(workspace, { ...withFiles(posted, files), files });
}

/**
 * Whether a message may be rejected or ignored before the transaction that stores it, which checks the same: files are
 * not stored for nothing, and a viewer may send again what the thread has.
 */
function readsThreadFirst(who: Principal, { files, clientTools }: PostedMessage): boolean {
  return files.length > 0 || (clientTools?.tools.length ?? 0) > 0 || !includesRole(who.role, "member");
}

/**
 * Starts a new thread with a message and dispatches its task. Returns the task's id, which is the thread's.
 * @throws AppError `not_found` when the workspace has no such agent; `forbidden`; as {@link storeAllSent} for a file.
 */
export async function startThread(workspace: Workspace, posted: Omit<PostedMessage, "threadId">): Promise<string> {
  if (!isUuid(posted.agentId)) throw unknownAgent();
  requireRole(workspace.who, "member");
  const files = await storeAllSent(workspace, posted.files);
  const taskId = newId();
  const message = { ...withFiles({ ...posted, threadId: taskId }, files), files, taskId };
  await workspace.change((tx) => startTask(tx, workspace.who, message));
  return taskId;
}

/** A message whose file contents are stored, but not their rows. */
interface StoredMessage extends Omit<PostedMessage, "files"> {
  readonly files: readonly NewFile[];
}

function withFiles(posted: PostedMessage, files: readonly NewFile[]): PostedMessage {
  if (files.length === 0) return posted;
  return { ...posted, message: { ...posted.message, attachments: files.map(({ id }) => id) } };
}

/** A task that runs because of a message, and whether the message has created it. */
export interface StartedTask {
  readonly taskId: string;
  readonly isNew: boolean;
}

async function storeMessage(workspace: Workspace, posted: StoredMessage): Promise<StartedTask | undefined> {
  const { threadId } = posted;
  let hasOwnId = isUuid(threadId);
  for (let tries = 1; ; tries++) {
    const taskId = hasOwnId ? threadId : newId();
    try {
      return await workspace.change(async (tx) => {
        const thread = await lockThread(tx, posted);
        if (thread !== undefined) return continueTask(tx, thread, { ...posted, who: workspace.who });
        tx.publish(taskId);
        await startTask(tx, workspace.who, { ...posted, taskId });
        return { taskId, isNew: true };
      });
    } catch (error) {
      if (isUnknownAgent(error)) throw unknownAgent();
      if (codeOf(error) !== UNIQUE_VIOLATION || tries === MAX_TRIES) throw error;
      hasOwnId = false;
    }
  }
}

async function continueTask(
  tx: Change,
  thread: ThreadTask,
  { who, message, files, clientTools, leavesQuestion, accept }: StoredMessage & { readonly who: Principal },
): Promise<StartedTask | undefined> {
  const { id, status } = thread;
  if (containsMessage(thread, message)) return undefined;
  if (accept !== undefined && !(await accept(tx, { taskId: id, effect: "continuation" }))) return undefined;
  if (leavesQuestion !== undefined && status === "waiting_for_input") await leaveQuestion(tx, id, leavesQuestion);
  else requireEnded(thread);
  await rows.writeConversation(tx, id, continueThread(thread, message));
  // Each message begins a trace of its own, unless its request is part of one.
  const isForOthers = who.channelRouteId !== undefined || who.pageId !== undefined;
  await restartRun(tx, { id, from: sourcesOf("dispatched"), isForOthers, clientTools, trace: tx.trace(newId()) });
  await allSettledOrThrow([
    ...files.map((file) => insertFile(tx, { ...file, owner: { taskId: id } })),
    openLog(tx, id),
    tx.enqueue("task", id, message.delegationDepth),
  ]);
  tx.publish(id);
  return { taskId: id, isNew: false };
}

async function leaveQuestion(tx: JobTransaction, taskId: string, interactionId: string): Promise<void> {
  const open = await readQuestion(tx, taskId);
  if (open?.interactionId !== interactionId) {
    throw new AppError("conflict", "The task does not wait for this interactionId");
  }
  await cancelRun(tx, taskId);
}

async function startTask(
  tx: JobTransaction,
  who: Principal,
  { agentId, threadId, taskId, message, files, clientTools, accept }: StoredMessage & { readonly taskId: string },
): Promise<void> {
  const job = tx.reserve("task", message.delegationDepth);
  const opening = job.hasSlot ? openingEvent(taskId) : undefined;
  const sent = allSettledOrThrow([
    rows.insertTask(tx, {
      id: taskId,
      workspace_id: who.workspaceId,
      title: titleOf(message.content),
      description: message.content,
      priority: "medium",
      status: "dispatched",
      startsNow: job.hasSlot,
      assigned_agent_id: agentId,
      metadata: "{}",
      conversation: [message],
      created_by: who.userId,
      source: sourceOf(who),
      trace: tx.trace(taskId),
      client_tools: clientTools,
    }),
    ...(taskId === threadId ? [] : [insertThread(tx, { agentId, threadId }, taskId)]),
    ...files.map((file) => insertFile(tx, { ...file, owner: { taskId } })),
    beginLog(tx, taskId, opening),
    job.enqueue(taskId, opening),
    accept?.(tx, { taskId, effect: "start" }),
  ]);
  tx.commit();
  await sent;
}

/** A message is part of the next run or rejected; it is never dropped. */
function requireEnded({ status }: ThreadTask): void {
  if (isTerminal(status)) return;
  const advice =
    status === "waiting_for_input"
      ? "Answer the agent's question, or send the results of your tools, first."
      : "Send it when the run has ended.";
  throw new AppError("conflict", `The thread accepts no message while its task is ${status}. ${advice}`);
}

/** The reference of the new task checks the agent: a lock on its row would let its threads start one after another. */
function isUnknownAgent(error: unknown): boolean {
  return constraintOf(error) === "runs_agent_fkey";
}

function unknownAgent(): AppError {
  return new AppError("not_found", "Agent not found in workspace");
}
