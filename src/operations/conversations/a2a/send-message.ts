import type { Answer } from "#domain/tasks/answer.ts";
import { answerFromText, openQuestion } from "#domain/tasks/answer-text.ts";
import { AppError } from "#domain/errors.ts";
import { requireRole } from "#domain/access/role.ts";
import type { ConversationMessage } from "#domain/tasks/run-job.ts";
import { isTerminal } from "#domain/tasks/task-status.ts";
import { isAcceptedMessage } from "#db/queries/conversations/a2a/messages.ts";
import { findThreadTask } from "#db/queries/tasks/agent-threads.ts";
import { readStreamHead } from "#db/queries/streams/task-events.ts";
import { isUuid } from "#lib/ids.ts";
import { resolveThread } from "../../streams/open-stream.ts";
import type { AcceptMessage } from "../../runs/accept-message.ts";
import { postMessage, startThread } from "../../tasks/post-message.ts";
import { respond } from "../../runs/respond.ts";
import { createAcceptance } from "./accept-message.ts";
import { getConversationTask } from "./read-tasks.ts";
import type { ConversationTask } from "#domain/tasks/conversation-task.ts";
import type { NewPushConfig } from "#domain/destinations/push-config.ts";
import type { SentFile } from "#domain/files/sent-file.ts";
import type { Workspace } from "../../workspace.ts";

/** A message from an A2A client. */
export interface ClientMessage {
  readonly agentId: string;
  /** The task to continue; absent for a new one, or the one of the context. */
  readonly taskId: string | undefined;
  /** The conversation: a thread of the agent. */
  readonly contextId: string | undefined;
  readonly message: ConversationMessage;
  readonly files: readonly SentFile[];
  /** The fields of an answer, if the message carries them as data; otherwise its text is parsed. */
  readonly answer: Answer | undefined;
  /** Whether a message to a finished task runs it again, as a message with only its context does. */
  readonly reopens: "ended tasks" | "none";
  /** Where the client wants to be notified of the task; stored with the message's effect. */
  readonly push: NewPushConfig | undefined;
}

/** The task that accepted a message. */
export interface MessageReceipt {
  readonly agentId: string;
  readonly taskId: string;
  /** The last event of its log before the message; absent when the message started an attempt. */
  readonly lastSeen?: number;
  /** Whether the message has just created the task: whoever follows it before any other await misses nothing. */
  readonly isNew?: boolean;
}

/**
 * Sends a message to an agent. A message that its context has accepted before, by its id, has no effect. Otherwise: if its task waits for input, the message answers the open question. In the context of a
 * finished task, it starts that task's next attempt with the conversation so far. Any other message starts a new task.
 * @throws AppError `not_found` for an unknown task or agent; `bad_request` for a context of another task, and   for an
 * invalid answer; `conflict` for a task that cannot accept a message now; `forbidden`; as {@link postMessage} for a
 * file.
 */
export async function sendMessage(workspace: Workspace, sent: ClientMessage): Promise<MessageReceipt> {
  requireRole(workspace.who, "member");
  const { agentId, contextId, message, files } = sent;
  const task = sent.taskId === undefined ? await taskOfContext(workspace, sent) : await namedTask(workspace, sent);
  if (task !== undefined && (await wasAccepted(workspace, { task, message }))) return { agentId, taskId: task.id };
  const accept = createAcceptance(workspace, { messageId: message.id, push: sent.push });
  if (task?.status === "waiting_for_input") return answerQuestion(workspace, { task, accept, ...sent });
  if (sent.taskId !== undefined && task !== undefined) requireOpen(task, sent);
  const posted = { agentId, message, files, accept };
  const threadId = task?.id ?? contextId;
  if (threadId === undefined) return { agentId, taskId: await startThread(workspace, posted), isNew: true };
  const started = await postMessage(workspace, { ...posted, threadId });
  if (started !== undefined) return { agentId, ...started };
  return { agentId, taskId: task?.id ?? (await resolveThread(workspace, { agentId, threadId })) };
}

async function wasAccepted(
  workspace: Workspace,
  {
    task: { id: taskId },
    message: { id: messageId },
  }: Pick<ClientMessage, "message"> & { readonly task: ConversationTask },
): Promise<boolean> {
  return messageId !== undefined && isAcceptedMessage(workspace, { taskId, messageId });
}

async function namedTask(
  workspace: Workspace,
  { agentId, taskId = "", contextId }: ClientMessage,
): Promise<ConversationTask> {
  const task = await getConversationTask(workspace, { taskId, agentId });
  if (contextId === undefined || contextId === task.context_id) return task;
  throw new AppError("bad_request", `The task ${task.id} belongs to another context, not to ${contextId}.`);
}

async function taskOfContext(
  workspace: Workspace,
  { agentId, contextId }: ClientMessage,
): Promise<ConversationTask | undefined> {
  if (contextId === undefined || !isUuid(agentId)) return undefined;
  const taskId = await findThreadTask(workspace, { agentId, threadId: contextId });
  return taskId === undefined ? undefined : getConversationTask(workspace, { taskId, agentId });
}

interface WaitingTask {
  readonly task: ConversationTask;
  readonly accept: AcceptMessage;
}

async function answerQuestion(
  workspace: Workspace,
  { task, accept, agentId, message, files, answer }: ClientMessage & WaitingTask,
): Promise<MessageReceipt> {
  if (files.length > 0) throw new AppError("bad_request", "An answer to a question cannot carry files.");
  const question = openQuestion.parse(task.interaction);
  const { interactionId, wizardStepId } = question;
  const body =
    answer === undefined
      ? answerFromText(question, message.content)
      : { ...(wizardStepId !== undefined && { wizardStepId }), ...answer };
  const head = await readStreamHead(workspace, task.id);
  await respond(workspace, { subjectId: task.id, agentId, interactionId, body, via: "a2a", accept });
  return { agentId, taskId: task.id, ...(head !== undefined && { lastSeen: head.last_seq }) };
}

function requireOpen({ status }: ConversationTask, { reopens }: ClientMessage): void {
  if (!isTerminal(status) || reopens === "ended tasks") return;
  throw new AppError(
    "conflict",
    `The task is ${status} and accepts no more messages. Send the message with its contextId and without taskId.`,
  );
}
