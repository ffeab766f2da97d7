import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect } from "vitest";
import * as fc from "fast-check";
import { apiOf, consoleOf, idsOf, refusal, send } from "../../support/api.ts";
import type { Answer, Api } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask } from "../../support/work.ts";
import { addKey, sql } from "../../support/workspace.ts";

const UNKNOWN = "01940000-0000-7000-8000-000000000000";
const MAX_BODY_BYTES = 4_096;

let service: TestService;
let api: Api;
let readOnly: Api;
let agentId: string;
let taskId: string;

beforeAll(async () => {
  service = await startService({ env: { MAX_BODY_BYTES: String(MAX_BODY_BYTES) } });
  api = apiOf(service, service.keys.api);
  agentId = (await createAgent(api)).id;
  taskId = (await createTask(api)).id;
  const [owner] = await sql<{ workspaceId: string; ownerId: string }>(
    service.databaseUrl,
    `select workspace_id as "workspaceId", user_id as "ownerId" from members`,
  );
  if (owner === undefined) throw new Error("The service has made no workspace.");
  readOnly = apiOf(service, await addKey(service.databaseUrl, { ...owner, scopes: ["read"] }));
});
afterAll(() => service.stop());

interface Refused {
  readonly verifies: Parameters<typeof verifies>[0];
  readonly name: string;
  readonly status: number;
  readonly code: string;
  readonly ask: () => Promise<Answer>;
}

const table = [
  {
    verifies: "errors.bad-request",
    name: "an invalid body",
    status: 400,
    code: "bad_request",
    ask: () => api.post("/api-tasks", { title: 5 }),
  },
  {
    verifies: "errors.bad-request",
    name: "an invalid parameter",
    status: 400,
    code: "bad_request",
    ask: () => api.get("/api-tasks?limit=x"),
  },
  {
    verifies: "errors.unauthorized",
    name: "a missing key",
    status: 401,
    code: "unauthorized",
    ask: () => send("GET", `${service.url}/functions/v1/api-me`),
  },
  {
    verifies: "errors.forbidden",
    name: "a write with a key that may only read",
    status: 403,
    code: "forbidden",
    ask: () => readOnly.post("/api-tasks", { title: "x" }),
  },
  {
    verifies: "errors.not-found",
    name: "an unknown resource",
    status: 404,
    code: "not_found",
    ask: () => api.get(`/api-agents?id=${UNKNOWN}`),
  },
  {
    verifies: ["errors.not-found", "envelope.unknown-path-404"],
    name: "an unknown path of the API",
    status: 404,
    code: "not_found",
    ask: () => api.get("/api-nothing"),
  },
  {
    verifies: ["errors.not-found", "envelope.unknown-path-404"],
    name: "an unknown path anywhere",
    status: 404,
    code: "not_found",
    ask: () => send("GET", `${service.url}/nothing`),
  },
  {
    verifies: "errors.conflict",
    name: "an illegal change of state",
    status: 409,
    code: "conflict",
    ask: () => api.patch(`/api-tasks?id=${taskId}`, { status: "completed" }),
  },
  {
    verifies: ["errors.payload-too-large", "envelope.body.limit"],
    name: "a body above the limit",
    status: 413,
    code: "payload_too_large",
    ask: () => api.post("/api-tasks", { title: "x", description: "x".repeat(MAX_BODY_BYTES) }),
  },
] as const satisfies readonly Refused[];

for (const row of table) {
  verifies(row.verifies, `${row.name} is ${row.status} ${row.code} and changes nothing`, async () => {
    const before = idsOf(await api.get("/api-tasks?limit=200"));
    expect(refusal(await row.ask())).toMatchObject({ status: row.status, code: row.code });
    expect(idsOf(await api.get("/api-tasks?limit=200"))).toEqual(before);
  });
}

verifies(
  "errors.body.shape",
  "every rejection is JSON of error and meta, with a message and the request's id",
  async () => {
    for (const { ask, code } of table) {
      const answer = await ask();
      expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
      expect(answer.body).toEqual({
        error: expect.objectContaining({ code, message: expect.stringMatching(/\S/) }),
        meta: {
          api_version: 1,
          request_id: answer.headers.get("x-request-id"),
          timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        },
      });
    }
  },
);

verifies("errors.body.details", "every issue of a body is returned with its path", async () => {
  const body = { name: "", temperature: 3, tools: ["wait", 5], voice_profile: { tone: "Loud" }, colour: "red" };
  const { status, paths } = refusal(await api.post("/api-agents", body));
  expect(status).toBe(400);
  expect(paths.toSorted()).toEqual(["colour", "model", "name", "temperature", "tools.1", "voice_profile.tone"]);
  const twice = refusal(await api.delete("/api-tasks?id=01940000-0000-7000-8000-000000000000&id=x"));
  expect([twice.status, twice.message]).toEqual([400, "Invalid query: id must be given once"]);
  const query = refusal(await api.get("/api-tasks?limit=0&status=odd&id=x"));
  expect(query.paths.toSorted()).toEqual(["id", "limit", "status"]);
});

verifies(
  ["errors.body.json", "errors.body.json.no-echo"],
  "a body that is not JSON is rejected with the problem and its position, without any of its text",
  async () => {
    const secret = "sk-live-0123456789";
    const body = `{\n  "name": "X",\n  "model": ${secret}\n}`;
    const place = "unexpected character; names and text need double quotes (line 3, column 12)";
    const bearer = { authorization: `Bearer ${service.keys.api}` };
    const answers = [
      await api.call("POST", "/api-agents", { body }),
      await send("POST", `${service.url}/v1/chat/completions`, { headers: bearer, body }),
      await send("POST", `${service.url}/ag-ui/${agentId}/sse`, { headers: bearer, body }),
      await send("POST", `${service.url}/a2a`, { headers: { authorization: `Bearer ${service.keys.a2a}` }, body }),
      await send("POST", `${service.url}/rest/v1/agents`, {
        headers: { apikey: service.keys.anon, authorization: `Bearer ${service.keys.table}` },
        body,
      }),
    ];
    for (const { text } of answers) expect(text).toContain(place);
    for (const { text } of answers) expect(text).not.toMatch(/sk-live|position/);
    expect(service.output().stderr).not.toContain(secret);
  },
);

verifies(
  "errors.body.utf-8",
  "a body that is not UTF-8, or compressed, is rejected instead of stored garbled",
  async () => {
    const text = '{"name":"Café","title":"Café","model":"demo"}';
    const table = { apikey: service.keys.anon, authorization: `Bearer ${service.keys.table}` };
    for (const body of [Buffer.from(text, "latin1"), gzipSync(text)]) {
      for (const [path, headers] of [
        ["/functions/v1/api-agents", { "x-api-key": service.keys.api }],
        ["/functions/v1/api-tasks", { "x-api-key": service.keys.api, "idempotency-key": "garbled" }],
        ["/rest/v1/agents", table],
      ] as const) {
        const answer = await fetch(service.url + path, { method: "POST", headers, body: new Uint8Array(body) });
        expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining("must be UTF-8")]);
      }
    }
    const bom = await api.call("POST", "/api-tasks", { body: '\uFEFF{"title":"Café"}' });
    expect([bom.status, bom.body]).toMatchObject([201, { title: "Café" }]);
  },
);

const methods = [
  { path: "/api-agents", allow: "GET, POST, PATCH, DELETE, HEAD, OPTIONS", wrong: ["PUT", "QUERY"] },
  { path: "/api-tasks", allow: "GET, POST, PATCH, DELETE, HEAD, OPTIONS", wrong: ["PUT", "PROPFIND"] },
  { path: "/api-me", allow: "GET, HEAD, OPTIONS", wrong: ["POST", "PUT", "PATCH", "DELETE"] },
] as const;
for (const { path, allow, wrong } of methods) {
  verifies(
    ["errors.method-not-allowed", "errors.method-not-allowed.allow-header"],
    `${path} rejects ${wrong.join(", ")} and says what it takes`,
    async () => {
      for (const method of wrong) {
        const answer = await api.call(method, path);
        expect(refusal(answer)).toMatchObject({ status: 405, code: "method_not_allowed" });
        expect(answer.headers.get("allow")).toBe(allow);
      }
    },
  );
}

verifies(
  ["errors.method-not-allowed", "errors.method-not-allowed.allow-header"],
  "the paths of the protocols and of the documents reject other methods as well",
  async () => {
    for (const [method, path, allow] of [
      ["GET", "/v1/chat/completions", "POST, OPTIONS"],
      ["DELETE", "/v1/responses/resp_7", "GET, HEAD, OPTIONS"],
      ["DELETE", "/v1/models/", "GET, HEAD, OPTIONS"],
      ["POST", "/.well-known/agent.json", "GET, HEAD, OPTIONS"],
      ["PUT", "/a2a/x", "GET, HEAD, POST, OPTIONS"],
      ["GET", "/ag-ui/x/sse", "POST, OPTIONS"],
      ["POST", "/openapi.json", "GET, HEAD, OPTIONS"],
    ] as const) {
      const answer = await fetch(service.url + path, { method });
      expect([path, answer.status, answer.headers.get("allow")]).toEqual([path, 405, allow]);
      expect(await answer.text()).toContain(`${method} is not supported here. Allowed: ${allow}.`);
    }
    for (const path of ["/v1/nothing", "/docs/nothing.js"]) expect((await fetch(service.url + path)).status).toBe(404);
  },
);

/** A server error that a test can cause: a view that the API reads is missing for a while. */
async function withoutTasks(run: () => Promise<void>): Promise<void> {
  await sql(service.databaseUrl, "alter view task_records rename to hidden_records");
  try {
    await run();
  } finally {
    await sql(service.databaseUrl, "alter view hidden_records rename to task_records");
  }
}

verifies(
  ["errors.internal-error", "errors.internal-error.no-leak", "envelope.request-id.log", "keys.never-logged"],
  "a server error is 500 without its cause; the log has the cause under the same request id",
  async () => {
    await withoutTasks(async () => {
      const answer = await api.post("/api-tasks", { title: "Secret plans", assigned_agent_id: agentId });
      expect(refusal(answer)).toEqual({
        status: 500,
        code: "internal_error",
        message: "Internal error.",
        paths: [],
      });
      const id = answer.headers.get("x-request-id") ?? "none";
      expect(answer.text).toContain(id);
      expect(answer.text).not.toMatch(/relation|task_records|select|\.ts|node_modules/i);
      const line = await eventually("the log line", () =>
        service
          .output()
          .stderr.split("\n")
          .find((text) => text.includes(id)),
      );
      expect(line).toContain("task_records");
      expect(service.output().stderr).not.toContain(service.keys.api);
    });
    expect((await api.get("/api-tasks")).status).toBe(200);
  },
);

const junk = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.constantFrom("\0", "\ud800", "null", "", agentId, "completed", "demo", "1e999"),
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.string({ unit: "binary", maxLength: 5 }), tie("value"), { maxKeys: 4 }),
  ),
})).value;
const FIELDS = `
  name model provider fallback_model system_prompt temperature max_tokens tags tools config status
  voice_profile output_template output_route_ids knowledge_base_ids is_marketplace
  title description priority metadata assigned_agent_id assigned_team_id scheduled_for
  id __proto__ constructor`
  .trim()
  .split(/\s+/);
const bodies = fc
  .tuple(
    fc.constantFrom({}, { name: "x", model: "demo" }, { title: "x" }),
    fc.dictionary(fc.constantFrom(...FIELDS), junk),
  )
  .map(([valid, odd]) => ({ ...valid, ...odd }));

verifies("errors.bad-input-never-500", "no invalid body is answered with 500", async () => {
  const requests = fc.record({
    method: fc.constantFrom("POST", "PATCH"),
    path: fc.constantFrom("/api-agents", "/api-tasks"),
    body: fc.oneof({ weight: 5, arbitrary: bodies }, { weight: 1, arbitrary: junk }),
  });
  await fc.assert(
    fc.asyncProperty(requests, async ({ method, path, body }) => {
      const id = path === "/api-agents" ? agentId : taskId;
      const target = method === "PATCH" ? `${path}?id=${id}` : path;
      const { status, text } = await api.call(method, target, { body: JSON.stringify(body) ?? "" });
      if (status >= 500) throw new Error(`${method} ${target}: ${status} ${text}`);
    }),
    { numRuns: 400 },
  );
});

verifies("errors.bad-input-never-500", "no invalid query is answered with 500", async () => {
  const value = fc.oneof(
    fc.string({ unit: "binary", maxLength: 30 }).filter((text) => text.isWellFormed()),
    fc.constantFrom("\0", "0000-01-01", "9999-12-31T23:59:59-01:00", "2026-02-30", "2026-01-01T00:00:00+23:59", "-0"),
    fc.date({ noInvalidDate: false }).map(String),
    fc.double().map(String),
  );
  const queries = fc.dictionary(fc.constantFrom("id", "limit", "cursor", "status", "other"), value, { maxKeys: 3 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom("/api-agents", "/api-tasks", "/api-me"), queries, async (path, query) => {
      const { status } = await api.get(`${path}?${new URLSearchParams(query).toString()}`);
      expect([200, 400, 404]).toContain(status);
    }),
    { numRuns: 300 },
  );
});

verifies(
  "errors.bad-input-never-500",
  "a query that searches for what cannot be stored is 400 with its path",
  async () => {
    const api = consoleOf(service, service.keys.api);
    for (const [path, field] of [
      ["/marketplace", "q"],
      ["/marketplace", "tag"],
      ["/knowledge/search", "tags"],
    ] as const) {
      expect(refusal(await api.get(`${path}?${field}=%00`))).toMatchObject({ status: 400, paths: [field] });
    }
  },
);

const unstorable = [
  { name: "U+0000 in a text", body: '{"title":"a\\u0000b"}', path: "title" },
  { name: "half of a surrogate pair", body: '{"title":"\\ud800"}', path: "title" },
  { name: "U+0000 in a nested key", body: '{"title":"x","metadata":{"a":{"\\u0000":1}}}', path: "metadata.a" },
  { name: "a field that would be lost", body: '{"title":"x","metadata":{"__proto__":{"a":1}}}', path: "metadata" },
  { name: "a number beyond a double", body: '{"title":"x","metadata":{"n":1e999}}', path: "metadata.n" },
  {
    name: "endless nesting",
    body: `{"title":"x","metadata":{"a":${"[".repeat(1_500)}${"]".repeat(1_500)}}}`,
    path: "metadata",
  },
] as const;
for (const { name, body, path } of unstorable) {
  verifies(["errors.bad-input-never-500", "errors.body.details"], `${name} is 400 with its path`, async () => {
    expect(refusal(await api.post("/api-tasks", body))).toMatchObject({ status: 400, paths: [path] });
  });
}
