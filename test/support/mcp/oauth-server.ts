import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Server, createMcpHandler } from "@modelcontextprotocol/server";
import { Provider } from "oidc-provider";
import type { AdapterPayload } from "oidc-provider";
import { memoryAdapter, newKey } from "../open-id-provider.ts";

/** A call of a tool, and with whose account it was made. */
export interface CallSeen {
  readonly tool: string;
  readonly account: string;
  /** The argument `text`. */
  readonly text: string;
}

/** An MCP server on loopback to which people sign in: the official SDK behind a real authorization server. */
export interface OAuthMcpServer {
  /** Its endpoint. */
  readonly url: string;
  readonly issuer: string;
  readonly calls: readonly CallSeen[];
  /** The token requests, by grant type, and the clients that were registered. */
  readonly granted: string[];
  registered: number;
  /** Who agrees next; undefined: nobody does. */
  account: string | undefined;
  /** How long access tokens last, in seconds. */
  tokenSeconds: number;
  /**
   * What it answers to token requests instead: `lost` breaks the connection and `held` keeps it, after the tokens were
   * issued.
   */
  mood: "well" | "lost" | "held" | "broken";
  /** The tools that only some accounts show, beside those of all; their argument is `text`, which they need. */
  readonly ownTools: Map<string, readonly string[]>;
  /** The access tokens that it was called with. */
  readonly seen: readonly string[];
  /** Repeats the token in errors of all requests, or in results of tools. */
  echoes: "nothing" | "in errors" | "in results";
  /** Keeps the next request waiting, before its token is checked. */
  gate: (() => Promise<void>) | undefined;
  /** The issuer that it names in redirects, instead of its own. */
  forgedIssuer: string | undefined;
  /** The resource that its metadata names, instead of its own. */
  resource: string | undefined;
  /** Lets only tokens with this scope call tools. */
  needs: string | undefined;
  /** Forgets its access tokens, but not what renews them. */
  revokeAccess(): void;
  /** Revokes everything that it has granted. */
  revokeAll(): void;
  close(): Promise<void>;
}

const TOOLS = [
  {
    name: "whoami",
    description: "Says whose account it is.",
    inputSchema: { type: "object" as const, properties: { text: { type: "string" } }, additionalProperties: false },
  },
];
const SCOPES = ["read", "write"];

/** Starts one. */
export async function startOAuthMcpServer(): Promise<OAuthMcpServer> {
  const accounts = new AsyncLocalStorage<string>();
  const calls: CallSeen[] = [];
  const seen: string[] = [];
  const ownTools = new Map<string, readonly string[]>();
  let handle: ((request: IncomingMessage, response: ServerResponse) => unknown) | undefined;
  const server = createServer((request, response) => void handle?.(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A server on loopback has a port.");
  const issuer = `http://127.0.0.1:${address.port}`;
  const self: OAuthMcpServer = {
    url: `${issuer}/mcp`,
    issuer,
    calls,
    granted: [],
    registered: 0,
    account: "nobody",
    tokenSeconds: 600,
    mood: "well",
    seen,
    ownTools,
    echoes: "nothing",
    gate: undefined,
    forgedIssuer: undefined,
    resource: undefined,
    needs: undefined,
    revokeAccess() {
      for (const key of kept.keys()) if (key.startsWith("AccessToken:")) kept.delete(key);
    },
    revokeAll() {
      for (const key of kept.keys()) if (!key.startsWith("Client:")) kept.delete(key);
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  const kept = new Map<string, AdapterPayload>();
  const provider = providerOf(self, kept);
  const callback = provider.callback();
  const mcp = getRequestListener((request) => toolServer({ accounts, calls, ownTools }).fetch(request));

  handle = async (request, response) => {
    const url = new URL(request.url ?? "/", issuer);
    if (url.pathname === "/.well-known/oauth-protected-resource/mcp")
      return sendJson(response, {
        resource: self.resource ?? self.url,
        authorization_servers: [issuer],
        scopes_supported: SCOPES,
      });
    if (url.pathname.startsWith("/interaction/")) {
      return provider.interactionFinished(request, response, await decide(provider, self, request, response));
    }
    if (url.pathname !== "/mcp") return callback(request, response);
    const { gate } = self;
    self.gate = undefined;
    await gate?.();
    const [, text = ""] = (request.headers.authorization ?? "").split(" ");
    const token = await provider.AccessToken.find(text);
    if (token?.accountId === undefined || token.isExpired)
      return reject(response, 401, `Bearer resource_metadata="${issuer}/.well-known/oauth-protected-resource/mcp"`);
    if (self.needs !== undefined && !(token.scope ?? "").split(" ").includes(self.needs))
      return reject(response, 403, `Bearer error="insufficient_scope", scope="${self.needs}"`);
    seen.push(text);
    if (self.echoes === "in errors") return void response.writeHead(500).end(`no, ${text}`);
    const account = self.echoes === "in results" ? text : token.accountId;
    return accounts.run(account, () => mcp(request, response));
  };
  return self;
}

/** The person signs in, and agrees to all that is asked. */
async function decide(provider: Provider, self: OAuthMcpServer, request: IncomingMessage, response: ServerResponse) {
  if (self.account === undefined) return { error: "access_denied" };
  const { params } = await provider.interactionDetails(request, response);
  const grant = new provider.Grant({ clientId: textOf(params["client_id"]), accountId: self.account });
  grant.addOIDCScope(["openid offline_access", ...SCOPES].join(" "));
  grant.addResourceScope(self.url, textOf(params["scope"]));
  return { login: { accountId: self.account }, consent: { grantId: await grant.save() } };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function reject(response: ServerResponse, status: number, challenge: string): void {
  response.writeHead(status, { "www-authenticate": challenge }).end();
}

function toolServer({
  accounts,
  calls,
  ownTools,
}: {
  readonly accounts: AsyncLocalStorage<string>;
  readonly calls: CallSeen[];
  readonly ownTools: ReadonlyMap<string, readonly string[]>;
}) {
  const toolsOf = (account: string) => [
    ...TOOLS,
    ...(ownTools.get(account) ?? []).map((name) => ({
      name,
      description: `A tool of ${account}.`,
      inputSchema: { type: "object" as const, properties: { text: { type: "string" } }, required: ["text"] },
    })),
  ];
  return createMcpHandler(() => {
    const server = new Server({ name: "personal", version: "1.0.0" }, { capabilities: { tools: {} } });
    server.setRequestHandler("tools/list", () => ({ tools: toolsOf(accounts.getStore() ?? "") }));
    server.setRequestHandler("tools/call", ({ params }) => {
      const account = accounts.getStore() ?? "nobody";
      const text = textOf(params.arguments?.["text"]);
      calls.push({ tool: params.name, account, text });
      return { content: [{ type: "text" as const, text: `${account}: ${text}` }] };
    });
    return server;
  });
}

function providerOf(self: OAuthMcpServer, kept: Map<string, AdapterPayload>): Provider {
  const provider = new Provider(self.issuer, {
    adapter: memoryAdapter(kept),
    cookies: { keys: ["a key of the test"] },
    jwks: { keys: [newKey()] },
    scopes: ["openid", "offline_access", ...SCOPES],
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async () => true,
    ttl: {
      AccessToken: () => self.tokenSeconds,
      AuthorizationCode: 60,
      Grant: 6_000,
      IdToken: 600,
      Interaction: 600,
      RefreshToken: 6_000,
      Session: 600,
    },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      revocation: { enabled: true, allowedPolicy: async () => true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({ scope: SCOPES.join(" "), accessTokenFormat: "opaque" as const }),
      },
    },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
  });
  provider.use(async (ctx, next) => {
    if (ctx.path === "/token" && self.mood === "broken")
      return void Object.assign(ctx, { status: 503, body: "broken" });
    await next();
    if (ctx.path === "/reg" && ctx.status === 201) self.registered += 1;
    if (ctx.path === "/token") self.granted.push(textOf(ctx.oidc?.params?.["grant_type"]));
    if (ctx.path === "/token" && self.mood === "lost") ctx.req.socket.destroy();
    if (ctx.path === "/token" && self.mood === "held") await once(ctx.req.socket, "close");
    const { location } = ctx.response.headers;
    if (self.forgedIssuer !== undefined && typeof location === "string" && location.includes("iss=")) {
      const forged = new URL(location);
      forged.searchParams.set("iss", self.forgedIssuer);
      ctx.set("location", forged.href);
    }
  });
  return provider;
}
