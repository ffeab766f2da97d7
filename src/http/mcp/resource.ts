import { KEY_SCOPES } from "#domain/access/api-key.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { originOf } from "../middleware/origin.ts";
import { setHeader } from "../middleware/set-header.ts";

/** The path of the MCP endpoint. */
export const MCP_PATH = "/mcp";

/** The path of the endpoint's card. */
export const SERVER_CARD = `${MCP_PATH}/server-card`;

const ROOT = "/.well-known/oauth-protected-resource";

/** Where the endpoint's metadata is (RFC 9728); clients also try it without the endpoint's path. */
export const RESOURCE_METADATA = [ROOT + MCP_PATH, ROOT] as const;

/** Returns what a response with status 401 tells a client: where to find out how a person connects it. */
export function resourceChallenge(services: HttpServices, c: HttpContext): string {
  return `resource_metadata="${originOf(c, services)}${RESOURCE_METADATA[0]}", scope="${KEY_SCOPES.join(" ")}"`;
}

/** Responds with the endpoint's metadata: its authorization server is this service. */
export function respondResource(services: HttpServices, c: HttpContext): Response {
  const origin = originOf(c, services);
  setHeader(c, "Cache-Control", "public, max-age=300");
  return c.json({
    resource: origin + MCP_PATH,
    authorization_servers: [origin],
    scopes_supported: KEY_SCOPES,
    bearer_methods_supported: ["header"],
    resource_name: services.serviceName,
  });
}
