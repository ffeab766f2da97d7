import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import type { AuthInfo } from "@modelcontextprotocol/server";
import { invalid } from "#domain/invalid.ts";
import { MAX_MESSAGE_VALUES, findOversize, findUnstorable } from "#domain/storable.ts";
import { requireWriteOfApp } from "./app-scope.ts";
import { requireScope } from "#domain/access/principal.ts";
import { watchTools } from "#operations/conversations/watch-tools.ts";
import type { HttpContext, HttpServices, HttpWorkspace } from "../context.ts";
import { respondEvents } from "../streams/respond-events.ts";
import { bearerCaller } from "../middleware/authenticate.ts";
import { countRequest, countStarts } from "../middleware/rate-limit.ts";
import type { BearerCaller } from "../bearer-caller.ts";
import { setHeader } from "../middleware/set-header.ts";
import { originOf } from "../middleware/origin.ts";
import { asJsonResponse } from "./json-response.ts";
import { MCP_PATH, resourceChallenge } from "./resource.ts";
import { rejectRebinding } from "./reject-rebinding.ts";
import { takeAnswer } from "./ask-on-stream.ts";
import { sessionFor } from "./client-traits.ts";
import { createSubscriptions, rejectListening, toolChanges } from "./listen.ts";
import { createToolServer } from "./tool-server.ts";
import { requestWorkspace } from "../request-workspace.ts";

const NO_VALID_KEY = "An MCP key is required: Authorization: Bearer mst_mcp_…";

/** Answers a request to the MCP endpoint. */
export type McpEndpoint = (c: HttpContext) => Promise<Response>;

/**
 * Creates the MCP endpoint: the published agents of the key's workspace as tools, stateless, for clients of the
 * revision 2026-07-28 and for those with a handshake (https://modelcontextprotocol.io/specification/2026-07-28).
 */
export function createMcpEndpoint(services: HttpServices): McpEndpoint {
  // The SDK passes the caller's AuthInfo object on; the workspace is found by its identity.
  const workspaces = new WeakMap<AuthInfo, HttpWorkspace>();
  const subscriptions = createSubscriptions();
  const handler = createMcpHandler(
    (request) => {
      const workspace = request.authInfo && workspaces.get(request.authInfo);
      if (workspace === undefined) throw new Error("An MCP request must have a workspace.");
      return createToolServer(workspace, request);
    },
    {
      bus: subscriptions.bus,
      maxSubscriptions: Infinity,
      onerror: (error) => services.log.debug({ err: error }, "MCP request was rejected"),
    },
  );
  services.closing.addEventListener("abort", () => void handler.close());
  return async (c) => {
    const rejected = rejectRebinding(services, c);
    if (rejected !== undefined) return rejected;
    const audience = originOf(c, services) + MCP_PATH;
    const oauth = { audience, challenge: resourceChallenge(services, c) };
    const caller = await bearerCaller(services, c, { surface: "mcp", message: NO_VALID_KEY, oauth });
    const { principal: who } = caller;
    requireScope(who, "read");
    await countRequest(services, c, who);
    const authInfo: AuthInfo = { token: "", clientId: who.keyId ?? who.userId, scopes: [...who.scopes] };
    const workspace = requestWorkspace(services, c, { ...who, protocol: "mcp" });
    workspaces.set(authInfo, workspace);
    if (c.req.method === "GET" && acceptsStream(c)) {
      const open = async (signal: AbortSignal) => toolChanges(await watchTools(workspace, signal));
      return respondEvents(services, c, { caller, open });
    }
    const gone = admit(services, c, caller);
    const { request, parsedBody } = await requestOf(c, gone);
    // The first message of a batch is the request itself.
    if (Array.isArray(parsedBody)) await countStarts(workspace, parsedBody.length);
    if (Array.isArray(parsedBody) && c.req.header("MCP-Protocol-Version") !== undefined) return rejectBatch(c);
    requireWriteOfApp(who, parsedBody, oauth.challenge);
    if (await takeAnswer(workspace, parsedBody)) return c.body(null, 202);
    const refused = rejectListening(parsedBody);
    if (refused !== undefined) return refused;
    const session = acceptsStream(c) ? sessionFor(parsedBody) : undefined;
    if (session !== undefined) setHeader(c, "Mcp-Session-Id", session);
    const response = await subscriptions.serve({ workspace, body: parsedBody, signal: gone }, () =>
      handler.fetch(request, { authInfo, parsedBody }),
    );
    // The revision of 2026-07-28 streams only what the client asked for; earlier ones stream every response.
    if (acceptsStream(c) || parsedBody === undefined || !(await isLegacyRequest(request, parsedBody))) return response;
    return asJsonResponse(response, { isBatch: Array.isArray(parsedBody) });
  };
}

/** Only the revision 2025-03-26 has batches; the header that names a revision came after it. */
function rejectBatch(c: HttpContext): Response {
  const error = { code: -32_600, message: "This revision of MCP has no batches: send one message per request." };
  return c.json({ jsonrpc: "2.0", id: null, error }, 400);
}

/**
 * Admits a call's stream. The returned signal is aborted when the response has ended for any reason, and when the
 * caller's credential is revoked, which ends a stream.
 */
function admit({ streams }: HttpServices, { env: { outgoing } }: HttpContext, caller: BearerCaller): AbortSignal {
  const gone = new AbortController();
  const release = streams.admit(caller, () => {
    gone.abort();
    if (outgoing.headersSent) outgoing.end();
  });
  const end = () => {
    release();
    gone.abort();
  };
  outgoing.once("close", end);
  if (outgoing.closed) end();
  return gone.signal;
}

/**
 * The request for the SDK. A body that is JSON is passed next to it: the SDK copies a request whose body it reads, and
 * keeps both for as long as the call is open.
 */
async function requestOf(
  { req }: HttpContext,
  signal: AbortSignal,
): Promise<{ readonly request: Request; readonly parsedBody: unknown }> {
  // The SDK requires both types by name.
  const headers = { ...req.header(), accept: "application/json, text/event-stream" };
  const text = req.method === "POST" ? await req.text() : "";
  const oversize = findOversize(text, MAX_MESSAGE_VALUES);
  if (oversize !== undefined) throw invalid("body", [oversize]);
  const parsedBody = parsedJson(text);
  const unstorable = findUnstorable(parsedBody);
  if (unstorable !== undefined) throw invalid("body", [unstorable]);
  const body = parsedBody === undefined && text !== "" ? text : null;
  return { request: new Request(req.url, { method: req.method, headers, body, signal }), parsedBody };
}

/** Undefined for what is not JSON: the SDK responds to it. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A client that does not name the type of streams (curl) is given JSON. */
function acceptsStream(c: HttpContext): boolean {
  return c.req.header("Accept")?.includes("text/event-stream") === true;
}
