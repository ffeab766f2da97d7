import { z } from "zod";
import { PAGE_READ_ONLY, PAGE_ROOT, pageCreate, pagePatch, pageRecord } from "#domain/agents/agent-page.ts";
import type { PageRecord } from "#domain/agents/agent-page.ts";
import { givenId } from "#domain/given-id.ts";
import { changePage, createPage, deletePage, getPage, listPages, rotatePage } from "#operations/agents/agent-pages.ts";
import type { HttpContext, HttpServices } from "../../context.ts";
import { originOf } from "../../middleware/origin.ts";
import { endpoint } from "../shape/endpoint.ts";
import { pageOf, pageQuery } from "../shape/page-query.ts";
import { respondRows, respondValue } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";

const PATH = "/console/api/pages";
const TAG = "Agent pages";

const shown = pageRecord.extend({ url: z.url().describe("Where visitors find it.") }).meta({ id: "AgentPage" });

/** Adds /console/api/pages: the public pages of agents. */
export default function addAgentPages(api: Api): void {
  addPath(api, PATH, { tag: TAG, endpoints: [list, create] });
  addPath(api, `${PATH}/{id}`, { tag: TAG, endpoints: [read, change, remove] });
  addPath(api, `${PATH}/{id}/rotate`, { tag: TAG, endpoints: [rotate] });
}

const list = endpoint({
  method: "get",
  operationId: "listAgentPages",
  summary: "List the pages of agents, newest first",
  query: pageQuery.extend({ agent_id: givenId.optional().describe("Only the page of this agent.") }),
  success: { status: 200, schema: z.array(shown) },
  async handle({ c, workspace, query: { agent_id: agentId, ...page } }) {
    const { rows, next } = await listPages(workspace, { agentId, ...pageOf(page) });
    return respondRows(c, { rows: rows.map((row) => withUrl(c, workspace, row)), next });
  },
});

const create = endpoint({
  method: "post",
  operationId: "createAgentPage",
  needs: "admin",
  summary: "Create the page of an agent; it is off unless you switch it on",
  body: pageCreate,
  readOnly: PAGE_READ_ONLY,
  success: { status: 201, schema: shown },
  handle: async ({ c, workspace, body }) =>
    respondValue(c, withUrl(c, workspace, await createPage(workspace, body)), 201),
});

const read = endpoint({
  method: "get",
  operationId: "getAgentPage",
  summary: "Read the page of an agent",
  params: idQuery,
  success: { status: 200, schema: shown },
  handle: async ({ c, workspace, params }) =>
    respondValue(c, withUrl(c, workspace, await getPage(workspace, params.id))),
});

const change = endpoint({
  method: "patch",
  operationId: "updateAgentPage",
  needs: "admin",
  summary: "Change the page of an agent, or switch it on or off, immediately",
  params: idQuery,
  body: pagePatch,
  readOnly: [...PAGE_READ_ONLY, "agent_id"],
  success: { status: 200, schema: shown },
  handle: async ({ c, workspace, params, body }) =>
    respondValue(c, withUrl(c, workspace, await changePage(workspace, { id: params.id, patch: body }))),
});

const remove = endpoint({
  method: "delete",
  operationId: "deleteAgentPage",
  needs: "admin",
  summary: "Delete the page of an agent with its budgets; the runs of its visitors remain",
  params: idQuery,
  success: { status: 204 },
  handle: ({ workspace, params }) => deletePage(workspace, params.id),
});

const rotate = endpoint({
  method: "post",
  operationId: "rotateAgentPage",
  needs: "admin",
  summary: "End all visits of a page: who comes again has no earlier conversation",
  params: idQuery,
  success: { status: 200, schema: shown },
  handle: async ({ c, workspace, params }) =>
    respondValue(c, withUrl(c, workspace, await rotatePage(workspace, params.id))),
});

function withUrl(c: HttpContext, services: HttpServices, page: PageRecord): object {
  return { ...page, url: `${originOf(c, services)}${PAGE_ROOT}/${page.slug}` };
}
