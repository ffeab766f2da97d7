import type { AgentCreate, AgentPatch, AgentReasoning } from "#domain/agents/agent.ts";
import type { PublishedAgent } from "#domain/tools/mcp-tools.ts";
import type { Transaction, WorkspaceDatabase } from "../../database.ts";
import { statement } from "../../statement.ts";

const WRITABLE = `name, description, model, fallback_model, fallback_models, provider, system_prompt, temperature,
  max_tokens, reasoning, output_schema, prompt_caching, tags, tools, voice_profile, voice_profile_id, output_template, output_template_id, knowledge_base_ids, output_route_ids,
  is_marketplace, marketplace_tags, is_mcp_published, is_a2a_published, config`;

const INSERT = statement({
  name: "insert-agent",
  text: `
    insert into agents (id, workspace_id, created_by, needs_review, ${WRITABLE})
    select id, workspace_id, created_by, coalesce(needs_review, false), ${WRITABLE}
    from json_populate_record(null::agents, $1)`,
});

/** An agent row to insert. */
export type NewAgent = Omit<AgentCreate, "provider"> & {
  readonly id: string;
  readonly workspace_id: string;
  readonly created_by: string;
  readonly provider: string;
};

/** Inserts an agent. */
export async function insertAgent(tx: Transaction, agent: NewAgent): Promise<void> {
  await tx.query(INSERT, [JSON.stringify(agent)]);
}

const UPDATE = statement({
  name: "update-agent",
  text: `
    update agents a set (${WRITABLE}, needs_review, updated_at) =
      (select ${WRITABLE}, needs_review, clock_timestamp() from json_populate_record(a, $2))
    where id = $1`,
});

/** Changes the given fields of an agent. */
export async function updateAgent(tx: Transaction, agentId: string, patch: AgentPatch): Promise<void> {
  await tx.query(UPDATE, [agentId, JSON.stringify(patch)]);
}

/** The fields of an agent that its changes must match. */
export interface AgentModel {
  readonly model: string;
  readonly provider: string;
  readonly fallback_models: string[];
  readonly reasoning: AgentReasoning;
  readonly needsReview: boolean;
}

const LOCK = statement({
  name: "lock-agent",
  text: `
    select model, provider, fallback_models, reasoning, needs_review as "needsReview" from agents where id = $1
    for update`,
});

/** Reads an agent's models and locks the agent until the transaction ends. */
export async function lockAgent(tx: Transaction, agentId: string): Promise<AgentModel | undefined> {
  const [row] = await tx.query<AgentModel>(LOCK, [agentId]);
  return row;
}

const LOCK_ALL = statement({
  name: "lock-agents",
  text: `select id from agents where id = any($1::uuid[]) order by id for update`,
});

/** Locks agents until the transaction ends; returns the number of those that exist. */
export async function lockAgents(tx: Transaction, agentIds: readonly string[]): Promise<number> {
  return (await tx.query(LOCK_ALL, [agentIds])).length;
}

const REQUIRE_REVIEWED = statement({
  name: "require-reviewed-agent",
  text: `select reject_unreviewed(a) from agents a where a.id = $1 and a.needs_review`,
});

/** Checks that an agent may work, for what starts later. @throws AppError `conflict` when it waits for its review. */
export async function requireReviewed(tx: Transaction, agentId: string): Promise<void> {
  await tx.query(REQUIRE_REVIEWED, [agentId]);
}

const DELETE = statement({ name: "delete-agents", text: `delete from agents where id = any($1::uuid[])` });

/** Deletes agents; their tasks and usage are kept without them. */
export async function deleteAgents(tx: Transaction, agentIds: readonly string[]): Promise<void> {
  await tx.query(DELETE, [agentIds]);
}

const LIST_MCP = statement({
  name: "list-mcp-agents",
  text: `
    select id, name, description from agents where workspace_id = current_workspace_id() and is_mcp_published
    order by created_at, id`,
});

/** A workspace's agents that are published to MCP, in order of creation. */
export function listMcpAgents(db: WorkspaceDatabase): Promise<PublishedAgent[]> {
  return db.query<PublishedAgent>(LIST_MCP);
}

const TOOL_NAMES = statement({
  name: "tool-names-of-agent",
  text: `
    select coalesce(c.name, listed.name) as name
    from agents a cross join unnest(a.tools) as listed (name)
    left join custom_tools c on c.workspace_id = a.workspace_id and listed.name = 'custom:' || c.id
    where a.id = $1`,
});

/** The names by which a model calls an agent's tools, for tools stored in the database. */
export async function readToolNames(db: WorkspaceDatabase, agentId: string): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ name: string }>(TOOL_NAMES, [agentId]);
  return new Set(rows.map(({ name }) => name));
}

const LIST_TAGS = statement({
  name: "list-agent-tags",
  text: `
    select distinct tag collate "C" as tag from agents cross join unnest(tags) as tag
    where workspace_id = current_workspace_id() order by 1 limit $1`,
});

/** The tags of a workspace's agents, each once, in order. */
export async function listAgentTags(db: WorkspaceDatabase, limit: number): Promise<string[]> {
  const rows = await db.query<{ tag: string }>(LIST_TAGS, [limit]);
  return rows.map(({ tag }) => tag);
}

const AMONG = statement({
  name: "agents-among",
  text: `select id, provider, model, reasoning from agents where id = any($1)`,
});

/** How an agent calls its model. */
export interface ModelUse {
  readonly provider: string;
  readonly model: string;
  readonly reasoning: AgentReasoning;
}

/** Those of these ids that are agents of the workspace. */
export async function agentsAmong(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, ModelUse>> {
  const rows = await tx.query<ModelUse & { id: string }>(AMONG, [ids]);
  return new Map(rows.map(({ id, ...use }) => [id, use]));
}
