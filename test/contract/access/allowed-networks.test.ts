import { afterAll, beforeAll, expect } from "vitest";
import { newId } from "#lib/ids.ts";
import { list1 } from "../../support/a2a/shapes.ts";
import { rpc } from "../../support/a2a/a2a.ts";
import { apiOf, consoleOf, fieldsOf, refusal, send } from "../../support/api.ts";
import type { Answer, Api } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { createKey, listedKey, rotateKey } from "../../support/keys.ts";
import { readStream } from "../../support/sse-client.ts";
import { startPeer, startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, createAgent, stopTask, taskInState } from "../../support/work.ts";

const OFFICE = "203.0.113.0/24";
const INSIDE = "203.0.113.7";
const OUTSIDE = "198.51.100.9";

let service: TestService;
let second: TestService;
let desk: Api;
let agentId: string;

/** Both processes stand behind one proxy, which says where a request comes from. */
beforeAll(async () => {
  service = await startService({ env: { TRUSTED_PROXIES: "1" } });
  second = await startPeer({ databaseUrl: service.databaseUrl, keys: service.keys, env: { TRUSTED_PROXIES: "1" } });
  desk = consoleOf(service, service.keys.api);
  agentId = (await createAgent(apiOf(service, service.keys.api), { is_mcp_published: true, is_a2a_published: true }))
    .id;
});
afterAll(async () => {
  await second.stop();
  await service.stop();
});

const via = (address: string) => ({ "x-forwarded-for": address });

function me(key: string, from: string, on: TestService = service): Promise<Answer> {
  return apiOf(on, key).get("/api-me", via(from));
}

/** The status of a request to each surface, with a key of its kind. */
async function statuses(fields: Readonly<Record<string, unknown>>, from: string): Promise<Record<string, number>> {
  const keyOf = async (kind: string) => (await createKey(desk, { kind, ...fields })).key;
  const [envelope, table, mcp, a2a, agUi] = await Promise.all(["envelope", "table", "mcp", "a2a", "ag-ui"].map(keyOf));
  const bearer = (key = "") => ({ authorization: `Bearer ${key}`, ...via(from) });
  const ask = async (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
    (await send(method, `${service.url}${path}`, { headers, ...(body !== undefined && { body }) })).status;
  const rpcBody = (method: string) => ({ jsonrpc: "2.0", id: 1, method, params: {} });
  return {
    rest: await ask("GET", "/functions/v1/api-me", { "x-api-key": envelope ?? "", ...via(from) }),
    live: await ask("GET", "/console/api/keys", { "x-api-key": envelope ?? "", ...via(from) }),
    openai: await ask("GET", "/v1/models", bearer(envelope)),
    "openai by api-key": await ask("GET", "/v1/models", { "api-key": envelope ?? "", ...via(from) }),
    table: await ask("GET", "/rest/v1/agents", { apikey: table ?? "", ...bearer(table) }),
    mcp: await ask("POST", "/mcp", { ...bearer(mcp), accept: "application/json, text/event-stream" }, rpcBody("ping")),
    a2a: await ask("POST", "/a2a", bearer(a2a), rpcBody("ListTasks")),
    "ag-ui": await ask("POST", `/ag-ui/${agentId}/sse`, bearer(agUi), { threadId: newId() }),
  };
}

verifies("keys.networks", "every surface refuses a key from another network, with one sentence", async () => {
  const refused = await statuses({ networks: [OFFICE] }, OUTSIDE);
  expect(new Set(Object.values(refused))).toEqual(new Set([403]));
  const admitted = await statuses({ networks: [OFFICE, "2001:db8::/32"] }, INSIDE);
  expect(Object.values(admitted)).not.toContain(403);
  expect(Object.values(admitted)).not.toContain(401);
  const { key } = await createKey(desk, { networks: [OFFICE, "2001:db8::/32"] });
  expect((await me(key, "2001:db8:7::9")).status).toBe(200);
  expect(refusal(await me(key, OUTSIDE))).toMatchObject({
    status: 403,
    code: "forbidden",
    message: `This credential may not be used from ${OUTSIDE}: it is limited to other networks.`,
  });
  expect((await me(key, "2001:db9::1")).status).toBe(403);
  expect((await me(key, "unknown")).status).toBe(403);
  const { key: a2a } = await createKey(desk, { kind: "a2a" });
  expect(list1.safeParse((await rpc(service, "", { method: "ListTasks", params: {}, key: a2a })).result).success).toBe(
    true,
  );
});

verifies("keys.networks.address", "only what the trusted proxy says counts, and nothing without one", async () => {
  const { key } = await createKey(desk, { networks: [OFFICE] });
  // What the client itself claims stands before what the proxy saw.
  expect((await me(key, `${INSIDE}, ${OUTSIDE}`)).status).toBe(403);
  expect((await me(key, `${OUTSIDE}, ${INSIDE}`)).status).toBe(200);
  const direct = await startPeer({ databaseUrl: service.databaseUrl, keys: service.keys });
  try {
    expect((await me(key, INSIDE, direct)).status).toBe(403);
    const local = await createKey(desk, { networks: ["127.0.0.0/8", "::1"] });
    expect((await me(local.key, OUTSIDE, direct)).status).toBe(200);
  } finally {
    await direct.stop();
  }
});

verifies("keys.networks.change", "changed networks count in both processes, and end open streams", async () => {
  const made = await createKey(desk, { kind: "ag-ui" });
  const plain = await createKey(desk);
  const api = apiOf(service, service.keys.api);
  const task = await taskInState(api, { agentId, status: "running", description: ENDLESS });
  const stream = await readStream({ url: second.url, keys: { agui: made.key } }, { agentId, taskId: task.id });
  await stream.until((events) => events.length > 0);
  for (const { id } of [made, plain]) {
    const changed = await desk.patch(`/keys/${id}`, { networks: ["198.51.100.0/24"] });
    expect(fieldsOf(changed)).toMatchObject({ networks: ["198.51.100.0/24"] });
  }
  expect((await me(plain.key, INSIDE)).status).toBe(403);
  await eventually("the other process knows", async () => (await me(plain.key, INSIDE, second)).status === 403, 15_000);
  expect((await me(plain.key, OUTSIDE, second)).status).toBe(200);
  expect(await stream.over).toBe("closed");
  const next = await rotateKey(desk, plain.id, 0);
  expect(await listedKey(desk, next.id)).toMatchObject({ networks: ["198.51.100.0/24"] });
  await desk.patch(`/keys/${next.id}`, { networks: null });
  expect((await me(next.key, INSIDE)).status).toBe(200);
  await stopTask(api, task.id);
});

verifies("keys.networks.service-accounts", "the networks of a service account count for all its keys", async () => {
  const made = fieldsOf(await desk.post("/service-accounts", { name: "Office", networks: [OFFICE] }));
  const id = String(made["id"]);
  expect(made).toMatchObject({ networks: [OFFICE] });
  const { key } = await createKey(desk, { service_account_id: id });
  const narrow = await createKey(desk, { service_account_id: id, networks: [INSIDE, OUTSIDE] });
  const from = async (which: string, on: TestService = service) =>
    Promise.all([INSIDE, "203.0.113.8", OUTSIDE].map(async (address) => (await me(which, address, on)).status));
  expect([await from(key, second), await from(narrow.key, second)]).toEqual([
    [200, 200, 403],
    [200, 403, 403],
  ]);
  await desk.patch(`/service-accounts/${id}`, { networks: null });
  expect(await from(key)).toEqual([200, 200, 200]);
  await eventually("the other process knows", async () => (await me(key, OUTSIDE, second)).status === 200, 15_000);
});

verifies("keys.networks.input", "a wrong network is named, and its own maker's absence is a warning", async () => {
  for (const [networks, paths, message] of [
    [["10.0.0.0/8", "10.0.0.0/33"], ["networks.1"], "0 to 32 bits after the slash, not 10.0.0.0/33"],
    [["example.org"], ["networks.0"], "such as 203.0.113.0/24"],
    [[], ["networks"], "networks"],
    [Array.from({ length: 101 }, (_, n) => `10.0.0.${n}`), ["networks"], "100"],
    [["9".repeat(100_000)], ["networks.0"], "50"],
  ] as const) {
    for (const path of ["/keys", "/service-accounts"]) {
      const fields = path === "/keys" ? { label: "x", kind: "envelope" } : { name: "x" };
      const refused = refusal(await desk.post(path, { ...fields, networks }));
      expect([refused.status, refused.paths]).toEqual([400, paths]);
      expect(refused.message).toContain(message);
    }
  }
  const body = { label: "x", kind: "envelope", networks: [OFFICE] };
  const outside = await desk.post("/keys", body, via(OUTSIDE));
  expect([outside.status, outside.headers.get("x-warning")]).toEqual([201, expect.stringContaining(OUTSIDE)]);
  const inside = await desk.post("/keys", body, via(INSIDE));
  expect([inside.status, inside.headers.get("x-warning")]).toEqual([201, null]);
  const { id } = fieldsOf(inside);
  const moved = await desk.patch(`/keys/${String(id)}`, { networks: ["10.0.0.0/8"] }, via(INSIDE));
  expect([moved.status, moved.headers.get("x-warning")]).toEqual([200, expect.stringContaining(INSIDE)]);
});
