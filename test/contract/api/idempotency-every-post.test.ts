import { Client } from "pg";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { newId } from "#lib/ids.ts";
import type { Asked, Probe } from "#tenancy/probe-shapes.ts";
import { PROBES } from "#tenancy/probes.ts";
import { bearer } from "../../support/accounts.ts";
import { apiOf, fieldsOf, send } from "../../support/api.ts";
import type { Answer } from "../../support/api.ts";
import { answerJson, startFakeServer } from "../../support/fake-server.ts";
import type { FakeServer } from "../../support/fake-server.ts";
import { formText } from "../../support/files.ts";
import { callOf } from "../../support/interactions.ts";
import { startMcpServer } from "../../support/mcp/server.ts";
import type { McpServer } from "../../support/mcp/server.ts";
import { startOAuthMcpServer } from "../../support/mcp/oauth-server.ts";
import type { OAuthMcpServer } from "../../support/mcp/oauth-server.ts";
import { openProviderBrowser } from "../../support/provider-browser.ts";
import { startRemoteAgent } from "../../support/a2a/remote-agent.ts";
import type { RemoteAgent } from "../../support/a2a/remote-agent.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { openSide } from "../../support/tenancy/open-side.ts";
import type { OpenSide } from "../../support/tenancy/open-side.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, taskInState } from "../../support/work.ts";

const waitingShape = z.looseObject({ interaction: z.looseObject({ interactionId: z.string() }) });

/** The POSTs of the envelope API and of the console's, and the upload of a file. */
const POSTS = Object.keys(PROBES).filter((route) => /^POST \/(?:functions\/v1\/|console\/api\/|files)/.test(route));

let service: TestService;
let side: OpenSide;
let remote: RemoteAgent;
let mcp: McpServer;
let signedIn: OAuthMcpServer;
let provider: FakeServer;

beforeAll(async () => {
  const tokens = { access_token: "access", refresh_token: "refresh", expires_in: 3_600 };
  provider = await startFakeServer((_, response) => answerJson(response, { done: true, ...tokens }));
  const google = {
    GOOGLE_OAUTH_CLIENT_ID: "client",
    GOOGLE_OAUTH_CLIENT_SECRET: "secret",
    GOOGLE_OAUTH_BASE: provider.url,
  };
  const env = { SIGN_UP: "open", ALLOW_PRIVATE_URLS: "true", ...google };
  [service, remote, mcp, signedIn] = await Promise.all([
    startService({ env }),
    startRemoteAgent({ protocol: "1.0" }),
    startMcpServer("stateless"),
    startOAuthMcpServer(),
  ]);
  const client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  side = await openSide(client, service.url, "Repeats its requests");
  await client.query("update workspaces set paused = false where id = $1", [side.workspaceId]);
  await client.end();
});
afterAll(() => Promise.all([service.stop(), remote.close(), mcp.close(), signedIn.close(), provider.close()]));

verifies(
  ["envelope.idempotency.every-post", "envelope.idempotency.replay-header"],
  "every POST of every API that is repeated with its key is executed once",
  async () => {
    const faults: string[] = [];
    for (const route of POSTS) {
      const answers = await repeated(route);
      if (answers === undefined) faults.push(`${route}: no request of this test succeeds`);
      else if (answers.second.text !== answers.first.text || !isReplay(answers.second)) {
        faults.push(`${route}: ${answers.second.status} ${answers.second.text}`);
      }
    }
    expect(faults).toEqual([]);
  },
  { tags: "slow" },
);

/** The first request to a route that succeeds, and its repetition; undefined when none succeeds. */
async function repeated(route: string): Promise<{ first: Answer; second: Answer } | undefined> {
  const { plain = [], naming = [] } = PROBES[route] ?? {};
  const special = await PREPARED[route]?.();
  for (const probe of [...(special === undefined ? [] : [() => special]), ...plain, ...naming]) {
    const post = sender(route, probe);
    const first = await post();
    expect(first.status, `${route}: ${first.text}`).toBeLessThan(500);
    if (first.status < 300) return { first, second: await post() };
  }
  return undefined;
}

/** Sends one request to a route, always with the same key. */
function sender(route: string, probe: Probe): () => Promise<Answer> {
  const asked = probe(side.things, side.things);
  const path = asked.at ?? (route.split(" ")[1] ?? "").replace(/\{\w+\}/, asked.param ?? "");
  const key = newId();
  return () => own("POST", path, { ...asked, headers: { ...asked.headers, "idempotency-key": key } });
}

function own(method: string, path: string, { headers, ...asked }: Asked = {}): Promise<Answer> {
  return send(method, service.url + path, { ...asked, headers: { ...headers, ...bearer(side.token) } });
}

async function created(path: string, body: object): Promise<string> {
  const answer = await own("POST", path, { body });
  expect(answer.status, answer.text).toBe(201);
  return String(fieldsOf(answer)["id"]);
}

/** For what people may not do. */
function withKey(): Asked {
  return { headers: { "x-api-key": side.keys.envelope } };
}

function isReplay({ headers }: Answer): boolean {
  return headers.get("idempotent-replayed") === "true";
}

async function exported(thing: "agents" | "teams"): Promise<Asked> {
  return { body: (await own("GET", `/console/api/${thing}/${side.things[thing]}/export`)).body };
}

async function newMcpServer(): Promise<string> {
  return created("/console/api/mcp-servers", { name: `s${newId().slice(-8)}`, url: mcp.url });
}

async function cancelledRun(): Promise<Asked> {
  const task = { title: "X", assigned_agent_id: side.things["agents"], scheduled_for: "2999-01-01T00:00:00Z" };
  const id = await created("/functions/v1/api-tasks", task);
  const cancelled = await own("PATCH", `/functions/v1/api-tasks?id=${id}`, { body: { status: "cancelled" } });
  expect(cancelled.status, cancelled.text).toBe(200);
  return { param: id };
}

async function consent(): Promise<Asked> {
  const { state } = fieldsOf(await own("POST", "/console/api/google-account/connect", { body: {} }));
  return { body: { state, code: "code" } };
}

async function newSignIn(): Promise<string> {
  const oauth = { account: "workspace" };
  return created("/console/api/mcp-servers", { name: `s${newId().slice(-8)}`, url: signedIn.url, oauth });
}

async function signInAnswer(): Promise<Asked> {
  const begun = await own("POST", `/console/api/mcp-servers/${await newSignIn()}/connect`);
  const url = await openProviderBrowser().follow(String(fieldsOf(begun)["url"]), "/oauth/mcp/callback");
  return { body: { url } };
}

async function linkedQuestion(): Promise<Asked> {
  const allowed = await own("PATCH", "/console/api/workspace", { body: { answer_links: true } });
  expect(allowed.status, allowed.text).toBe(200);
  return { param: (await waitingTask()).interactionId, body: {} };
}

async function alertWithRoute(): Promise<string> {
  const route = { type: "http", name: "Alerts", config: { url: provider.url } };
  const route_id = await created("/console/api/routes", route);
  return created("/console/api/alerts", { name: "A", kind: "queue_age", threshold: 5, route_id });
}

async function sharedRun(): Promise<Asked> {
  const allowed = await own("PATCH", "/console/api/workspace", { body: { run_links: true } });
  expect(allowed.status, allowed.text).toBe(200);
  return { ...(await cancelledRun()), body: {} };
}

async function waitingRun(): Promise<Asked> {
  const { id, interactionId } = await waitingTask();
  return { param: id, body: { interactionId, approved: true } };
}

async function waitingTask(): Promise<{ readonly id: string; readonly interactionId: string }> {
  const description = callOf("request_approval", { title: "Go?" });
  const agentId = String(side.things["agents"]);
  const api = apiOf(service, side.keys.envelope);
  const task = await taskInState(api, { agentId, status: "waiting_for_input", description });
  const { interaction } = waitingShape.parse((await api.get(`/api-tasks?id=${task.id}`)).body);
  return { id: task.id, interactionId: interaction.interactionId };
}

async function endedTask(): Promise<Asked> {
  const agentId = String(side.things["agents"]);
  const api = apiOf(service, side.keys.envelope);
  const task = await taskInState(api, { agentId, status: "completed", description: QUICK });
  return { param: task.id };
}

/** What a request needs that the probes do not have: another party, or a thing in a certain state. */
const PREPARED: Readonly<Record<string, () => Asked | Promise<Asked>>> = {
  "POST /console/api/agents/import": () => exported("agents"),
  "POST /console/api/agents/{id}/stream-token": () => ({ ...withKey(), param: side.things["agents"], body: {} }),
  "POST /console/api/runs/{id}/stream-token": () => ({ ...withKey(), param: side.things["team_runs"] }),
  "POST /console/api/alerts/{id}/test": async () => ({ param: await alertWithRoute() }),
  "POST /console/api/teams/import": () => exported("teams"),
  "POST /console/api/google-account/finish": consent,
  "POST /console/api/hooks": () => ({ body: { target_url: provider.url, event: "task_failed" } }),
  "POST /console/api/knowledge/uploads": () => ({
    body: `--x\r\nContent-Disposition: form-data; name="knowledge_base_id"\r\n\r\n${side.things["knowledge_bases"]}\r\n${formText("a.txt", "A")}`,
    headers: { "content-type": "multipart/form-data; boundary=x" },
  }),
  "POST /console/api/marketplace/{id}/install": async () => ({
    param: await created("/functions/v1/api-agents", { name: "Listed", model: "demo", is_marketplace: true }),
  }),
  "POST /console/api/mcp-servers": () => ({ body: { name: "repeated", url: mcp.url } }),
  "POST /console/api/mcp-servers/discover": () => ({ body: { url: mcp.url } }),
  "POST /console/api/mcp-servers/finish": signInAnswer,
  "POST /console/api/mcp-servers/{id}/connect": async () => ({ param: await newSignIn() }),
  "POST /console/api/mcp-servers/{id}/refresh": async () => ({ param: await newMcpServer() }),
  "POST /console/api/mcp-servers/{id}/test": async () => ({ param: await newMcpServer(), body: { tool: "count" } }),
  "POST /console/api/pages": async () => {
    const agent_id = await created("/functions/v1/api-agents", { name: "With a page", model: "demo" });
    return { body: { agent_id, slug: "repeated", title: "X" } };
  },
  "POST /console/api/questions/{id}/link": linkedQuestion,
  "POST /console/api/remote-agents": () => ({ body: { base_url: remote.url } }),
  "POST /console/api/remote-agents/{id}/refresh": async () => ({
    param: await created("/console/api/remote-agents", { base_url: remote.url.replace("127.0.0.1", "localhost") }),
  }),
  "POST /console/api/remote-agents/{id}/test": async () => ({
    param: await created("/console/api/remote-agents", { base_url: `${remote.url}/tested` }),
    body: { message: "say Hello" },
  }),
  "POST /console/api/runs/{id}/answer": waitingRun,
  "POST /console/api/runs/{id}/links": sharedRun,
  "POST /console/api/runs/{id}/golden": async () => ({ ...(await endedTask()), body: {} }),
  "POST /console/api/runs/{id}/retry": cancelledRun,
  "POST /console/api/tools/{id}/test": async () => ({
    param: await created("/console/api/tools", { name: "look_up", description: "X", url: provider.url }),
    body: {},
  }),
  "POST /console/api/trello-channels": () => ({
    body: { name: "X", secret: "x", assigned_agent_id: side.things["agents"] },
  }),
};
