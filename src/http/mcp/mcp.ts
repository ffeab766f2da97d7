import { createMcpHandler } from "@modelcontextprotocol/server";
import type { AuthInfo } from "@modelcontextprotocol/server";
import { Hono } from "hono";
import type { Principal } from "#domain/principal.ts";
import { bearerCaller, requireScope } from "../authenticate.ts";
import type { HttpEnv, HttpServices } from "../context.ts";
import { rejectRebinding } from "./reject-rebinding.ts";
import { createToolServer } from "./tool-server.ts";

/** Where MCP clients connect. */
export const MCP_PATH = "/mcp";

const NO_VALID_KEY = "An MCP key is required: Authorization: Bearer mst_mcp_…";

/**
 * The MCP endpoint: the published agents of the key's workspace as tools, stateless, for clients of the revision
 * 2026-07-28 as well as of those with a handshake (https://modelcontextprotocol.io/specification/2026-07-28).
 */
export function mcp(services: HttpServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  // The SDK passes the caller's AuthInfo object on; the principal behind it is found by identity.
  const principals = new WeakMap<AuthInfo, Principal>();
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const who = authInfo && principals.get(authInfo);
      if (who === undefined) throw new Error("An MCP request was served without a principal.");
      return createToolServer(services, who);
    },
    {
      onerror: (error) => services.log.debug({ err: error }, "MCP request was rejected"),
    },
  );
  services.closing.addEventListener("abort", () => void handler.close());
  app.all("/", async (c) => {
    const rejected = rejectRebinding(services, c);
    if (rejected !== undefined) return rejected;
    const { principal: who } = await bearerCaller(services, c, { kinds: ["mcp"], refusal: NO_VALID_KEY });
    requireScope(who, "read");
    const authInfo: AuthInfo = { token: "", clientId: who.keyId ?? who.userId, scopes: [...who.scopes] };
    principals.set(authInfo, who);
    return handler.fetch(acceptingBoth(c.req.raw), { authInfo });
  });
  return app;
}

/** The SDK asks for both types by name; a client that accepts anything (curl) accepts them. */
function acceptingBoth(request: Request): Request {
  if ((request.headers.get("Accept") ?? "*/*") !== "*/*") return request;
  const headers = new Headers(request.headers);
  headers.set("Accept", "application/json, text/event-stream");
  return new Request(request, { headers });
}
