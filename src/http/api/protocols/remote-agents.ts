import { deleteRemoteAgent } from "#operations/remote-agents/delete-remote-agent.ts";
import { z } from "zod";
import { REMOTE_AGENT_READ_ONLY, remoteAgentCreate, remoteAgentPatch } from "#domain/tools/remote-agent.ts";
import {
  fetchRemoteCard,
  getRemoteAgent,
  refreshRemoteAgent,
  registerRemoteAgent,
  updateRemoteAgent,
} from "#operations/remote-agents/remote-agents.ts";
import { testRemoteAgent } from "#operations/remote-agents/test-remote-agent.ts";
import { listPage } from "#operations/list-records.ts";
import { pageQuery, pageOf } from "../shape/page-query.ts";
import { respond, respondPage, respondValue } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";

const PATH = "/console/api/remote-agents";

const remoteAgentRecord = z
  .strictObject({
    id: z.uuid(),
    workspace_id: z.uuid(),
    name: z.string().describe("From its card, as are description, version, protocol_version and skills."),
    description: z.string(),
    base_url: z.string(),
    version: z.string(),
    protocol_version: z.enum(["0.3", "1.0"]).describe("The A2A version in use."),
    skills: z.array(z.strictObject({ id: z.string(), name: z.string(), description: z.string() })),
    is_enabled: z.boolean(),
    has_token: z.boolean(),
    card_fetched_at: z.iso.datetime(),
    card_error: z.string().nullable().describe("Why the card could not be fetched again; null when it could."),
    created_by: z.uuid().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "RemoteAgent" });

const testBody = z.strictObject({ message: z.string().min(1).max(10_000).describe("The message to the agent.") });
const testResult = z
  .strictObject({
    status: z.enum(["success", "failed"]),
    duration_ms: z.int(),
    output: z.string().nullable().describe("Its reply, or its question."),
    error: z.string().nullable(),
  })
  .meta({ id: "RemoteAgentTest" });

/** Adds /console/api/remote-agents: external agents that the workspace's agents may delegate to. */
export default function addRemoteAgents(api: Api): void {
  addPath(api, PATH, { tag: "Remote agents", endpoints: [list, create] });
  addPath(api, `${PATH}/{id}`, { tag: "Remote agents", endpoints: [read, change, remove] });
  addPath(api, `${PATH}/{id}/refresh`, { tag: "Remote agents", endpoints: [refresh] });
  addPath(api, `${PATH}/{id}/test`, { tag: "Remote agents", endpoints: [test] });
}

const list = endpoint({
  method: "get",
  operationId: "listRemoteAgents",
  summary: "List the workspace's remote agents, newest first",
  query: pageQuery,
  success: { status: 200, schema: z.array(remoteAgentRecord) },
  handle: async ({ c, workspace, query }) =>
    respondPage(c, await listPage(workspace, { of: "remote_agent", ...pageOf(query) })),
});

const create = endpoint({
  method: "post",
  operationId: "createRemoteAgent",
  needs: "admin",
  summary: "Register a remote agent by its base URL; its card is fetched",
  body: remoteAgentCreate,
  readOnly: REMOTE_AGENT_READ_ONLY,
  success: { status: 201, schema: remoteAgentRecord },
  async prepare({ c, workspace, body }) {
    const card = await fetchRemoteCard(workspace, body);
    return async (joined) => respond(c, await registerRemoteAgent(joined, { ...body, card }), 201);
  },
});

const read = endpoint({
  method: "get",
  operationId: "getRemoteAgent",
  summary: "Read a remote agent",
  params: idQuery,
  success: { status: 200, schema: remoteAgentRecord },
  handle: async ({ c, workspace, params }) => respond(c, await getRemoteAgent(workspace, params.id)),
});

const change = endpoint({
  method: "patch",
  operationId: "updateRemoteAgent",
  needs: "admin",
  summary: "Enable or disable a remote agent, or change its token",
  params: idQuery,
  body: remoteAgentPatch,
  readOnly: [...REMOTE_AGENT_READ_ONLY, "base_url"],
  success: { status: 200, schema: remoteAgentRecord },
  handle: async ({ c, workspace, params, body }) =>
    respond(c, await updateRemoteAgent(workspace, { id: params.id, patch: body })),
});

const remove = endpoint({
  method: "delete",
  operationId: "deleteRemoteAgent",
  needs: "admin",
  summary: "Delete a remote agent",
  params: idQuery,
  success: { status: 204 },
  handle: ({ workspace, params }) => deleteRemoteAgent(workspace, params.id),
});

const refresh = endpoint({
  method: "post",
  operationId: "refreshRemoteAgent",
  needs: "admin",
  summary: "Fetch the card of a remote agent again",
  params: idQuery,
  success: { status: 200, schema: remoteAgentRecord },
  async prepare({ c, workspace, params }) {
    const record = await refreshRemoteAgent(workspace, params.id);
    return () => respond(c, record);
  },
});

const test = endpoint({
  method: "post",
  operationId: "testRemoteAgent",
  starts: true,
  summary: "Test a remote agent with a real message; waits up to 30 seconds for its reply",
  params: idQuery,
  body: testBody,
  success: { status: 200, schema: testResult },
  async prepare({ c, workspace, params, body }) {
    const { message } = body;
    const request = { id: params.id, message, signal: c.req.raw.signal };
    const { durationMs, output, error } = await testRemoteAgent(workspace, request);
    const status = error === null ? "success" : "failed";
    return () => respondValue(c, { status, duration_ms: durationMs, output, error });
  },
});
