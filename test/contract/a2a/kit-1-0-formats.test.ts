import { beforeAll, expect } from "vitest";
import { newId } from "#lib/ids.ts";
import { event1, list1, sent1, strictCard, task1 } from "../../support/a2a/shapes.ts";
import { KIT_1_0_FORMATS } from "../../support/a2a/kit.ts";
import { post, rpc, streamed, userMessage1 } from "../../support/a2a/a2a.ts";
import { apiOf, fieldsOf, send } from "../../support/api.ts";
import type { Answer } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent } from "../../support/work.ts";
import { addKey, addWorkspace } from "../../support/workspace.ts";

const ASKING = '[[tool:request_approval {"title":"Continue?"}]]\n[[say:done]]';
const UNKNOWN = { id: "no-such-task" };
const V1 = { "a2a-version": "1.0" };
const INFO = { "@type": "type.googleapis.com/google.rpc.ErrorInfo", domain: "a2a-protocol.org" };

let service: SharedService;
let agentId: string;
let ended: ReturnType<typeof task1.parse>;

beforeAll(async () => {
  service = await useSharedService();
  const fields = { is_a2a_published: true, tools: ["request_approval"] };
  agentId = (await createAgent(apiOf(service, service.keys.api), fields)).id;
  ended = await sendMessage(QUICK);
});

const call = (method: string, params: object) => rpc(service, agentId, { method, params, headers: V1 });
const codeOf = async (method: string, params: object) => (await call(method, params)).error?.code;
const raw = (body: unknown, headers: object = {}) => post(service, agentId, body, { headers: { ...V1, ...headers } });
const errorIn = ({ body }: Answer) => Object(Object(body)["error"]);

async function sendMessage(text: string, fields: object = {}, configuration: object = {}) {
  const { result, error } = await call("SendMessage", { ...userMessage1(text, { ...fields }), configuration });
  if (error !== undefined) throw new Error(error.message);
  return sent1.parse(result).task;
}

/** The ended task with all of its fields. */
const whole = async () => task1.parse((await call("GetTask", { id: ended.id, historyLength: 10 })).result);
const foreignKey = async () => {
  const other = await addWorkspace(service.databaseUrl);
  return addKey(service.databaseUrl, { ...other, kind: "a2a" });
};
const asking = () => sendMessage(ASKING);
const streamMessage = (text: string) =>
  streamed(service, agentId, { method: "SendStreamingMessage", params: userMessage1(text), headers: V1 });
const card = (headers: Readonly<Record<string, string>> = V1) =>
  send("GET", `${service.url}/a2a/${agentId}/.well-known/agent-card.json`, { headers });

function keysIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner)]);
}

const CHECKS = {
  "VER-CLIENT-002": async () => {
    const body = { jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: ended.id } };
    for (const version of ["1.0.0", "1.0.7"]) {
      const { body: answer, headers } = await raw(body, { "a2a-version": version });
      expect([headers.get("a2a-version"), answer]).toMatchObject(["1.0", { result: { id: ended.id } }]);
    }
  },
  "VER-SERVER-001": async () => {
    const { headers } = await raw({ jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: ended.id } });
    expect(headers.get("a2a-version")).toBe("1.0");
  },
  "VER-SERVER-002": async () => {
    const body = { jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: ended.id } };
    expect(errorIn(await raw(body, { "a2a-version": "99.0" }))).toMatchObject({ code: -32009 });
  },
  "VER-SERVER-003": async () => {
    const body = { jsonrpc: "2.0", id: 1, method: "tasks/get", params: { id: ended.id } };
    const { body: answer, headers } = await raw(body, { "a2a-version": "" });
    expect(answer).toMatchObject({ result: { kind: "task" } });
    expect(headers.get("a2a-version")).toBe("0.3");
    expect((await card({ "a2a-version": "" })).body).toHaveProperty("protocolVersion", "0.3.0");
  },
  "JSONRPC-FMT-001": async () => {
    for (const [id, params, field] of [
      ["text", { id: ended.id }, "result"],
      [7, UNKNOWN, "error"],
      [0, UNKNOWN, "error"],
    ] as const) {
      const { body } = await raw({ jsonrpc: "2.0", id, method: "GetTask", params });
      expect(Object.keys(Object(body)).toSorted()).toEqual([field, "id", "jsonrpc"].toSorted());
      expect(body).toMatchObject({ jsonrpc: "2.0", id });
    }
  },
  "JSONRPC-FMT-002": async () => {
    const asked = { jsonrpc: "2.0", id: 1, method: "GetTask", params: UNKNOWN };
    expect((await raw(asked)).headers.get("content-type")).toContain("application/json");
    const stream = { jsonrpc: "2.0", id: 1, method: "SendStreamingMessage", params: userMessage1(QUICK) };
    expect((await raw(stream)).headers.get("content-type")).toContain("text/event-stream");
    const wrong = await raw(asked, { "content-type": "text/plain" });
    expect(errorIn(wrong)).toMatchObject({ code: -32005 });
  },
  "JSONRPC-SVC-001": async () => {
    expect((await call("GetTask", { id: ended.id })).error).toBeUndefined();
    expect(await codeOf("getTask", { id: ended.id })).toBe(-32601);
  },
  "JSONRPC-SVC-002": async () => {
    const { headers } = await raw({ jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: ended.id } });
    expect(headers.get("a2a-version")).toBe("1.0");
  },
  "JSONRPC-ERR-001": async () => {
    const { error } = await call("GetTask", UNKNOWN);
    expect(Object.keys(error ?? {}).toSorted()).toEqual(["code", "data", "message"]);
  },
  "JSONRPC-ERR-002": async () => expect(await codeOf("GetTask", UNKNOWN)).toBe(-32001),
  "JSONRPC-ERR-003": async () =>
    expect((await call("GetTask", UNKNOWN)).error?.data).toEqual([{ ...INFO, reason: "TASK_NOT_FOUND" }]),
  "JSONRPC-SSE-001": async () => {
    for (const { jsonrpc, id, result } of await streamMessage(QUICK)) {
      expect([jsonrpc, id]).toEqual(["2.0", 7]);
      event1.parse(result);
    }
  },
  "JSONRPC-SSE-002": async () => expect(await codeOf("GetTask", UNKNOWN)).toBe(-32001),
  "DM-TASK-001": async () => expect(await whole()).toMatchObject({ id: expect.any(String), status: {} }),
  "DM-TASK-002": async () => void task1.parse(await asking()),
  "DM-STATUS-001": async () => expect((await whole()).status.state).toBe("TASK_STATE_COMPLETED"),
  "DM-MSG-001": async () => {
    const { status } = await asking();
    expect(status.message).toMatchObject({
      messageId: expect.stringMatching(/./),
      role: "ROLE_AGENT",
      parts: [{}, {}],
    });
  },
  "DM-MSG-002": async () => {
    const { history = [] } = await whole();
    expect(history.map(({ role }) => role)).toEqual(["ROLE_USER"]);
  },
  "DM-PART-001": async () => {
    const { status } = await asking();
    for (const part of status.message?.parts ?? []) {
      expect(["text", "data", "url", "raw"].filter((content) => content in part)).toHaveLength(1);
    }
  },
  "DM-ART-001": async () =>
    expect((await whole()).artifacts).toMatchObject([{ artifactId: expect.stringMatching(/./), parts: [{}] }]),
  "DM-SERIAL-001": async () => expect(keysIn(await asking()).filter((key) => key.includes("_"))).toEqual([]),
  "DM-SERIAL-002": async () => expect(ended.status.state).toBe("TASK_STATE_COMPLETED"),
  "DM-SERIAL-003": async () => expect(ended.status.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  "DM-SERIAL-004": async () => void task1.parse(await sendMessage(QUICK, {}, { historyLength: 5 })),
  "DM-SERIAL-005": async () => {
    const { result } = await call("SendMessage", { ...userMessage1(QUICK, { unknownField: "x" }), unknownParam: 42 });
    void sent1.parse(result);
  },
  "AUTH-SERVER-002": async () => {
    for (const method of ["GetTask", "SendMessage", "ListTasks", "GetExtendedAgentCard", "NoSuchMethod"]) {
      const { status } = await post(service, agentId, { jsonrpc: "2.0", id: 1, method, params: {} }, { key: "none" });
      expect([method, status]).toEqual([method, 401]);
    }
  },
  "AUTH-SCOPE-001": async () => {
    const { id: ownerId, workspace_id: workspaceId } = fieldsOf(await apiOf(service, service.keys.api).get("/api-me"));
    const owner = { workspaceId: String(workspaceId), ownerId: String(ownerId) };
    const key = await addKey(service.databaseUrl, { ...owner, kind: "a2a", scopes: ["read"] });
    const asked = (method: string, params: object) =>
      post(service, agentId, { jsonrpc: "2.0", id: 1, method, params }, { key });
    expect((await asked("GetTask", { id: ended.id })).status).toBe(200);
    expect((await asked("SendMessage", userMessage1(QUICK))).status).toBe(403);
    expect((await asked("CancelTask", { id: ended.id })).status).toBe(403);
  },
  "AUTH-SCOPE-002": async () => {
    const key = await foreignKey();
    const { result } = await rpc(service, agentId, { method: "ListTasks", params: {}, key });
    expect(list1.parse(result)).toMatchObject({ tasks: [], totalSize: 0 });
  },
  "AUTH-SCOPE-003": async () => {
    const key = await foreignKey();
    const of = (id: string) => rpc(service, agentId, { method: "GetTask", params: { id }, key });
    const [theirs, unknown] = [await of(ended.id), await of(newId())];
    expect(theirs.error?.code).toBe(-32001);
    expect(theirs.error).toEqual(unknown.error);
  },
  "BIND-FIELD-001": async () => {
    const { supportedInterfaces } = strictCard.parse((await card()).body);
    expect(supportedInterfaces.map(({ protocolVersion }) => protocolVersion)).toEqual(["1.0", "1.0", "0.3"]);
  },
  "CARD-DISC-001": async () => expect((await card()).status).toBe(200),
  "CARD-PROTO-001": async () =>
    expect((await card()).body).toMatchObject({ supportedInterfaces: [{ protocolVersion: "1.0" }, {}, {}] }),
  "CARD-PROTO-002": async () => {
    const { supportedInterfaces } = strictCard.parse((await card()).body);
    expect(new Set(supportedInterfaces.map(({ url }) => url))).toEqual(new Set([`${service.url}/a2a/${agentId}`]));
    const bindings = supportedInterfaces.map(({ protocolBinding }) => protocolBinding);
    expect(bindings).toEqual(["JSONRPC", "HTTP+JSON", "JSONRPC"]);
  },
  "CARD-STRUCT-001": async () => void strictCard.parse((await card()).body),
  "CARD-EXT-001": async () => {
    const body = { jsonrpc: "2.0", id: 1, method: "GetExtendedAgentCard", params: {} };
    expect((await post(service, agentId, body, { key: "none" })).status).toBe(401);
    void strictCard.parse((await call("GetExtendedAgentCard", {})).result);
  },
  "CARD-CACHE-001": async () => expect((await card()).headers.get("cache-control")).toMatch(/max-age=\d+/),
  "CARD-CACHE-002": async () => expect((await card()).headers.get("etag")).toMatch(/^"/),
  "CARD-CACHE-003": async () =>
    expect(Date.parse((await card()).headers.get("last-modified") ?? "")).toBeGreaterThan(0),
} satisfies Readonly<Record<keyof typeof KIT_1_0_FORMATS, () => Promise<void>>>;

for (const [id, check] of Object.entries(CHECKS)) {
  verifies("a2a.tck.1-0", `${id}: ${new Map(Object.entries<string>(KIT_1_0_FORMATS)).get(id)}`, check);
}
