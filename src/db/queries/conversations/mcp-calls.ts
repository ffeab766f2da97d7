import type { TaskStatus } from "#domain/tasks/task-status.ts";
import type { CountedVote } from "../runs/approvals.ts";
import type { WorkspaceDatabase } from "../../database.ts";
import { statement } from "../../statement.ts";

/** A call of an MCP tool: the task that it became. */
export interface McpCallRow {
  readonly id: string;
  readonly agent_id: string | null;
  readonly status: TaskStatus;
  readonly result: string | null;
  readonly error: string | null;
  /** The open question, as clients get it. */
  readonly interaction: unknown;
  /** The open question, as it is stored. */
  readonly question: unknown;
  /** On a question that a rule asks, in their order. */
  readonly votes: readonly CountedVote[];
  /** Whether a rule asks the caller's person. */
  readonly is_voter: boolean;
  /** ISO 8601. */
  readonly created_at: string;
  /** When it got its current status or changed otherwise, in ISO 8601. */
  readonly changed_at: string;
}

const COLUMNS = `
  t.id, t.agent_id, t.status, t.result, t.error, t.interaction, q.question,
  question_votes_of(q.interaction_id) as votes,
  exists (select from question_voters(q, q.stage) v (id) where v.id = current_user_id()) as is_voter,
  iso(t.created_at) as created_at, iso(coalesce(t.completed_at, t.updated_at)) as changed_at`;
const OF_CLIENT = "t.source_kind = 'mcp' and t.source_id = $1 and t.kind = 'task' and t.parent_id is null";

const READ = statement({
  name: "read-mcp-call",
  text: `
    select ${COLUMNS} from runs t left join task_questions q on q.subject_id = t.id
    where ${OF_CLIENT} and t.id = $2`,
});

/** Reads a call of a client, which is a key or a person; undefined when it has none with this id. */
export async function readMcpCall(
  db: WorkspaceDatabase,
  { clientId, id }: { readonly clientId: string; readonly id: string },
): Promise<McpCallRow | undefined> {
  const [call] = await db.query<McpCallRow>(READ, [clientId, id]);
  return call;
}

const LIST = statement({
  name: "list-mcp-calls",
  text: `
    select ${COLUMNS} from runs t left join task_questions q on q.subject_id = t.id
    where ${OF_CLIENT} and t.workspace_id = $2
      and ($3::timestamptz is null or (t.created_at, t.id) < ($3::timestamptz, $4::uuid))
    order by t.created_at desc, t.id desc limit $5::integer`,
});

/** Where a page of calls ends. */
export interface McpCallPlace {
  readonly createdAt: string;
  readonly id: string;
}

/** Lists the calls of a client, newest first. */
export function listMcpCalls(
  db: WorkspaceDatabase,
  page: { readonly clientId: string; readonly after: McpCallPlace | undefined; readonly limit: number },
): Promise<McpCallRow[]> {
  const { clientId, after, limit } = page;
  const values = [clientId, db.who.workspaceId, after?.createdAt ?? null, after?.id ?? null, limit];
  return db.query<McpCallRow>(LIST, values);
}
