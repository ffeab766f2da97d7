import { z } from "zod";
import { AGENT_READ_ONLY, AGENT_STATUSES, agentCreate, agentPatch } from "#domain/agents/agent.ts";
import { tagList } from "#domain/tag-list.ts";
import { createAgent, deleteAgents, getAgent, listAgentTags, updateAgent } from "#operations/agents/agents.ts";
import { checkAgent } from "#operations/agents/check-agent.ts";
import { listPage } from "#operations/list-records.ts";
import { listQuery, nameFilter } from "../shape/list-query.ts";
import { agentRecord } from "../shape/records.ts";
import { pageOf } from "../shape/page-query.ts";
import { respond, respondPage, respondValue, respondWarning } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";

const agentsQuery = listQuery.extend({
  q: nameFilter,
  status: z.enum(AGENT_STATUSES).optional(),
  tag: z.string().min(1).max(50).optional().describe("One of its tags, exactly."),
});

/** Adds /api-agents, and /console/api/agents/tags: the tags to filter them by. */
export default function addAgents(api: Api): void {
  addPath(api, "/functions/v1/api-agents", { tag: "Agents", endpoints: [list, create, change, remove] });
  addPath(api, "/console/api/agents/tags", { tag: "Agents", endpoints: [tags] });
}

const list = endpoint({
  method: "get",
  operationId: "listAgents",
  readsOneAs: "getAgent",
  summary: "List agents, newest first, or read one",
  query: agentsQuery,
  success: { status: 200, schema: z.union([z.array(agentRecord), agentRecord]) },
  async handle({ c, workspace, query }) {
    const { id, limit, cursor, q, tag, status: agentStatus } = query;
    if (id !== undefined) return respond(c, await getAgent(workspace, id));
    return respondPage(
      c,
      await listPage(workspace, { of: "agent", ...pageOf({ limit, cursor }), fields: { q, tag, agentStatus } }),
    );
  },
});

const create = endpoint({
  method: "post",
  operationId: "createAgent",
  warns: true,
  summary: "Create an agent",
  body: agentCreate,
  keepsDigits: true,
  readOnly: AGENT_READ_ONLY,
  success: { status: 201, schema: agentRecord },
  async prepare({ c, workspace, body }) {
    const agent = await checkAgent(workspace, body);
    return async (joined) => {
      const { record, warnings } = await createAgent(joined, agent);
      return respondWarning(c, record, { status: 201, warnings });
    };
  },
});

const change = endpoint({
  method: "patch",
  operationId: "updateAgent",
  warns: true,
  summary: "Change an agent",
  query: idQuery,
  body: agentPatch,
  keepsDigits: true,
  readOnly: [...AGENT_READ_ONLY, "status"],
  success: { status: 200, schema: agentRecord },
  async handle({ c, workspace, query, body }) {
    const patch = await checkAgent(workspace, body);
    const { record, warnings } = await updateAgent(workspace, { id: query.id, patch });
    return respondWarning(c, record, { status: 200, warnings });
  },
});

const remove = endpoint({
  method: "delete",
  operationId: "deleteAgent",
  summary: "Delete an agent; its unfinished tasks are cancelled",
  query: idQuery,
  success: { status: 204 },
  handle: ({ workspace, query }) => deleteAgents(workspace, [query.id]),
});

const tags = endpoint({
  method: "get",
  operationId: "listAgentTags",
  summary: "List the tags of all agents",
  success: { status: 200, schema: tagList },
  handle: async ({ c, workspace }) => respondValue(c, await listAgentTags(workspace)),
});
