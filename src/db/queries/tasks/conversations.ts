import type { Thread } from "#domain/tasks/conversation.ts";
import { statement } from "../../statement.ts";
import type { WorkspaceDatabase } from "../../database.ts";

const READ = statement({
  name: "read-conversation",
  text: `
    select id, attempt, title, description, result, conversation,
      coalesce((client_request->>'stored')::boolean, true) as stored
    from runs where id = $1 and kind = 'task'`,
});

/** A task as a conversation. */
export interface StoredThread extends Thread {
  /** Whether the request that started it allows others to continue it. */
  readonly stored: boolean;
}

/** A task as a conversation; undefined when the workspace has no such task. */
export async function readConversation(
  db: Pick<WorkspaceDatabase, "query">,
  taskId: string,
): Promise<StoredThread | undefined> {
  const [row] = await db.query<StoredThread>(READ, [taskId]);
  return row;
}
