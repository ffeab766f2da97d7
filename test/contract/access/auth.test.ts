import { beforeAll, expect } from "vitest";
import { generateKey, hashKey } from "#domain/access/api-key.ts";
import { apiOf, fieldsOf, refusal, send } from "../../support/api.ts";
import type { Answer } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { startPeer } from "../../support/service.ts";
import type { TestAccess } from "../../support/service.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, createTask, readAgent, readTask, taskInState } from "../../support/work.ts";
import { addKey, addWorkspace, sql } from "../../support/workspace.ts";
import type { TestWorkspace } from "../../support/workspace.ts";

/** Well below the time for which a process trusts its memory of a key. */
const AT_ONCE_MS = 15_000;

let service: SharedService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await useSharedService();
  workspace = await addWorkspace(service.databaseUrl);
});

function me(key: string, on: TestAccess = service): Promise<Answer> {
  return apiOf(on, key).get("/api-me");
}

verifies("auth.envelope.api-key", "X-API-Key with an envelope key opens every path of the API", async () => {
  for (const path of ["/api-me", "/api-agents", "/api-tasks"]) {
    expect((await apiOf(service, service.keys.api).get(path)).status).toBe(200);
  }
});

const missing: readonly { readonly name: string; readonly headers: Readonly<Record<string, string>> }[] = [
  { name: "no credential", headers: {} },
  { name: "an empty key", headers: { "x-api-key": "" } },
  { name: "a key as a query parameter only", headers: {} },
  { name: "basic authentication", headers: { authorization: "Basic dXNlcjpwYXNz" } },
  { name: "an empty bearer", headers: { authorization: "Bearer " } },
];
for (const { name, headers } of missing) {
  verifies(["auth.envelope.missing-401", "errors.unauthorized"], `${name} is 401 on every method`, async () => {
    for (const method of ["GET", "POST", "PATCH", "DELETE"]) {
      const url = `${service.url}/functions/v1/api-agents?id=${workspace.workspaceId}&key=${service.keys.api}`;
      const answer = await send(method, url, { headers, ...(method !== "GET" && { body: {} }) });
      expect(refusal(answer)).toMatchObject({ status: 401, code: "unauthorized" });
    }
  });
}

const unknown = ["mst_", "mst_unknown", "x", `mst_${"0".repeat(43)}`, "é".normalize("NFD").slice(0, 1), "' or 1=1 --"];
for (const key of unknown) {
  verifies("auth.envelope.unknown-key-401", `the key "${key}" is rejected`, async () => {
    expect(refusal(await me(key))).toMatchObject({ status: 401, code: "unauthorized" });
  });
}

verifies("auth.envelope.unknown-key-401", "neither a key's hash nor a changed key is a key", async () => {
  const key = service.keys.api;
  for (const wrong of [hashKey(key), key.slice(0, -1), `${key}0`, key.toUpperCase(), key.toLowerCase()]) {
    expect((await me(wrong)).status).toBe(401);
  }
});

for (const kind of ["table", "mcp", "a2a", "agui", "anon"] as const) {
  verifies("auth.envelope.wrong-kind-401", `the ${kind} key is rejected on the envelope API`, async () => {
    expect(refusal(await me(service.keys[kind]))).toMatchObject({ status: 401, code: "unauthorized" });
  });
}

verifies(
  ["auth.wrong-kind.named", "auth.envelope.www-authenticate"],
  "a 401 says what the credential is, and what to send instead",
  async () => {
    const { keys } = service;
    const messages = [
      [{}, "Send an API key in X-API-Key, or an access token in Authorization: Bearer."],
      [{ "x-api-key": keys.table }, "This is a table key; an envelope key (mst_) is needed here."],
      [{ "x-api-key": keys.mcp }, "This is an MCP key; an envelope key (mst_) is needed here."],
      [{ "x-api-key": keys.anon }, "This is the anon key; an envelope key (mst_) is needed here."],
      [{ "x-api-key": `${keys.api}0` }, "Invalid API key."],
      [
        { authorization: `Bearer ${keys.api}` },
        "An API key belongs in the header X-API-Key; Authorization: Bearer takes an access token.",
      ],
      [{ authorization: "Bearer a.b.c" }, "Invalid or expired access token."],
    ] as const;
    for (const [headers, message] of messages) {
      const answer = await send("GET", `${service.url}/functions/v1/api-me`, { headers });
      expect(refusal(answer)).toMatchObject({ status: 401, code: "unauthorized", message });
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    }
  },
);

verifies("auth.wrong-kind.named", "an unknown key of another kind gets the same text as an existing one", async () => {
  expect(refusal(await me(generateKey("a2a"))).message).toBe(refusal(await me(service.keys.a2a)).message);
});

verifies(
  "auth.envelope.expired-401",
  "a key is rejected from the moment at which it expires",
  async () => {
    const past = await addKey(service.databaseUrl, { ...workspace, expiresAt: new Date(Date.now() - 1_000) });
    expect(refusal(await me(past))).toMatchObject({ status: 401, code: "unauthorized" });
    const soon = await addKey(service.databaseUrl, { ...workspace, expiresAt: new Date(Date.now() + 6_000) });
    expect((await me(soon)).status).toBe(200);
    await eventually("the key has expired", async () => (await me(soon)).status === 401, AT_ONCE_MS);
    const later = await addKey(service.databaseUrl, { ...workspace, expiresAt: new Date(Date.now() + 3_600_000) });
    expect((await me(later)).status).toBe(200);
  },
  { tags: "slow" },
);

verifies(
  ["auth.envelope.read-scope-403", "errors.forbidden"],
  "a key that may only read reads everything and writes nothing",
  async () => {
    const api = apiOf(service, workspace.key);
    const agent = await createAgent(api);
    const task = await createTask(api);
    const reader = apiOf(service, await addKey(service.databaseUrl, { ...workspace, scopes: ["read"] }));
    for (const path of [
      "/api-me",
      "/api-agents",
      "/api-tasks",
      `/api-agents?id=${agent.id}`,
      `/api-tasks?id=${task.id}`,
    ]) {
      expect((await reader.get(path)).status).toBe(200);
    }
    const writes = [
      await reader.post("/api-agents", { name: "X", model: "demo" }),
      await reader.patch(`/api-agents?id=${agent.id}`, { name: "X" }),
      await reader.delete(`/api-agents?id=${agent.id}`),
      await reader.post("/api-tasks", { title: "X" }),
      await reader.patch(`/api-tasks?id=${task.id}`, { status: "cancelled" }),
      await reader.delete(`/api-tasks?id=${task.id}`),
    ];
    for (const answer of writes) expect(refusal(answer)).toMatchObject({ status: 403, code: "forbidden" });
    expect(await readAgent(api, agent.id)).toEqual(agent);
    expect(await readTask(api, task.id)).toEqual(task);
    const writer = apiOf(service, await addKey(service.databaseUrl, { ...workspace, scopes: ["write"] }));
    expect(refusal(await writer.get("/api-agents"))).toMatchObject({ status: 403, code: "forbidden" });
  },
);

verifies("auth.envelope.revoked-at-once", "every process rejects a deleted key immediately", async () => {
  const second = await startPeer({ databaseUrl: service.databaseUrl, keys: service.keys });
  try {
    const key = await addKey(service.databaseUrl, workspace);
    const both = () => Promise.all([me(key, service), me(key, second)]);
    expect((await both()).map(({ status }) => status)).toEqual([200, 200]);
    await sql(service.databaseUrl, "delete from api_keys where key_hash = $1", [hashKey(key)]);
    const refused = async () => (await both()).every(({ status }) => status === 401);
    await eventually("both processes reject the key", refused, AT_ONCE_MS);
    const narrowed = await addKey(service.databaseUrl, workspace);
    const write = (on: TestAccess) => apiOf(on, narrowed).post("/api-tasks", { title: "x" });
    expect((await write(second)).status).toBe(201);
    await sql(service.databaseUrl, "update api_keys set scopes = '{read}' where key_hash = $1", [hashKey(narrowed)]);
    await eventually("the scope is gone", async () => (await write(second)).status === 403, AT_ONCE_MS);
  } finally {
    await second.stop();
  }
});

/** Opens the stream of a task that has ended: it replays and closes. */
async function openStream(token: string | undefined): Promise<Answer> {
  const api = apiOf(service, service.keys.api);
  const { id: agentId } = await createAgent(api);
  const task = await taskInState(api, { agentId, status: "completed", description: QUICK });
  return send("POST", `${service.url}/ag-ui/${agentId}/sse`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    body: { threadId: task.id },
  });
}

const streams = [
  { verifies: "auth.ag-ui.agui-key", kind: "agui", status: 200 },
  { verifies: "auth.ag-ui.a2a-key", kind: "a2a", status: 200 },
  { verifies: "auth.ag-ui.envelope-key", kind: "api", status: 200 },
  { verifies: "auth.ag-ui.wrong-kind-401", kind: "mcp", status: 401 },
  { verifies: "auth.ag-ui.wrong-kind-401", kind: "table", status: 401 },
  { verifies: "auth.ag-ui.wrong-kind-401", kind: "anon", status: 401 },
] as const;
for (const row of streams) {
  const { kind, status } = row;
  verifies(row.verifies, `AG-UI answers ${status} to the ${kind} key`, async () => {
    const answer = await openStream(service.keys[kind]);
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.text).toContain("RUN_FINISHED");
    else expect(answer.body).toEqual({ error: expect.stringMatching(/\S/) });
  });
}

verifies("auth.bearer.spaces", "several spaces before a bearer token are no part of it", async () => {
  const { url, keys } = service;
  const { id: agentId } = await createAgent(apiOf(service, keys.api));
  const bearer = (key: string) => ({ authorization: `bearer   ${key}`, apikey: keys.anon });
  const call = { jsonrpc: "2.0", id: 1, method: "tasks/list", params: {} };
  const answers = [
    await send("GET", `${url}/rest/v1/agents?limit=1`, { headers: bearer(keys.table) }),
    await send("GET", `${url}/v1/models`, { headers: bearer(keys.api) }),
    await send("POST", `${url}/mcp`, { headers: bearer(keys.mcp), body: { ...call, method: "ping" } }),
    await send("POST", `${url}/a2a/${agentId}`, { headers: bearer(keys.a2a), body: call }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect((await openStream(`  ${keys.agui}`)).status).toBe(200);
  const asToken = await send("GET", `${url}/functions/v1/api-me`, { headers: { authorization: "Bearer  a.b.c" } });
  expect(refusal(asToken)).toMatchObject({ status: 401, message: "Invalid or expired access token." });
});

verifies(
  ["auth.workspace-isolation", "auth.ag-ui.agui-key"],
  "a stream of another workspace is not found",
  async () => {
    const { id: agentId } = await createAgent(apiOf(service, service.keys.api));
    const foreign = await addKey(service.databaseUrl, { ...workspace, kind: "ag-ui" });
    const ask = (agent: string) =>
      send("POST", `${service.url}/ag-ui/${agent}/sse`, {
        headers: { authorization: `Bearer ${foreign}` },
        body: { threadId: agentId },
      });
    const [other, nobodys] = [await ask(agentId), await ask("01940000-0000-7000-8000-000000000000")];
    expect([other.status, other.body]).toEqual([404, { error: "Agent not found in workspace" }]);
    expect([nobodys.status, nobodys.body]).toEqual([other.status, other.body]);
  },
);

verifies("auth.workspace-isolation", "two keys at the same time each get their own workspace", async () => {
  const own = fieldsOf(await me(service.keys.api))["workspace_id"];
  const keys = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? service.keys.api : workspace.key));
  const seen = await Promise.all(keys.map(async (key) => fieldsOf(await me(key))["workspace_id"]));
  expect(seen).toEqual(keys.map((key) => (key === workspace.key ? workspace.workspaceId : own)));
});
