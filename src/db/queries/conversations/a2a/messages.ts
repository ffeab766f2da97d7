import type { Transaction, WorkspaceDatabase } from "../../../database.ts";
import { statement } from "../../../statement.ts";

/** What a message did: it created a task, answered its question, or started its next attempt. */
export type MessageEffect = "start" | "answer" | "continuation";

/** A message of a context, which is a task, by the client's own id. */
export interface MessageKey {
  readonly taskId: string;
  readonly messageId: string;
}

const READ = statement({
  name: "read-a2a-message",
  text: `select effect from a2a_messages where task_id = $1 and message_id = $2`,
});

/** Whether a context has accepted a message with this id. */
export async function isAcceptedMessage(db: WorkspaceDatabase, key: MessageKey): Promise<boolean> {
  return (await db.query(READ, [key.taskId, key.messageId])).length > 0;
}

const INSERT = statement({
  name: "insert-a2a-message",
  text: `
    insert into a2a_messages (workspace_id, task_id, message_id, effect) values ($1, $2, $3, $4)
    on conflict (task_id, message_id) do nothing returning message_id`,
});

/** Records that a context accepts a message; false if it has accepted one with this id before. */
export async function insertMessage(
  tx: Transaction,
  {
    workspaceId,
    taskId,
    messageId,
    effect,
  }: MessageKey & { readonly workspaceId: string; readonly effect: MessageEffect },
): Promise<boolean> {
  return (await tx.query(INSERT, [workspaceId, taskId, messageId, effect])).length > 0;
}
