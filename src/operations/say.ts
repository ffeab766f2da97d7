import { continueThread, titleOf, wasSaid } from "#domain/conversation.ts";
import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/principal.ts";
import { includesRole, requireRole } from "#domain/role.ts";
import type { Utterance } from "#domain/run-job.ts";
import { isTerminal, sourcesOf } from "#domain/task.ts";
import type { Transaction } from "#db/database.ts";
import { lockAgent } from "#db/queries/agents.ts";
import { insertFile } from "#db/queries/files.ts";
import type { NewFile } from "#db/queries/files.ts";
import { readRecord } from "#db/queries/records.ts";
import * as rows from "#db/queries/tasks.ts";
import { isUuid } from "#lib/ids.ts";
import { settle } from "#lib/settle.ts";
import type { Services } from "./context.ts";
import { storeUpload } from "./files.ts";
import type { Upload } from "./files.ts";

const UNIQUE_VIOLATION = "23505";

/** A message to an agent in a thread; the thread's id is the task's. */
export interface Saying {
  readonly agentId: string;
  readonly threadId: string;
  readonly message: Utterance;
  /** What comes with the message. */
  readonly files: readonly Upload[];
}

/**
 * Says something to an agent: in a new thread it becomes a task, which is dispatched; in one that
 * has ended the agent works on with all that was said. A message that was said before, or that
 * comes while the agent works, changes nothing.
 * @throws AppError `not_found` when the workspace has no such agent, or the thread is another's;
 * `bad_request` for a new thread whose id is no UUID; `conflict` for one whose deleted task is remembered;
 * `forbidden` for those who may only read; as
 * {@link storeUpload} for a file.
 */
export async function say(services: Services, who: Principal, saying: Saying): Promise<void> {
  if (!isUuid(saying.threadId)) {
    throw new AppError("bad_request", "threadId must be a UUID: it becomes the id of the task.");
  }
  if (!isUuid(saying.agentId)) throw unknownAgent();
  // Who may only read can still follow what others began.
  if (!includesRole(who.role, "member") && (await readRecord(services.db, who, "task", saying.threadId))) return;
  requireRole(who, "member");
  if ((await rows.findSpentIds(services.db, [saying.threadId])).length > 0) throw spentThread();
  const files: NewFile[] = [];
  for (const file of saying.files) files.push(await storeUpload(services, who, file));
  const dispatched = await services.db
    .inWorkspace(who, (tx) => sayIn(tx, who, withFiles(saying, files)))
    .catch((error: unknown) => {
      // Somebody else began the very same thread at this instant.
      if (isTaken(error)) return services.db.inWorkspace(who, (tx) => sayAgain(tx, saying));
      throw error;
    });
  if (!dispatched) return;
  services.queue.wake(who.workspaceId);
  services.events.publish(saying.threadId, "look");
}

/** Something said whose files are stored, but for their rows. */
interface StoredSaying extends Omit<Saying, "files"> {
  readonly files: readonly NewFile[];
}

function withFiles(saying: Saying, files: readonly NewFile[]): StoredSaying {
  if (files.length === 0) return { ...saying, files };
  return { ...saying, files, message: { ...saying.message, attachments: files.map(({ id }) => id) } };
}

async function sayIn(tx: Transaction, who: Principal, saying: StoredSaying): Promise<boolean> {
  const { agentId, threadId: taskId, message, files } = saying;
  const thread = await rows.lockThread(tx, { taskId, agentId });
  if (thread === undefined) {
    if ((await lockAgent(tx, agentId)) === undefined) throw unknownAgent();
    await beginThread(tx, who, saying);
    return true;
  }
  if (!isTerminal(thread.status) || wasSaid(thread, message)) return false;
  await rows.writeConversation(tx, taskId, continueThread(thread, message));
  await rows.dispatchTask(tx, { id: taskId, from: sourcesOf("dispatched"), teamRunId: null });
  await settle([
    ...files.map((file) => insertFile(tx, { ...file, owner: { taskId } })),
    rows.openTaskStream(tx, taskId),
    rows.enqueueRun(tx, taskId),
  ]);
  return true;
}

async function beginThread(
  tx: Transaction,
  who: Principal,
  { agentId, threadId, message, files }: StoredSaying,
): Promise<void> {
  await settle([
    rows.insertTask(tx, {
      id: threadId,
      workspace_id: who.workspaceId,
      title: titleOf(message.content),
      description: message.content,
      priority: "medium",
      status: "dispatched",
      assigned_agent_id: agentId,
      metadata: {},
      conversation: [message],
      created_by: who.userId,
    }),
    ...files.map((file) => insertFile(tx, { ...file, owner: { taskId: threadId } })),
    rows.beginTaskStream(tx, threadId),
    rows.enqueueRun(tx, threadId),
  ]);
}

/** The thread exists by now. It may also be another agent's or, unseen, another workspace's. */
async function sayAgain(
  tx: Transaction,
  { agentId, threadId: taskId }: Pick<Saying, "agentId" | "threadId">,
): Promise<false> {
  if ((await rows.lockThread(tx, { taskId, agentId })) === undefined) {
    throw new AppError("not_found", "Task not found for this agent");
  }
  return false;
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === UNIQUE_VIOLATION;
}

function spentThread(): AppError {
  return new AppError(
    "conflict",
    "The task of this thread was deleted and its work is not forgotten yet: choose another threadId.",
  );
}

function unknownAgent(): AppError {
  return new AppError("not_found", "Agent not found in workspace");
}
