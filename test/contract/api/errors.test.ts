import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, idsOf, refusal, send } from "../../support/api.ts";
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
