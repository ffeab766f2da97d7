import {
  conversationInput,
  createConversationToken,
  createRunToken,
  streamTokenRecord,
} from "#operations/access/stream-tokens.ts";
import { endpoint } from "../shape/endpoint.ts";
import { respondValue } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";

/** Adds the stream tokens of agents and runs: short-lived access for pages, which should hold no key. */
export default function addStreamTokens(api: Api): void {
  addPath(api, "/console/api/agents/{id}/stream-token", { tag: "Streams", endpoints: [ofAgent] });
  addPath(api, "/console/api/runs/{id}/stream-token", { tag: "Streams", endpoints: [ofRun] });
}

const ofAgent = endpoint({
  method: "post",
  operationId: "createAgentStreamToken",
  summary: "Make a token for a page: one conversation with an agent, for 15 minutes",
  params: idQuery,
  body: conversationInput,
  success: { status: 201, schema: streamTokenRecord },
  handle: async ({ c, workspace, params, body }) =>
    respondValue(c, await createConversationToken(workspace, { agentId: params.id, threadId: body.thread_id }), 201),
});

const ofRun = endpoint({
  method: "post",
  operationId: "createRunStreamToken",
  summary: "Make a token for a page: follow and answer one task or team run, for 15 minutes",
  params: idQuery,
  success: { status: 201, schema: streamTokenRecord },
  handle: async ({ c, workspace, params }) => respondValue(c, await createRunToken(workspace, params.id), 201),
});
