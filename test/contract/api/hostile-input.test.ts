import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { apiOf, consoleOf, fieldsOf, refusal, send } from "../../support/api.ts";
import { ANY_TOOL, createTool } from "../../support/custom-tools.ts";
import { eventually } from "../../support/eventually.ts";
import { HOSTILE_URLS } from "../../support/checks/hostile-urls.ts";
import { rawRequest } from "../../support/clients/raw-request.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { addKey, addWorkspace, sql } from "../../support/workspace.ts";

let service: TestService;
const api = () => apiOf(service, service.keys.api);
const console_ = () => consoleOf(service, service.keys.api);

beforeAll(async () => {
  service = await startService({ env: { SCHEDULE_MIN_SECONDS: "", LOG_LEVEL: "info" } });
});
afterAll(() => service.stop());

verifies("hardening.bodies.bounded", "metadata, config and the number of values have a bound", async () => {
  const long = { text: "x".repeat(65_536) };
  const task = await api().post("/api-tasks", { title: "T", metadata: long });
  expect(refusal(task)).toMatchObject({ status: 400, paths: ["metadata"] });
  const agent = await api().post("/api-agents", { name: "A", model: "demo", config: long });
  expect(refusal(agent)).toMatchObject({ status: 400, paths: ["config"] });
  const many = await api().post("/api-tasks", {
    title: "T",
    metadata: { list: Array.from({ length: 50_001 }, () => 1) },
  });
  expect(refusal(many)).toMatchObject({ status: 400, message: expect.stringContaining("50000 values") });
});

verifies("hardening.errors.bounded", "a body of unknown fields gets a short response", async () => {
  const body = Object.fromEntries(Array.from({ length: 40_000 }, (_, n) => [`field${n}`, 1]));
  const answer = await send("POST", `${service.url}/auth/token`, { body: { email: "a@example.org", ...body } });
  const { status, message, paths } = refusal(answer);
  expect([status, paths.length]).toEqual([400, 100]);
  expect(message).toMatch(/; and 39901 more$/);
});

verifies("hardening.bodies.aborted", "an aborted body leaves no error in the log", async () => {
  const { hostname, port } = new URL(service.url);
  const head = `POST /functions/v1/api-runs HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${service.keys.api}\r\n`;
  const socket = connect(Number(port), hostname);
  const before = requestsLogged();
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"title":`, () => {
    setTimeout(() => socket.destroy(), 200);
  });
  await eventually("the request has ended", async () => requestsLogged() > before);
  expect(service.output().stderr).not.toMatch(/"level":"(?:warn|error)"/);
});

function requestsLogged(): number {
  return service.output().stderr.split('"path":"/functions/v1/api-runs"').length;
}

verifies("hardening.headers", "responses forbid content sniffing and caching", async () => {
  for (const path of ["/functions/v1/api-me", "/console/api/keys", "/functions/v1/none", "/rest/v1/tasks"]) {
    const { headers } = await send("GET", service.url + path, { headers: { "x-api-key": service.keys.api } });
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe("no-store");
  }
});

verifies("hardening.openapi.cached", "a client that already has the document gets 304", async () => {
  const url = `${service.url}/openapi.json`;
  const first = await send("GET", url);
  expect(fieldsOf(first)).toMatchObject({ openapi: "3.1.0", servers: [{ url: service.url }] });
  const etag = first.headers.get("etag") ?? "";
  const again = await send("GET", url, { headers: { "if-none-match": etag } });
  expect(again).toMatchObject({ status: 304, text: "" });
  expect((await send("GET", url, { headers: { "if-none-match": '"another"' } })).status).toBe(200);
  expect((await send("GET", url, { headers: { "if-none-match": "*" } })).status).toBe(304);
});

verifies("hardening.links.host", "links lead to this service, whatever the Host header says", async () => {
  const { id } = await createAgent(api(), { is_a2a_published: true });
  const board = { name: "Board", secret: "trello-secret", list_id: "todo1", assigned_agent_id: id };
  const { port } = new URL(service.url);
  for (const [method, path, body] of [
    ["POST", "/console/api/triggers", { name: "T", title: "T", assigned_agent_id: id }],
    ["POST", "/console/api/trello-channels", board],
    ["GET", "/.well-known/agent-card.json", undefined],
    ["GET", `/a2a/${id}`, undefined],
  ] as const) {
    const ask = (host: string) =>
      rawRequest(service.url, { method, path, headers: { "x-api-key": service.keys.api, host }, body });
    const forged = await ask("evil.example");
    expect(forged, path).not.toContain("evil.example");
    expect(forged, path).toContain(`"url":"${service.url}/`);
    expect(await ask(`localhost:${port}`), path).toContain(`"url":"http://localhost:${port}/`);
  }
});

verifies("hardening.hooks.private", "neither a webhook nor a route may lead to a private host", async () => {
  for (const target_url of HOSTILE_URLS) {
    const hook = await api().post("/api-hooks", { target_url, event: "task_completed" });
    expect(refusal(hook), target_url).toMatchObject({ status: 400, paths: ["target_url"] });
    for (const type of ["http", "slack", "discord", "teams"]) {
      const field = type === "http" ? "url" : "webhook_url";
      const route = await console_().post("/routes", { name: "R", type, config: { [field]: target_url } });
      expect(refusal(route), `${type} ${target_url}`).toMatchObject({ status: 400, paths: [`config.${field}`] });
    }
  }
});

verifies("hardening.keys.rotate-scopes", "a key cannot gain a scope by rotating another", async () => {
  const shown = fieldsOf(await console_().post("/keys", { label: "all", kind: "envelope" }));
  const writer = fieldsOf(await console_().post("/keys", { label: "w", kind: "envelope", scopes: ["write"] }));
  const rotated = await consoleOf(service, String(writer["key"])).post(`/keys/${String(shown["id"])}/rotate`, {});
  expect(refusal(rotated)).toMatchObject({ status: 403, code: "forbidden" });
  expect((await apiOf(service, String(shown["key"])).get("/api-me")).status).toBe(200);
});

verifies("hardening.workspaces.closed", "only the operator creates workspaces while sign-up is closed", async () => {
  const other = await addWorkspace(service.databaseUrl);
  const key = await addKey(service.databaseUrl, other);
  const refused = await consoleOf(service, key).post("/workspaces", { name: "Mine" });
  expect(refusal(refused)).toMatchObject({ status: 403, code: "forbidden" });
  expect((await console_().post("/workspaces", { name: "Second" })).status).toBe(201);
});

verifies("hardening.schedules.interval", "a schedule fires at most once a minute", async () => {
  const template = { name: "S", title: "T", assigned_agent_id: (await createAgent(api())).id };
  for (const cron of ["* * * * * *", "*/30 * * * * *", "0,1 0 0 * * *"]) {
    expect(refusal(await console_().post("/schedules", { ...template, cron }))).toMatchObject({
      status: 400,
      paths: ["cron"],
    });
  }
  const { id } = fieldsOf(await console_().post("/schedules", { ...template, cron: "* * * * *" }));
  expect((await console_().patch(`/schedules/${String(id)}`, { cron: "* * * * * *" })).status).toBe(400);
});

verifies("hardening.secrets.moved", "a secret that was moved from another row has its own error code", async () => {
  const headers = { Authorization: "Bearer of the first" };
  const one = await createTool(service, { ...ANY_TOOL, name: "first_tool", headers });
  const other = await createTool(service, { ...ANY_TOOL, name: "other_tool", headers });
  const move = `update custom_tools t set headers_ciphertext = o.headers_ciphertext from custom_tools o
    where t.id = $1 and o.id = $2`;
  await sql(service.databaseUrl, move, [one, other]);
  const answer = await console_().post(`/tools/${one}/test`, { arguments: {} });
  expect(refusal(answer)).toMatchObject({ status: 409, message: expect.stringContaining("cannot be decrypted") });
});

describe("with few requests", () => {
  let small: TestService;
  beforeAll(async () => {
    small = await startService({ env: { RATE_LIMIT_ENTERPRISE: "3" } });
  });
  afterAll(() => small.stop());

  verifies("hardening.mcp.rate-limit", "calls of tools over MCP count", async () => {
    await createAgent(apiOf(small, small.keys.api), { name: "Counted", is_mcp_published: true });
    const headers = { authorization: `Bearer ${small.keys.mcp}`, accept: "application/json, text/event-stream" };
    const params = { name: "counted", arguments: { message: "Say one word." } };
    const answers: Awaited<ReturnType<typeof send>>[] = [];
    for (let id = 1; id <= 8; id++) {
      const body = { jsonrpc: "2.0", id, method: "tools/call", params };
      answers.push(await send("POST", `${small.url}/mcp`, { headers, body }));
    }
    // The eight may fall into two minutes.
    const rejected = answers.filter(({ text }) =>
      text.includes("The workspace has used all 3 requests outside the envelope API for this minute."),
    );
    expect(rejected.length).toBeGreaterThanOrEqual(2);
    expect(rejected.map(({ status }) => status)).toEqual(rejected.map(() => 429));
    expect(answers.length - rejected.length).toBeGreaterThan(0);
  });

  verifies("hardening.console.rate-limit", "requests of the console API count", async () => {
    const statuses: number[] = [];
    for (let request = 0; request < 8; request++) {
      statuses.push((await consoleOf(small, small.keys.api).get("/keys")).status);
    }
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(6);
    expect(statuses).toContain(429);
  });
});
