import { AppError } from "#domain/errors.ts";
import { admitAttempt } from "#operations/accounts/attempts.ts";
import type { Attempt } from "#operations/accounts/attempts.ts";
import type { Api } from "../api/shape/route.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { RESOURCE_METADATA, SERVER_CARD, respondResource } from "../mcp/resource.ts";
import { clientOf } from "./client.ts";

const ROOT = "/oauth";

/** True for the endpoints of the authorization server. */
export function isOAuthPath(path: string): boolean {
  return path.startsWith(`${ROOT}/`);
}

/** Adds the authorization server for MCP clients, and the metadata by which they find it and the endpoint. */
export default function addAuthorizationServer({ app, services }: Api): void {
  for (const path of RESOURCE_METADATA) app.get(path, (c) => respondResource(services, c));
  // The SDK, which knows the revisions, is loaded by the first request.
  const card = () => import("../mcp/server-card.ts");
  app.get(SERVER_CARD, async (c) => (await card()).respondCard(services, c));
  app.get("/.well-known/mcp/catalog.json", async (c) => (await card()).respondCatalog(services, c));
  const respond = (c: HttpContext) => respondByServer(services, c);
  app.get("/.well-known/oauth-authorization-server", respond);
  app.get("/.well-known/openid-configuration", respond);
  app.get(`${ROOT}/jwks`, respond);
  app.get(`${ROOT}/authorize/:uid`, respond);
  app.get(`${ROOT}/authorize`, (c) => counted(services, c, { app_request: addressOf(services, c) }));
  app.post(`${ROOT}/register`, (c) => counted(services, c, { app_registration: addressOf(services, c) }));
  app.post(`${ROOT}/token`, (c) => counted(services, c, { app_token: addressOf(services, c) }));
  app.post(`${ROOT}/revoke`, (c) => counted(services, c, { app_token: addressOf(services, c) }));
}

function addressOf(services: HttpServices, c: HttpContext): string {
  return clientOf(c, services).address;
}

/** Counts by network address. For tokens only failures count: many apps call from the addresses of one company. */
async function counted(services: HttpServices, c: HttpContext, attempt: Attempt): Promise<Response> {
  try {
    const succeeded = await admitAttempt(services.db, attempt);
    const response = await respondByServer(services, c);
    if ("app_token" in attempt && response.ok) await succeeded();
    return response;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "rate_limit_exceeded") throw error;
    const body = { error: "temporarily_unavailable", error_description: error.message };
    return c.json(body, { status: 429, headers: { ...error.headers } });
  }
}

/** The library is loaded by the first request. */
async function respondByServer(services: HttpServices, c: HttpContext): Promise<Response> {
  const { serverOf } = await import("../oauth/server.ts");
  return serverOf(services, c).respond(c);
}
