import type { WorkspaceDatabase } from "../../database.ts";
import { statement } from "../../statement.ts";

const FIND = statement({
  name: "find-stream-subject",
  text: `select kind, agent_id as "agentId" from runs where id = $1`,
});

/** What a stream is of: a team run, or a task of an agent, or of a team. */
export interface StreamSubject {
  readonly kind: string;
  readonly agentId: string | null;
}

/** Finds the task or team run of a stream; undefined when the workspace has none with this id. */
export async function findStreamSubject(db: WorkspaceDatabase, id: string): Promise<StreamSubject | undefined> {
  const [row] = await db.query<StreamSubject>(FIND, [id]);
  return row;
}
