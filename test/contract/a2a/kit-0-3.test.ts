import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { hybridCard, task0 } from "../../support/a2a/shapes.ts";
import { KIT_0_3 } from "../../support/a2a/kit.ts";
import { post, rpc, userMessage } from "../../support/a2a/a2a.ts";
import { apiOf, send } from "../../support/api.ts";
import type { Answer } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, QUICK, createAgent } from "../../support/work.ts";

let service: SharedService;
let agentId: string;

beforeAll(async () => {
  service = await useSharedService();
  const fields = { is_a2a_published: true, tools: ["request_approval"] };
  agentId = (await createAgent(apiOf(service, service.keys.api), fields)).id;
});

const call = (method: string, params: object) => rpc(service, agentId, { method, params });
const codeOf = async (method: string, params: object) => (await call(method, params)).error?.code;
const request = (method: string, params: object) => ({ jsonrpc: "2.0", id: "r1", method, params });
const card = () => send("GET", `${service.url}/a2a/${agentId}/.well-known/agent-card.json`, {});

async function answerOf(body: unknown): Promise<unknown> {
  const answer = await post(service, agentId, body);
  expect(answer.status).toBe(200);
  return answer.body;
}

async function sendMessage(text: string, fields: object = {}, configuration: object = {}) {
  const { result, error } = await call("message/send", { ...userMessage(text, { ...fields }), configuration });
  if (error !== undefined) throw new Error(error.message);
  return task0.parse(result);
}

function expectUnauthorized(answer: Answer): void {
  expect(answer.status).toBe(401);
  expect(answer.headers.get("www-authenticate")).toContain("Bearer");
}

const failing = (code: number, id: unknown = "r1") => ({ jsonrpc: "2.0", id, error: { code } });

const CHECKS = {
  "json-rpc.malformed": async () => {
    for (const text of ['{"jsonrpc":"2.0","method":"message/send","params":{"a":"b"}', '{"jsonrpc":']) {
      expect(await answerOf(text)).toMatchObject(failing(-32700, null));
    }
  },
  "json-rpc.invalid-request": async () => {
    const right = request("message/send", userMessage(QUICK));
    for (const change of [{ jsonrpc: "1.0" }, { jsonrpc: "aaa" }, { jsonrpc: undefined }, { method: undefined }]) {
      expect(await answerOf({ ...right, ...change })).toMatchObject(failing(-32600));
    }
    for (const id of [{ bad: "type" }, [1], true]) {
      expect(await answerOf({ ...right, id })).toMatchObject(failing(-32600, null));
    }
    expect(await answerOf([right, right])).toMatchObject(failing(-32600, null));
    expect(await answerOf([])).toMatchObject(failing(-32600, null));
  },
  "json-rpc.unknown-method": async () =>
    expect(await answerOf(request("nonexistent/method", {}))).toMatchObject(failing(-32601)),
  "json-rpc.invalid-params": async () => {
    for (const params of [{ message: { parts: "invalid" } }, { "": "not_a_dict" }]) {
      expect(await answerOf(request("message/send", params))).toMatchObject(failing(-32602));
    }
  },
  "json-rpc.duplicate-ids": async () => {
    for (const text of [QUICK, "[[say:another]]"]) {
      expect(await answerOf(request("message/send", userMessage(text)))).toMatchObject({ id: "r1", result: {} });
    }
  },
  "message-send.text": async () => expect((await sendMessage(QUICK)).status.state).toBe("completed"),
  "message-send.invalid": async () =>
    expect(await codeOf("message/send", { message: { kind: "message" } })).toBe(-32602),
  "message-send.parts": async () => {
    expect(await codeOf("message/send", userMessage("", { parts: [] }))).toBe(-32602);
    const long = await call("message/send", userMessage("A".repeat(1_048_576)));
    expect(long.error).toMatchObject({ code: -32602, message: expect.stringContaining("at most") });
    const text = "你好, здравствуйте, مرحبا, こんにちは \t\b\f\r\n";
    const nulls = { taskId: null, contextId: null, metadata: null, _extra: { a: 1 } };
    const { id } = await sendMessage(`[[say:done]] ${text}`, nulls);
    const { result } = await call("tasks/get", { id, historyLength: 2_147_483_647 });
    expect(JSON.stringify(task0.parse(result).history)).toContain(JSON.stringify(text).slice(1, -1).trimEnd());
  },
  "message-send.continue": async () => {
    const { id } = await sendMessage(QUICK);
    expect(await sendMessage(QUICK, { taskId: id })).toMatchObject({ id, status: { state: "completed" } });
  },
  "tasks-get.valid": async () => {
    const task = await sendMessage(QUICK);
    expect(task0.parse((await call("tasks/get", { id: task.id })).result)).toEqual(task);
  },
  "tasks-get.history": async () => {
    const { id } = await sendMessage(QUICK);
    for (const _ of [1, 2, 3]) await sendMessage(QUICK, { taskId: id });
    for (const historyLength of [1, 2]) {
      const { result } = await call("tasks/get", { id, historyLength });
      expect(task0.parse(result).history).toHaveLength(historyLength);
    }
    expect(await codeOf("tasks/get", { id, historyLength: -1 })).toBe(-32602);
  },
  "tasks-get.unknown": async () => expect(await codeOf("tasks/get", { id: "nonexistent-task-id" })).toBe(-32001),
  "tasks-cancel.valid": async () => {
    const { id } = await sendMessage(ENDLESS, {}, { blocking: false });
    expect(task0.parse((await call("tasks/cancel", { id })).result).status.state).toBe("canceled");
  },
  "tasks-cancel.unknown": async () => expect(await codeOf("tasks/cancel", { id: "nonexistent" })).toBe(-32001),
  "tasks-cancel.terminal": async () => {
    const { id } = await sendMessage(QUICK);
    expect(await codeOf("tasks/cancel", { id })).toBe(-32002);
  },
  "tasks-list.pages": async () => {
    for (const _ of [1, 2]) await sendMessage(QUICK);
    const { result } = await call("tasks/list", { pageSize: 1 });
    expect(result).toMatchObject({
      tasks: [{ kind: "task" }],
      pageSize: 1,
      totalSize: expect.any(Number),
      nextPageToken: expect.stringMatching(/./),
    });
    const { result: none } = await call("tasks/list", { contextId: "of-no-task" });
    expect(none).toEqual({ tasks: [], pageSize: 0, totalSize: 0, nextPageToken: "" });
    const { result: all } = await call("tasks/list", { historyLength: 3, includeArtifacts: true, lastUpdatedAfter: 0 });
    const { tasks, pageSize } = z.object({ tasks: z.array(task0), pageSize: z.int() }).parse(all);
    expect(tasks).toHaveLength(pageSize);
    for (const { history = [] } of tasks) expect(history.length).toBeLessThanOrEqual(3);
  },
  "tasks-list.invalid": async () => {
    const wrong = [{ pageSize: 0 }, { pageSize: -1 }, { pageSize: 101 }, { pageToken: "invalid-token" }];
    for (const params of [...wrong, { status: "INVALID" }, { historyLength: -1 }, { lastUpdatedAfter: -1 }]) {
      expect(await codeOf("tasks/list", params)).toBe(-32602);
    }
  },
  "card.available": async () => {
    const { status, headers } = await card();
    expect([status, headers.get("content-type")]).toEqual([200, expect.stringContaining("application/json")]);
  },
  "card.fields": async () => void hybridCard.parse((await card()).body),
  "card.no-secrets": async () => expect((await card()).text).not.toMatch(/mst_|credential|password|api[_-]?key/i),
  "card.extended": async () => {
    const method = "agent/getAuthenticatedExtendedCard";
    void hybridCard.parse((await call(method, {})).result);
    expectUnauthorized(await post(service, agentId, request(method, {}), { key: "wrong" }));
  },
  "auth.missing": async () =>
    expectUnauthorized(
      await send("POST", `${service.url}/a2a/${agentId}`, { body: request("tasks/get", { id: "x" }) }),
    ),
  "auth.wrong": async () =>
    expectUnauthorized(await post(service, agentId, request("tasks/get", { id: "x" }), { key: "mst_a2a_wrong" })),
  "errors.content-type": async () => {
    const file = { name: "x.unsupported", mimeType: "application/x-totally-unsupported", bytes: "VGVzdA==" };
    expect(await codeOf("message/send", userMessage("", { parts: [{ kind: "file", file }] }))).toBe(-32005);
  },
} satisfies Readonly<Record<keyof typeof KIT_0_3, () => Promise<void>>>;

for (const [id, check] of Object.entries(CHECKS)) {
  verifies("a2a.tck.0-3", `${id}: ${new Map(Object.entries<string>(KIT_0_3)).get(id)}`, check);
}
