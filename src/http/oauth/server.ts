import { LRUCache } from "lru-cache";
import type Provider from "oidc-provider";
import { KEY_SCOPES } from "#domain/access/api-key.ts";
import { createOAuthStore } from "#operations/access/oauth-store.ts";
import { createAuthorizationServer } from "#protocols/oauth/authorization-server.ts";
import { escapeHtml } from "#lib/text/escape-html.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { MCP_PATH } from "../mcp/resource.ts";
import { originOf } from "../middleware/origin.ts";
import { documentWith, protectedPage } from "../own-page.ts";

/** The path below which the console asks about requests of apps. */
export const APP_REQUESTS = "/auth/app-requests";

/** The authorization server of an origin. */
export interface OriginServer {
  readonly library: Provider;
  /** Responds through Node's own request and response, as the library needs them. */
  respond(c: HttpContext): Promise<Response>;
}

/** Origins other than PUBLIC_URL are names of this machine. */
const MAX_ORIGINS = 10;
const servers = new WeakMap<HttpServices["db"], LRUCache<string, OriginServer>>();

/** Returns the server for the origin of a request; a rotation of the instance's key makes a new one. */
export function serverOf(services: HttpServices, c: HttpContext): OriginServer {
  const known = servers.get(services.db) ?? new LRUCache<string, OriginServer>({ max: MAX_ORIGINS });
  servers.set(services.db, known);
  const issuer = originOf(c, services);
  const name = `${issuer} ${services.secrets.derive("oauth-cookies").toString("base64url")}`;
  const server = known.get(name) ?? createServer(services, issuer);
  known.set(name, server);
  return server;
}

function createServer(services: HttpServices, issuer: string): OriginServer {
  const { secrets, fetch, appRegistration, log } = services;
  const library = createAuthorizationServer({
    issuer,
    resource: issuer + MCP_PATH,
    scopes: KEY_SCOPES,
    store: createOAuthStore(services),
    fetch,
    registers: appRegistration === "on",
    cookieKeys: [secrets.derive("oauth-cookies"), ...secrets.deriveAll("oauth-cookies")],
    signingSeed: secrets.derive("oauth-signing"),
    consentPath: APP_REQUESTS,
    consentPage: (uid) => `/connect/${uid}`,
    errorPage,
  });
  library.on("server_error", (_ctx, error) => log.error({ err: error }, "the authorization server failed"));
  const handle = library.callback();
  const { host, protocol } = new URL(issuer);
  return {
    library,
    async respond({ env: { incoming, outgoing } }) {
      incoming.headers["x-forwarded-host"] = host;
      incoming.headers["x-forwarded-proto"] = protocol.slice(0, -1);
      await handle(incoming, outgoing);
      // Hono's server reads this header of whole responses only; a copy is one.
      return new Response(null, { status: outgoing.statusCode, headers: { "x-hono-already-sent": "true" } }).clone();
    },
  };
}

function errorPage(message: string) {
  const title = "The app could not be connected";
  const reason = `Its request was not accepted: ${message}.`;
  const advice = "Start again in the app. If that does not help, remove this server there and add it again.";
  const body = `<h1>${title}</h1><p>${escapeHtml(reason)}</p><p>${advice}</p>`;
  return protectedPage((nonce) => documentWith({ title, body, nonce, refresh: false }));
}
