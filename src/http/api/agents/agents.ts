import { z } from "zod";
import { AGENT_READ_ONLY, AGENT_STATUSES, agentCreate, agentPatch } from "#domain/agents/agent.ts";
import { tagList } from "#domain/tag-list.ts";
import { createAgent, deleteAgent, getAgent, listAgentTags, updateAgent } from "#operations/agents/agents.ts";
import { listPage } from "#operations/list-records.ts";
import type { HttpContext, HttpServices } from "../../context.ts";
import { readBody, readQuery } from "../../middleware/read-body.ts";
import { listQuery, nameFilter } from "../shape/list-query.ts";
import { agentRecord } from "../shape/records.ts";
import { pageOf } from "../shape/page-query.ts";
import { respond, respondCreated, respondPage, respondValue } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";

const agentsQuery = listQuery.extend({
  q: nameFilter,
  status: z.enum(AGENT_STATUSES).optional(),
  tag: z.string().min(1).max(50).optional().describe("One of its tags, exactly."),
});

/** Adds /api-agents, and /console/api/agents/tags: the tags to filter them by. */
export default function addAgents(api: Api): void {
  addPath(api, "/functions/v1/api-agents", {
    tag: "Agents",
    endpoints: [
      {
        method: "get",
        operationId: "listAgents",
        readsOneAs: "getAgent",
        summary: "List agents, newest first, or read one",
        query: agentsQuery,
        success: { status: 200, schema: z.union([z.array(agentRecord), agentRecord]) },
        handle: read,
      },
      {
        method: "post",
        operationId: "createAgent",
        warns: true,
        summary: "Create an agent",
        body: agentCreate,
        success: { status: 201, schema: agentRecord },
        handle: create,
      },
      {
        method: "patch",
        operationId: "updateAgent",
        summary: "Change an agent",
        query: idQuery,
        body: agentPatch,
        success: { status: 200, schema: agentRecord },
        handle: update,
      },
      {
        method: "delete",
        operationId: "deleteAgent",
        summary: "Delete an agent; its unfinished tasks are cancelled",
        query: idQuery,
        success: { status: 204 },
        handle: remove,
      },
    ],
  });
  addPath(api, "/console/api/agents/tags", {
    tag: "Agents",
    endpoints: [
      {
        method: "get",
        operationId: "listAgentTags",
        summary: "List the tags of all agents",
        success: { status: 200, schema: tagList },
        handle: async (c, services) => respondValue(c, await listAgentTags(services, c.get("principal"))),
      },
    ],
  });
}

async function read(c: HttpContext, services: HttpServices): Promise<Response> {
  const { id, limit, cursor, q, tag, status: agentStatus } = readQuery(c, agentsQuery);
  const who = c.get("principal");
  if (id !== undefined) return respond(c, await getAgent(services, who, id));
  return respondPage(
    c,
    await listPage(services, who, { of: "agent", ...pageOf({ limit, cursor }), fields: { q, tag, agentStatus } }),
  );
}

async function create(c: HttpContext, services: HttpServices): Promise<Response> {
  const input = await readBody(c, agentCreate, AGENT_READ_ONLY);
  const { record, warning } = await createAgent(services, c.get("principal"), input);
  return respondCreated(c, record, warning);
}

async function update(c: HttpContext, services: HttpServices): Promise<Response> {
  const { id } = readQuery(c, idQuery);
  const patch = await readBody(c, agentPatch, [...AGENT_READ_ONLY, "status"]);
  return respond(c, await updateAgent(services, c.get("principal"), { id, patch }));
}

async function remove(c: HttpContext, services: HttpServices): Promise<Response> {
  await deleteAgent(services, c.get("principal"), readQuery(c, idQuery).id);
  return c.body(null, 204);
}
