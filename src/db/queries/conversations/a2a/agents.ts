import type { Database, WorkspaceDatabase } from "../../../database.ts";
import { statement } from "../../../statement.ts";
import type { CardAgent } from "#domain/agents/card-agent.ts";

const COLUMNS = "a.id, a.name, a.description, a.version, a.tags, a.tools, iso(a.updated_at) as updated_at";

const PUBLISHED = statement({
  name: "list-a2a-published-agents",
  text: `select ${COLUMNS} from agents a where a.is_a2a_published order by a.created_at, a.id limit $1`,
});

/** The agents of all workspaces that are published to A2A, oldest first. */
export function listPublishedAgents(db: Database, limit: number): Promise<CardAgent[]> {
  return db.query<CardAgent>(PUBLISHED, [limit]);
}

const ONE_PUBLISHED = statement({
  name: "read-a2a-published-agent",
  text: `select ${COLUMNS} from agents a where a.id = $1 and a.is_a2a_published`,
});

/** An agent of any workspace that is published to A2A; undefined otherwise. */
export async function readPublishedAgent(db: Database, id: string): Promise<CardAgent | undefined> {
  const [agent] = await db.query<CardAgent>(ONE_PUBLISHED, [id]);
  return agent;
}

const OF_WORKSPACE = statement({
  name: "list-a2a-agents",
  text: `
    select ${COLUMNS} from agents a
    where a.workspace_id = current_workspace_id() and ($1::uuid is null or a.id = $1) and (not $2 or a.is_a2a_published)
    order by a.created_at, a.id limit $3`,
});

/** A workspace's own agents: all, one, or the published ones, oldest first. */
export function listOwnAgents(
  db: WorkspaceDatabase,
  which: { readonly id?: string; readonly onlyPublished?: boolean; readonly limit: number },
): Promise<CardAgent[]> {
  const values = [which.id ?? null, which.onlyPublished ?? false, which.limit];
  return db.query<CardAgent>(OF_WORKSPACE, values);
}
