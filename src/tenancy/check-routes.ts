import type { Client } from "pg";
import { z } from "zod";
import { newId } from "#lib/ids.ts";
import type { Answer, RequestHeaders, ask } from "./ask.ts";
import { credentialsFor, wrongCredentialsFor } from "./credentials.ts";
import { PROBES } from "./probes.ts";
import type { Asked, Probe, ResourceIds } from "./probe-shapes.ts";
import type { Side } from "./side.ts";
import { rowsOfSide } from "./rows-of-side.ts";

/** Public routes that the OpenAPI document does not describe. */
const OPEN = new Set([
  "GET /",
  "GET /healthz",
  "GET /healthz/stream",
  "GET /readyz",
  "GET /openapi.json",
  "GET /ag-ui/health",
  "GET /version",
  "GET /docs",
  "GET /docs/start.js",
  "GET /docs/{file}",
  // Pages of a browser that signs in; a token in them is the credential.
  "GET /auth/oidc",
  "GET /auth/oidc/callback",
  "GET /auth/break-glass",
  "POST /auth/break-glass",
  "GET /auth/unsubscribe",
  "POST /auth/unsubscribe",
  // What apps register, exchange and end by OAuth; codes and tokens are the credentials.
  "GET /oauth/jwks",
  "GET /oauth/authorize",
  "GET /oauth/authorize/{uid}",
  "POST /oauth/register",
  "POST /oauth/token",
  "POST /oauth/revoke",
  // The state of a sign-in at an MCP server is the credential; our client's metadata is for everybody.
  "GET /oauth/mcp/callback",
  "GET /oauth/mcp/client.json",
  // What anybody may know of the MCP endpoint.
  "GET /mcp/server-card",
  // Its signature is its credential.
  "GET /files/{id}/preview",
]);
/** A2A cards are public as well. */
const CARD = /^GET (?:\/a2a|.*\.well-known)/;
const UNAUTHORIZED = 401;
const SERVER_ERROR = 500;
const MAX_SHOWN = 300;

const documentShape = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ security: z.array(z.unknown()) }))),
});

/** A running service, with two workspaces in its database that {@link fillWorkspace} made. */
export interface Walk {
  readonly baseUrl: string;
  /** The key that all clients of the table API have, where it is known. */
  readonly anon?: string | undefined;
  /** A connection to the service's database, as the owner of the tables. */
  readonly client: Client;
  readonly own: Side;
  readonly other: Side;
  /** Sends a request; waits where the service limits them. */
  readonly send: typeof ask;
}

/** What is asked of every route; each returns what was found, in words. */
export const ROUTE_CHECKS = [
  { name: "routes with ids of another workspace", find: compareForeignIds },
  { name: "routes without ids", find: findRevealed },
  { name: "routes without a key", find: findUnlocked },
] as const;

/** With another workspace's credentials, its ids must get the response of unknown ids, and nothing may change. */
function compareForeignIds(walk: Walk): Promise<readonly string[]> {
  const { own, other, anon } = walk;
  return untouched(walk, other, async () => {
    const isPublic = await publicRoutes(walk);
    const found: string[] = [];
    for (const { route, probe } of probesOf("naming")) {
      const headers = isPublic(route) ? [{}] : credentialsFor(pathOf(route), own, anon);
      for (const each of headers) found.push(...(await compare(walk, { route, probe, headers: each })));
    }
    return found;
  });
}

/** Requests that name nothing of the other workspace must show and change nothing of it. */
function findRevealed(walk: Walk): Promise<readonly string[]> {
  const { own, other, anon } = walk;
  const secrets = Object.entries(other.things).filter(([name]) => name !== "password");
  return untouched(walk, other, async () => {
    const found: string[] = [];
    for (const { route, probe } of probesOf("plain")) {
      for (const headers of credentialsFor(pathOf(route), own, anon)) {
        const { status, text } = await asked(walk, { route, probe, headers }, own.things);
        const shown = secrets.filter(([, value]) => text.includes(value)).map(([name]) => name);
        if (status >= SERVER_ERROR || shown.length > 0) found.push(`${route}: ${status} shows ${shown.join()}`);
      }
    }
    return found;
  });
}

/** Without a key, and with keys of the wrong kind, everything must be rejected in the same way. */
function findUnlocked(walk: Walk): Promise<readonly string[]> {
  const { own, other, anon } = walk;
  return untouched(walk, own, () =>
    untouched(walk, other, async () => {
      const isPublic = await publicRoutes(walk);
      const found: string[] = [];
      for (const { route, probe } of [...probesOf("naming"), ...probesOf("plain")]) {
        if (isPublic(route)) continue;
        const [none = {}, ...wrong] = wrongCredentialsFor(pathOf(route), own, anon);
        found.push(...(await compare(walk, { route, probe, headers: none, status: UNAUTHORIZED })));
        for (const headers of wrong) {
          const { status, text } = await asked(walk, { route, probe, headers }, own.things);
          if (status !== UNAUTHORIZED)
            found.push(`${route} with ${namesOf(headers)}: ${status} ${text.slice(0, MAX_SHOWN)}`);
        }
      }
      return found;
    }),
  );
}

interface Attempt {
  readonly route: string;
  readonly probe: Probe;
  readonly headers: RequestHeaders;
  /** What the answer must be; otherwise it must only not be a fault of the service. */
  readonly status?: number;
}

/** Requests records of the other workspace and records that do not exist; returns how the answers differ. */
async function compare(walk: Walk, attempt: Attempt): Promise<readonly string[]> {
  const { own, other } = walk;
  const { route, probe, headers, status } = attempt;
  const of = async (things: ResourceIds) => visible(await asked(walk, attempt, things), things);
  const foreign = await of(other.things);
  const unknown = await of(unknownIds(other.things));
  const what = `${route} ${JSON.stringify(probe(other.things, own.things))} with ${namesOf(headers)}`;
  if (foreign.seen !== unknown.seen) return [`${what}\n  foreign: ${foreign.seen}\n  unknown: ${unknown.seen}`];
  const isWrong = status === undefined ? foreign.status >= SERVER_ERROR : foreign.status !== status;
  return isWrong ? [`${what}\n  ${foreign.seen}`] : [];
}

function asked({ send, baseUrl, own }: Walk, { route, probe, headers }: Attempt, things: ResourceIds): Promise<Answer> {
  const request: Asked = probe(things, own.things);
  return send(baseUrl, route, { asked: request, headers });
}

/** Does something that may not change a row of a workspace; adds what it has changed to the faults. */
async function untouched(
  { client }: Walk,
  { workspaceId }: Side,
  walk: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const before = new Set(await rowsOfSide(client, workspaceId));
  const faults = await walk();
  const after = new Set(await rowsOfSide(client, workspaceId));
  const lost = [...before].filter((row) => !after.has(row)).map((row) => `lost: ${row}`);
  const added = [...after].filter((row) => !before.has(row)).map((row) => `added: ${row}`);
  return [...faults, ...lost, ...added];
}

async function publicRoutes({ baseUrl, send }: Walk): Promise<(route: string) => boolean> {
  const { text } = await send(baseUrl, "GET /openapi.json", { asked: {}, headers: {} });
  const { paths } = documentShape.parse(JSON.parse(text));
  return (route) => {
    const [method = "", path = ""] = route.split(" ");
    return OPEN.has(route) || CARD.test(route) || paths[path]?.[method.toLowerCase()]?.security.length === 0;
  };
}

/** Ids that do not exist, in the format of these. */
function unknownIds(things: ResourceIds): ResourceIds {
  return Object.fromEntries(
    Object.entries(things).map(([name, value]) => {
      if (z.uuid().safeParse(value).success) return [name, newId()];
      return [name, name === "email" ? `${newId()}@example.org` : "?".repeat(value.length)];
    }),
  );
}

/** The part of an answer that must not depend on whether another workspace has the named records. */
function visible({ status, text, headers }: Answer, named: ResourceIds) {
  const replaced = Object.entries(named).reduce((body, [name, value]) => body.replaceAll(value, `<${name}>`), text);
  const body = replaced.replace(/"request_id":"[^"]*"/, "").replace(/"timestamp":"[^"]*"/, "");
  const names = [...headers.keys()].filter((name) => name !== "date").toSorted();
  return { status, seen: JSON.stringify({ status, body, names }) };
}

function probesOf(kind: "naming" | "plain"): readonly { readonly route: string; readonly probe: Probe }[] {
  return Object.entries(PROBES).flatMap(([route, probes]) => (probes[kind] ?? []).map((probe) => ({ route, probe })));
}

function pathOf(route: string): string {
  return route.split(" ")[1] ?? "";
}

function namesOf(headers: RequestHeaders): string {
  return Object.keys(headers).join(" and ") || "no key";
}
