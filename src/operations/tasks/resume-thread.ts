import { AppError } from "#domain/errors.ts";
import { containsMessage } from "#domain/tasks/conversation.ts";
import type { ConversationMessage } from "#domain/tasks/run-job.ts";
import { readQuestionAt, readThread } from "#db/queries/tasks/agent-threads.ts";
import type { ThreadKey } from "#db/queries/tasks/agent-threads.ts";
import { findThread } from "./find-thread.ts";
import { respond } from "../runs/respond.ts";
import type { Workspace } from "../workspace.ts";

/** The answer to a thread's open question. */
export interface ThreadAnswer extends ThreadKey {
  readonly interactionId: string;
  /** The answer's fields, as in the respond endpoint; undefined when the person cancelled the question. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** The newest message of the client's history, which the thread must already have. */
  readonly message: ConversationMessage | undefined;
}

/** The event of a task's log that asked a question. */
export interface AnsweredAt {
  readonly taskId: string;
  readonly seq: number;
}

/** Who answers on an agent's page. */
const VISITOR = { via: "page", linkName: "Visitor" } as const;

/** The body that cancels a question, by type. */
const CANCELLATIONS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  approval: { approved: false },
  confirm_data: { approved: false },
  wizard: { wizardCancelled: true },
};

/**
 * Answers the open question of a thread. Returns the event that asked it; the answer's events come after it.
 * @throws AppError `not_found` for an unknown thread; `conflict` when the thread does not wait for this answer, or the
 * message is new; `bad_request` when the answer is invalid, or the question cannot be cancelled.
 */
export async function resumeThread(workspace: Workspace, answer: ThreadAnswer): Promise<AnsweredAt> {
  const { agentId, interactionId, message } = answer;
  const found = await findThread(workspace, answer);
  if (message !== undefined && (await isNewMessage(workspace, { ...answer, message }))) {
    throw new AppError(
      "conflict",
      "A new message cannot be sent together with an answer. Send it when the run has ended.",
    );
  }
  const body = answer.body ?? cancellationOf(found.openQuestion);
  const by = workspace.who.pageId === undefined ? { via: "ag-ui" as const } : VISITOR;
  await respond(workspace, { subjectId: found.taskId, agentId, interactionId, body, ...by });
  return { taskId: found.taskId, seq: found.last_seq };
}

/**
 * Returns a task's open question, as in its record, if the event with this number asks it; undefined once it is
 * answered.
 */
export function openQuestionAt(
  workspace: Workspace,
  at: { readonly taskId: string; readonly seq: number },
): Promise<unknown> {
  return readQuestionAt(workspace, at);
}

/** Whether a thread exists and does not have a message yet. */
export async function isNewMessage(
  workspace: Workspace,
  posted: ThreadKey & { readonly message: ConversationMessage },
): Promise<boolean> {
  const thread = await readThread(workspace, posted);
  return thread !== undefined && !containsMessage(thread, posted.message);
}

/** For a thread that does not wait, any body will do: the answer is rejected. */
function cancellationOf(type: string | null): Readonly<Record<string, unknown>> {
  const body = type === null ? {} : CANCELLATIONS[type];
  if (body !== undefined) return body;
  throw new AppError(
    "bad_request",
    `A question of the type ${type} cannot be cancelled: answer it, or cancel the task.`,
  );
}
