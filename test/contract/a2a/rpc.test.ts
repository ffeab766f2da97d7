import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { post, rpc, userMessage, userMessage1 } from "../../support/a2a/a2a.ts";
import { apiOf } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, QUICK, createAgent, taskInState } from "../../support/work.ts";
import { addKey, addWorkspace } from "../../support/workspace.ts";

const identity = z.looseObject({ id: z.uuid(), workspace_id: z.uuid() });
const WRONG_KEYS = ["wrong", "mcp", "table", "anon"] as const;
const NOBODY = "00000000-0000-4000-8000-000000000000";

let service: SharedService;
let agentId: string;
let endedId: string;

beforeAll(async () => {
  service = await useSharedService();
  const api = apiOf(service, service.keys.api);
  agentId = (await createAgent(api)).id;
  endedId = (await taskInState(api, { status: "completed", agentId, description: QUICK })).id;
});

/** The error that a body is answered with. */
async function errorOf(body: unknown, headers = {}): Promise<unknown> {
  const answer = await post(service, agentId, body, { headers });
  expect(answer.status).toBe(200);
  return answer.body;
}

const call = (method: string, params: unknown = {}) => ({ jsonrpc: "2.0", id: 1, method, params });
const failing = (code: number, id: unknown = 1) => ({ jsonrpc: "2.0", id, error: { code } });

verifies("a2a.rpc.json-rpc", "an answer has the id of its request, a number as well as a text", async () => {
  for (const id of ["a", 0, -1, 1.5, null]) {
    const { body } = await post(service, agentId, { jsonrpc: "2.0", id, method: "tasks/get", params: { id: endedId } });
    expect(body).toMatchObject({ jsonrpc: "2.0", id, result: { id: endedId } });
  }
});

verifies(
  ["a2a.error.parse", "a2a.error.invalid-request", "a2a.error.unknown-method", "a2a.error.invalid-params"],
  "a body that is not a method call gets JSON-RPC's own errors",
  async () => {
    for (const text of ['{"jsonrpc": "2.0", "method": "message/send"', "", "[", "\u0000"]) {
      expect(await errorOf(text)).toMatchObject(failing(-32700, null));
    }
    expect(await errorOf({ ...call("tasks/get"), jsonrpc: "1.0" })).toMatchObject(failing(-32600));
    expect(await errorOf({ jsonrpc: "2.0", id: 1, params: {} })).toMatchObject(failing(-32600));
    expect(await errorOf({ jsonrpc: "2.0", method: "tasks/get" })).toMatchObject(failing(-32602, null));
    expect(await errorOf({ ...call("tasks/get"), id: { bad: 1 } })).toMatchObject(failing(-32600, null));
    for (const body of [[call("tasks/get")], "7", "null", '"x"']) {
      expect(await errorOf(body)).toMatchObject(failing(-32600, null));
    }
    for (const method of ["tasks/nothing", "sendMessage", "", "constructor", "__proto__"]) {
      expect(await errorOf(call(method))).toMatchObject(failing(-32601));
    }
    expect(await errorOf(call("tasks/get", []))).toMatchObject(failing(-32602));
    expect(await errorOf(call("tasks/get", "x"))).toMatchObject(failing(-32602));
    expect(await errorOf(call("tasks/get", {}))).toMatchObject(failing(-32602));
    expect(await errorOf(call("tasks/get", { id: endedId, historyLength: -1 }))).toMatchObject(failing(-32602));
  },
);

verifies(
  "a2a.error.invalid-params",
  "a message without parts, of another form or too long starts nothing",
  async () => {
    const wrong = [
      {},
      { message: null },
      { message: { kind: "message" } },
      { message: { role: "user", parts: "x" } },
      { message: { role: "user", parts: [] } },
      { message: { role: "user", parts: [{}] } },
      { message: { role: "user", parts: [{ text: "" }] } },
      { message: { role: "agent", parts: [{ text: "x" }] } },
      { message: { role: "user", parts: [{ text: "a\u0000b" }] } },
      { message: { role: "user", parts: [{ text: "x".repeat(100_001) }] } },
      { message: { role: "user", parts: [{ raw: "not base64!" }] } },
      userMessage("x", { contextId: "c".repeat(201) }),
      { ...userMessage("x"), configuration: { blocking: "yes" } },
      { ...userMessage("x"), configuration: { pushNotificationConfig: { url: "no url" } } },
    ];
    for (const params of wrong) {
      expect(await errorOf(call("message/send", params))).toMatchObject(failing(-32602));
      expect(await errorOf(call("SendMessage", params))).toMatchObject(failing(-32602));
    }
    for (const part of [{}, { raw: "not base64!" }, { kind: "text", text: 5 }]) {
      expect(await errorOf(call("message/send", { message: { parts: [part] } }))).toMatchObject({
        error: { message: "Invalid params: message.parts.0: must have text, data, or a file in base64" },
      });
    }
    const { result } = await rpc(service, agentId, { method: "ListTasks", params: {} });
    expect(result).toMatchObject({ totalSize: 1 });
  },
);

verifies(
  "a2a.error.task-not-found",
  "an unknown task, or another workspace's, is not found by any method",
  async () => {
    const other = await addWorkspace(service.databaseUrl);
    const otherApi = apiOf(service, other.key);
    const otherAgent = (await createAgent(otherApi)).id;
    const foreign = await taskInState(otherApi, { status: "completed", agentId: otherAgent, description: QUICK });
    const key = await addKey(service.databaseUrl, { ...other, kind: "a2a" });
    for (const id of [NOBODY, "no-such-task", foreign.id]) {
      for (const method of [
        "tasks/get",
        "tasks/cancel",
        "tasks/resubscribe",
        "GetTask",
        "CancelTask",
        "SubscribeToTask",
      ]) {
        expect(await errorOf(call(method, { id }))).toMatchObject(failing(-32001));
      }
      expect(await errorOf(call("message/send", userMessage("x", { taskId: id })))).toMatchObject(failing(-32001));
      expect(await errorOf(call("ListTaskPushNotificationConfigs", { taskId: id }))).toMatchObject(failing(-32001));
    }
    const own = await rpc(service, otherAgent, { method: "GetTask", params: { id: foreign.id }, key });
    expect(own.result).toMatchObject({ id: foreign.id });
    for (const agent of [agentId, NOBODY, "x"]) {
      const answer = await rpc(service, agent, { method: "SendMessage", params: userMessage1("x"), key });
      expect(answer.error).toMatchObject({ code: -32602, message: expect.stringContaining("Agent not found") });
    }
  },
);

verifies(
  ["a2a.error.not-cancelable", "a2a.error.unsupported"],
  "in 1.0 an ended task cannot be cancelled, subscribed to, or sent a message by its id",
  async () => {
    for (const method of ["tasks/cancel", "CancelTask"]) {
      expect(await errorOf(call(method, { id: endedId }))).toMatchObject(failing(-32002));
    }
    expect(await errorOf(call("SubscribeToTask", { id: endedId }))).toMatchObject(failing(-32004));
    const answer = await rpc(service, agentId, {
      method: "SendMessage",
      params: userMessage1("x", { taskId: endedId }),
    });
    expect(answer.error?.code).toBe(-32004);
    const info = { "@type": "type.googleapis.com/google.rpc.ErrorInfo", domain: "a2a-protocol.org" };
    expect(answer.error?.data).toEqual([{ ...info, reason: "UNSUPPORTED_OPERATION" }]);
  },
);

verifies("a2a.error.unsupported", "a message for a running task is rejected and not silently lost", async () => {
  const params = { ...userMessage(ENDLESS), configuration: { blocking: false } };
  const { result } = await rpc(service, agentId, { method: "message/send", params });
  const id = String(Object(result)["id"]);
  for (const fields of [{ taskId: id }, { contextId: id }]) {
    expect(await errorOf(call("message/send", userMessage("more", fields)))).toMatchObject(failing(-32004));
  }
  expect(await errorOf(call("message/send", userMessage("x", { taskId: id, contextId: "other" })))).toMatchObject(
    failing(-32602),
  );
  expect(await errorOf(call("tasks/cancel", { id }))).toMatchObject({ result: { status: { state: "canceled" } } });
});

verifies(
  "a2a.error.content-type",
  "a body that is not declared as JSON, and files of unknown types, are rejected",
  async () => {
    const body = call("tasks/get", { id: endedId });
    expect(await errorOf(body, { "content-type": "text/plain" })).toMatchObject(failing(-32005, null));
    expect(await errorOf(body, { "content-type": "application/json; charset=utf-8" })).toMatchObject({
      id: 1,
      result: {},
    });
    const parts = [
      { raw: "dGNr", mediaType: "application/x-unsupported" },
      { kind: "file", file: { bytes: "dGNr", mimeType: "application/x-unsupported" } },
    ];
    for (const part of parts) {
      expect(await errorOf(call("SendMessage", userMessage1("x", { parts: [part] })))).toMatchObject(failing(-32005));
    }
  },
);

verifies("a2a.error.version", "a version that is not supported is rejected, whatever the method", async () => {
  for (const version of ["99.0", "0.2.6", "latest", "1"]) {
    const answer = await errorOf(call("tasks/get", { id: endedId }), { "a2a-version": version });
    expect(answer).toMatchObject(failing(-32009));
  }
  for (const version of ["0.3", "0.3.0", "1.0", "1.0.1"]) {
    expect(await errorOf(call("tasks/get", { id: endedId }), { "a2a-version": version })).toMatchObject({ result: {} });
  }
});

verifies(
  ["a2a.rpc.shape-by-method-name", "a2a.rpc.v1-methods"],
  "the method's name decides the shape of the response, for any version in the header",
  async () => {
    const old = await rpc(service, agentId, {
      method: "tasks/get",
      params: { id: endedId },
      headers: { "a2a-version": "1.0" },
    });
    expect(old.result).toMatchObject({ kind: "task", status: { state: "completed" } });
    const now = await rpc(service, agentId, {
      method: "GetTask",
      params: { id: endedId },
      headers: { "a2a-version": "0.3" },
    });
    expect(now.result).toMatchObject({ status: { state: "TASK_STATE_COMPLETED" } });
    expect(now.result).not.toHaveProperty("kind");
  },
);

verifies(
  ["a2a.rpc.authentication", "auth.a2a.missing-401", "auth.a2a.www-authenticate", "auth.a2a.either-label"],
  "without a valid key the response is 401 before anything is read",
  async () => {
    for (const kind of WRONG_KEYS) {
      const key = kind === "wrong" ? kind : service.keys[kind];
      for (const body of ["{", call("tasks/get", { id: endedId })]) {
        const answer = await post(service, agentId, body, { key });
        expect(answer.status).toBe(401);
        expect(answer.headers.get("www-authenticate")).toContain("Bearer");
        expect(answer.body).toMatchObject({
          jsonrpc: "2.0",
          id: null,
          error: { message: expect.stringContaining("Bearer") },
        });
      }
    }
    expect((await post(service, agentId, call("tasks/get", { id: endedId }), { key: service.keys.agui })).status).toBe(
      200,
    );
  },
);

verifies("a2a.rpc.authentication", "a key that may only read sends nothing and cancels nothing", async () => {
  const me = identity.parse((await apiOf(service, service.keys.api).get("/api-me")).body);
  const owner = { workspaceId: me.workspace_id, ownerId: me.id };
  const key = await addKey(service.databaseUrl, { ...owner, kind: "a2a", scopes: ["read"] });
  expect((await post(service, agentId, call("tasks/get", { id: endedId }), { key })).status).toBe(200);
  for (const [method, params] of [
    ["message/send", userMessage("x")],
    ["SendStreamingMessage", userMessage1("x")],
    ["tasks/cancel", { id: endedId }],
  ] as const) {
    const request = call(method, params);
    const rejected = await post(service, agentId, request, { key });
    expect([rejected.status, rejected.body]).toMatchObject([403, { id: request.id, error: { code: -32000 } }]);
  }
});

verifies(
  "a2a.rpc.body-limit",
  "a message may carry a large file, and a longer body is 413",
  async () => {
    const file = (size: number) => ({ raw: Buffer.alloc(size, "a").toString("base64"), filename: "a.txt" });
    const sent = (size: number) => call("SendMessage", userMessage1("x", { parts: [{ text: QUICK }, file(size)] }));
    expect(await errorOf(sent(5_000_000))).toMatchObject({ result: { task: { status: {} } } });
    const answer = await post(service, agentId, sent(16_000_000));
    expect(answer.status).toBe(413);
    expect(answer.body).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32600 } });
  },
  { tags: "slow" },
);
