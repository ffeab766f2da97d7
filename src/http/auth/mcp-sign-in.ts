import { AppError } from "#domain/errors.ts";
import { areEqual } from "#lib/security/equal-texts.ts";
import { escapeHtml } from "#lib/text/escape-html.ts";
import { MCP_CALLBACK, MCP_CLIENT_METADATA, finishMcpSignIn } from "#operations/mcp-servers/sign-in.ts";
import { SIGN_IN_COOKIE } from "../api/protocols/mcp-accounts.ts";
import type { Api } from "../api/shape/route.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { oneOf, readCookie, removeCookie } from "../middleware/cookies.ts";
import { originOf } from "../middleware/origin.ts";
import { acceptsHtml, documentWith, respondPage } from "../own-page.ts";

/**
 * Adds /oauth/mcp, to which authorization servers of MCP servers send browsers back, and where they read our client's
 * metadata. A sign-in that this browser did not begin is not finished: a link from a stranger must not connect a
 * person's account to the stranger's workspace.
 */
export default function addMcpSignIn({ app, services }: Api): void {
  app.get(MCP_CALLBACK, (c) => receive(services, c));
  app.get(MCP_CLIENT_METADATA, async (c) => {
    const { clientMetadataOf } = await import("#protocols/mcp/sign-in.ts");
    const origin = originOf(c, services);
    return c.json({
      client_id: origin + MCP_CLIENT_METADATA,
      client_uri: origin,
      ...clientMetadataOf(origin + MCP_CALLBACK),
      token_endpoint_auth_method: "none",
    });
  });
}

async function receive(services: HttpServices, c: HttpContext): Promise<Response> {
  c.header("Referrer-Policy", "no-referrer");
  c.header("Cache-Control", "no-store");
  const { search, searchParams } = new URL(c.req.url);
  const state = searchParams.get("state") ?? "";
  const cookie = oneOf(SIGN_IN_COOKIE, state);
  const begun = readCookie(c, services, cookie) ?? "";
  if (begun === "" || !areEqual(begun, state)) return startedElsewhere(c);
  removeCookie(c, services, cookie);
  try {
    const url = new URL(originOf(c, services) + MCP_CALLBACK + search);
    const { workspaceId, serverId } = await finishMcpSignIn(services, { url, signal: c.req.raw.signal });
    return c.redirect(`/w/${workspaceId}/protocols?tab=mcp&id=${serverId}`, 303);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    services.log.warn({ reason: error.message, requestId: c.get("requestId") }, "sign-in at an MCP server failed");
    if (!acceptsHtml(c)) throw error;
    return page(c, { title: "The account was not connected", text: error.message, status: error.status });
  }
}

/** PKCE and the state make the code useless to anyone but the person who began. */
function startedElsewhere(c: HttpContext): Response | Promise<Response> {
  return page(c, {
    title: "The account is not connected yet",
    text: "The sign-in was not begun in this browser. If someone else sent you the link, close this page. If you began it yourself, copy the address of this page and finish it with: muster mcp-servers finish '<address>'.",
    status: 200,
  });
}

function page(
  c: HttpContext,
  { title, text, status }: { readonly title: string; readonly text: string; readonly status: AppError["status"] | 200 },
): Response | Promise<Response> {
  if (!acceptsHtml(c)) return c.text(`${title}. ${text}`, status);
  const body = `<h1>${title}</h1><p>${escapeHtml(text)}</p><p><a href="/">Back to the console</a></p>`;
  return respondPage((nonce) => documentWith({ title, body, nonce, refresh: false }), status);
}
