import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { bearer, signIn } from "../accounts.ts";
import type { TestSession } from "../accounts.ts";
import { send } from "../api.ts";
import type { Answer } from "../api.ts";
import { openProviderBrowser } from "../provider-browser.ts";
import type { ProviderBrowser } from "../provider-browser.ts";

/** The redirect URI of the test's programs; nothing listens there. */
export const REDIRECT_URI = "http://127.0.0.1:8976/callback";

interface Served {
  readonly url: string;
  /** The URL that it is known under, if that is another. */
  readonly publicUrl?: string;
}

/** A browser in which a person is signed in to a service. */
export interface AppPerson {
  readonly session: TestSession;
  readonly browser: ProviderBrowser;
}

/** Opens a browser for a person. */
export async function openAppPerson(service: Served, person?: Parameters<typeof signIn>[1]): Promise<AppPerson> {
  return { session: await signIn(service, person), browser: openProviderBrowser() };
}

/** What a person answers to an app; by default, they allow all of it in their session's workspace. */
export type Decision = Readonly<Record<string, unknown>>;

/** Opens an authorization URL in the person's browser; returns the id of the request on the consent page. */
export async function openRequest({ browser }: AppPerson, url: URL | string): Promise<string> {
  const { location = "", status, text } = await browser.visit(String(url));
  const uid = /\/connect\/([\w-]+)$/.exec(location)?.[1];
  if (uid === undefined) throw new Error(`The request was rejected with ${status}: ${location || text}`);
  return uid;
}

/** Reads a request as the consent page does. */
export function readRequest(service: Served, { session, browser }: AppPerson, uid: string): Promise<Answer> {
  const headers = { ...bearer(session.access_token), cookie: browser.cookiesFor(service.url) };
  return send("GET", `${service.url}/auth/app-requests/${uid}`, { headers });
}

/** Decides as the consent page does. */
export function decide(service: Served, person: AppPerson, uid: string, decision: Decision = {}): Promise<Answer> {
  const { session, browser } = person;
  const headers = { ...bearer(session.access_token), cookie: browser.cookiesFor(service.url) };
  const allow = { decision: "allow", workspace_id: session.workspace_id, scopes: ["read", "write"], ...decision };
  const body = decision["decision"] === "deny" ? { decision: "deny" } : allow;
  return send("POST", `${service.url}/auth/app-requests/${uid}`, { headers, body });
}

/** Goes the whole way through the browser; returns where the program is told of it. */
export async function consent(
  service: Served,
  person: AppPerson,
  url: URL | string,
  decision?: Decision,
): Promise<URL> {
  const decided = await decide(service, person, await openRequest(person, url), decision);
  const next = new URL(z.object({ url: z.string() }).parse(decided.body).url);
  const { location = "" } = await person.browser.visit(service.url + next.pathname);
  return new URL(location);
}

/** A program that speaks OAuth by hand, for what official clients would not send. */
export interface RawApp {
  readonly clientId: string;
  readonly verifier: string;
  /** The URL to open in a browser; parameters replace the usual ones, and undefined ones are left out. */
  authorizeUrl(changes?: Readonly<Record<string, string | undefined>>): string;
  /** Exchanges a code, at this process or another. */
  exchange(code: string, changes?: Readonly<Record<string, string>>, on?: Served): Promise<Answer>;
  refresh(token: string, changes?: Readonly<Record<string, string>>, on?: Served): Promise<Answer>;
  revoke(token: string): Promise<Answer>;
}

/** Registers a program. */
export async function registerApp(service: Served, metadata: Readonly<Record<string, unknown>> = {}): Promise<RawApp> {
  const body = { client_name: "Test app", redirect_uris: [REDIRECT_URI], ...metadata };
  const registered = await send("POST", `${service.url}/oauth/register`, { body });
  return programAt(service, z.object({ client_id: z.string() }).parse(registered.body).client_id);
}

/** A program with this client id. */
export function programAt(service: Served, clientId: string): RawApp {
  const resource = `${service.publicUrl ?? service.url}/mcp`;
  const verifier = randomBytes(32).toString("base64url");
  const post = (path: string, form: Readonly<Record<string, string>>, on: Served = service) =>
    send("POST", `${on.url}/oauth/${path}`, {
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ client_id: clientId, ...form }).toString(),
    });
  return {
    clientId,
    verifier,
    authorizeUrl(changes = {}) {
      const usual = {
        response_type: "code",
        client_id: clientId,
        redirect_uri: REDIRECT_URI,
        state: "state-of-the-app",
        scope: "read write",
        resource,
        code_challenge: createHash("sha256").update(verifier).digest("base64url"),
        code_challenge_method: "S256",
      };
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries({ ...usual, ...changes })) {
        if (value !== undefined) query.set(name, value);
      }
      return `${service.url}/oauth/authorize?${query.toString()}`;
    },
    exchange(code, changes = {}, on = service) {
      const usual = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI, code_verifier: verifier };
      return post("token", { ...usual, resource, ...changes }, on);
    },
    refresh: (token, changes = {}, on = service) =>
      post("token", { grant_type: "refresh_token", refresh_token: token, resource, ...changes }, on),
    revoke: (token) => post("revoke", { token }),
  };
}

const tokens = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  token_type: z.literal("Bearer"),
  expires_in: z.number(),
  scope: z.string(),
});

/** The tokens of a response. @throws ZodError when it has none. */
export type AppTokens = z.output<typeof tokens>;

/** Reads the tokens of a response. */
export function tokensOf(answer: Answer): AppTokens {
  return tokens.parse(answer.body);
}

/** A program that a person has connected. */
export interface ConnectedApp {
  readonly app: RawApp;
  readonly code: string;
  readonly tokens: AppTokens;
}

/** Registers a program and connects it as a person. */
export async function connectApp(
  service: Served,
  person: AppPerson,
  decision?: Decision,
  metadata?: Readonly<Record<string, unknown>>,
): Promise<ConnectedApp> {
  const app = await registerApp(service, metadata);
  const back = await consent(service, person, app.authorizeUrl(), decision);
  const code = back.searchParams.get("code") ?? "";
  return { app, code, tokens: tokensOf(await app.exchange(code)) };
}

/** Lists the tools of an MCP endpoint with a token. */
export function listTools(service: Served, token: string): Promise<Answer> {
  return send("POST", `${service.url}/mcp`, {
    headers: bearer(token),
    body: { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} },
  });
}
