import { afterAll, beforeAll, expect } from "vitest";
import { event0, event1 } from "../../support/a2a/shapes.ts";
import { post, rpc, streamed, userMessage, userMessage1 } from "../../support/a2a/a2a.ts";
import { apiOf } from "../../support/api.ts";
import { callOf } from "../../support/interactions.ts";
import { startPeer } from "../../support/service.ts";
import type { TestAccess, TestService } from "../../support/service.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, QUICK, createAgent } from "../../support/work.ts";

const TOOL_THEN_SAY = '[[tool:wait {"seconds":0}]]\n[[say:all is done now]]';

let service: SharedService;
let other: TestService;
let agentId: string;

beforeAll(async () => {
  service = await useSharedService();
  other = await startPeer({ databaseUrl: service.databaseUrl, keys: service.keys });
  const tools = ["wait", "request_input"];
  agentId = (await createAgent(apiOf(service, service.keys.api), { tools })).id;
});
afterAll(async () => {
  await other.stop();
});

type Event1 = ReturnType<typeof event1.parse>;

const stateIn = (event: Event1 | undefined): string | undefined => {
  if (event === undefined || "artifactUpdate" in event) return undefined;
  return "task" in event ? event.task.status.state : event.statusUpdate.status.state;
};

/** The text of the artifact `result` as a client puts it together. */
function textOf(events: readonly Event1[]): string {
  let text = "";
  for (const event of events) {
    if (!("artifactUpdate" in event)) continue;
    const { artifact, append } = event.artifactUpdate;
    const chunk = artifact.parts.map((part) => ("text" in part ? part.text : "")).join("");
    text = append === true ? text + chunk : chunk;
  }
  return text;
}

async function start(text: string): Promise<string> {
  const params = { ...userMessage1(text), configuration: { returnImmediately: true } };
  const { result } = await rpc(service, agentId, { method: "SendMessage", params });
  return String(Object(Object(result)["task"])["id"]);
}

verifies(
  ["a2a.rpc.message-stream", "a2a.rpc.v1-methods"],
  "a stream has the task, its progress and its end, in the shapes of both versions",
  async () => {
    const newer = await streamed(service, agentId, {
      method: "SendStreamingMessage",
      params: userMessage1(TOOL_THEN_SAY),
    });
    const events = newer.map(({ result }) => event1.parse(result));
    expect(events[0]).toHaveProperty("task");
    expect(events.slice(1).every((event) => !("task" in event))).toBe(true);
    expect(stateIn(events.at(-1))).toBe("TASK_STATE_COMPLETED");
    expect(textOf(events)).toBe("all is done now");
    expect(JSON.stringify(events)).toContain("Using the tool wait.");

    const older = await streamed(service, agentId, { method: "message/stream", params: userMessage(TOOL_THEN_SAY) });
    const shapes = older.map(({ result }) => event0.parse(result));
    expect(shapes[0]).toMatchObject({ kind: "task" });
    expect(shapes.at(-1)).toMatchObject({ kind: "status-update", final: true, status: { state: "completed" } });
    expect(shapes.filter((event) => event.kind === "status-update" && event.final)).toHaveLength(1);
  },
);

verifies(
  ["a2a.rpc.tasks-resubscribe", "a2a.stream.same-order"],
  "every subscriber gets the task and the same changes in the same order, on any process, however late",
  async () => {
    const id = await start(callOf("request_input", { title: "Continue?" }));
    const subscribe = (at: TestAccess) => streamed(at, agentId, { method: "SubscribeToTask", params: { id } });
    const early = [subscribe(service), subscribe(other)];
    await expect
      .poll(async () => stateOf((await rpc(other, agentId, { method: "GetTask", params: { id } })).result))
      .toBe("TASK_STATE_INPUT_REQUIRED");
    const late = subscribe(other);
    const params = userMessage1("yes", { taskId: id });
    await rpc(other, agentId, { method: "SendMessage", params });
    const [first, ...rest] = await Promise.all([...early, late]);
    if (first === undefined) throw new Error("There is no stream.");
    const changes = first.slice(1);
    expect(stateIn(event1.parse(changes.at(-1)?.result))).toBe("TASK_STATE_COMPLETED");
    for (const stream of rest) expect(stream.slice(1)).toEqual(changes);
    const ended = await streamed(other, agentId, { method: "tasks/resubscribe", params: { id } });
    expect(ended.slice(1).map(({ eventId }) => eventId)).toEqual(changes.map(({ eventId }) => eventId));
    // Whoever reads no further than the end of the task has its result.
    const result = [{ artifactId: "result", parts: [{ kind: "text", text: expect.stringContaining("Demo model") }] }];
    expect(ended[0]?.result).toMatchObject({ kind: "task", status: { state: "completed" }, artifacts: result });
  },
);

function stateOf(task: unknown): unknown {
  return Object(Object(task)["status"])["state"];
}

verifies("a2a.rpc.tasks-resubscribe", "a stream continues after the last event that its reader has", async () => {
  const params = userMessage(TOOL_THEN_SAY);
  const whole = await streamed(service, agentId, { method: "message/stream", params });
  const id = event0.parse(whole[0]?.result).kind === "task" ? Object(whole[0]?.result)["id"] : undefined;
  for (const [index, { eventId }] of whole.entries()) {
    const headers = { "last-event-id": eventId };
    const rest = await streamed(other, agentId, { method: "tasks/resubscribe", params: { id }, headers });
    expect(rest.slice(1)).toEqual(whole.slice(index + 1));
  }
  for (const eventId of ["x", "-1", "1.x", "1e3", "9999", "9999.1"]) {
    const body = { jsonrpc: "2.0", id: 7, method: "tasks/resubscribe", params: { id } };
    const answer = await post(service, agentId, body, { headers: { "last-event-id": eventId } });
    expect(answer.body).toMatchObject({ error: { code: -32602 } });
  }
});

verifies(
  "a2a.rpc.blocking",
  "a blocking message on one process ends when the task is cancelled on another",
  async () => {
    const contextId = crypto.randomUUID();
    const params = userMessage1(ENDLESS, { contextId });
    const blocked = rpc(service, agentId, { method: "SendMessage", params });
    const list = async () => {
      const { result } = await rpc(other, agentId, { method: "ListTasks", params: { contextId } });
      return Object(Object(result)["tasks"]?.[0])["id"];
    };
    await expect.poll(list).toBeDefined();
    await rpc(other, agentId, { method: "CancelTask", params: { id: await list() } });
    expect((await blocked).result).toMatchObject({ task: { status: { state: "TASK_STATE_CANCELED" } } });
  },
);

verifies("a2a.rpc.message-stream", "an invalid message returns an error and starts no stream", async () => {
  for (const method of ["message/stream", "SendStreamingMessage"]) {
    const answer = await post(service, agentId, { jsonrpc: "2.0", id: 1, method, params: {} });
    expect(answer.headers.get("content-type")).toContain("application/json");
    expect(answer.body).toMatchObject({ id: 1, error: { code: -32602 } });
  }
  expect((await rpc(service, agentId, { method: "SendMessage", params: userMessage1(QUICK) })).error).toBeUndefined();
});
