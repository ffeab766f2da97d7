import { createMcpHandler } from "@modelcontextprotocol/server";
import type { AuthInfo } from "@modelcontextprotocol/server";
import type { Principal } from "#domain/access/principal.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { bearerCaller, requireScope } from "../middleware/authenticate.ts";
import { rejectRebinding } from "./reject-rebinding.ts";
import { createToolServer } from "./tool-server.ts";

const NO_VALID_KEY = "An MCP key is required: Authorization: Bearer mst_mcp_…";

/** Answers a request to the MCP endpoint. */
export type McpEndpoint = (c: HttpContext) => Promise<Response>;

/**
 * Creates the MCP endpoint: the published agents of the key's workspace as tools, stateless, for clients of the
 * revision 2026-07-28 and for those with a handshake (https://modelcontextprotocol.io/specification/2026-07-28).
 */
export function createMcpEndpoint(services: HttpServices): McpEndpoint {
  // The SDK passes the caller's AuthInfo object on; the principal is found by its identity.
  const principals = new WeakMap<AuthInfo, Principal>();
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const who = authInfo && principals.get(authInfo);
      if (who === undefined) throw new Error("An MCP request must have a principal.");
      return createToolServer(services, who);
    },
    {
      onerror: (error) => services.log.debug({ err: error }, "MCP request was rejected"),
    },
  );
  services.closing.addEventListener("abort", () => void handler.close());
  return async (c) => {
    const rejected = rejectRebinding(services, c);
    if (rejected !== undefined) return rejected;
    const caller = await bearerCaller(services, c, { kinds: ["mcp"], message: NO_VALID_KEY });
    const { principal: who } = caller;
    requireScope(who, "read");
    const authInfo: AuthInfo = { token: "", clientId: who.keyId ?? who.userId, scopes: [...who.scopes] };
    principals.set(authInfo, { ...who, protocol: "mcp" });
    const revoked = new AbortController();
    const release = services.streams.admit(caller, () => revoked.abort());
    const { raw } = c.req;
    const signal = AbortSignal.any([raw.signal, revoked.signal]);
    const request = new Request(raw, { headers: acceptBothTypes(raw.headers), signal });
    const response = await handler.fetch(request, { authInfo }).catch((error: unknown) => {
      release();
      throw error;
    });
    return endingWith(response, { signal, release });
  };
}

/** The SDK requires both types by name; a client that accepts anything (curl) accepts them. */
function acceptBothTypes(given: Headers): Headers {
  const headers = new Headers(given);
  if ((headers.get("Accept") ?? "*/*") === "*/*") headers.set("Accept", "application/json, text/event-stream");
  return headers;
}

/**
 * Returns the response with a body that ends when the signal is aborted. Calls `release` when the body has ended for
 * any reason.
 */
function endingWith(
  { body, status, headers }: Response,
  { signal, release }: { readonly signal: AbortSignal; readonly release: () => void },
): Response {
  if (body === null) {
    release();
    return new Response(null, { status, headers });
  }
  async function* chunks(source: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
    const reader = source.getReader();
    const ended = Promise.withResolvers<{ readonly done: true; readonly value?: undefined }>();
    signal.addEventListener("abort", () => ended.resolve({ done: true }), { once: true });
    try {
      for (;;) {
        const { done, value } = await Promise.race([reader.read(), ended.promise]);
        if (done) return;
        yield value;
      }
    } finally {
      release();
      await reader.cancel().catch(() => undefined);
    }
  }
  return new Response(ReadableStream.from(chunks(body)), { status, headers });
}
