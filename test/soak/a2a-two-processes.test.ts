import { afterAll, beforeAll, expect } from "vitest";
import { event1, task1 } from "../support/a2a/shapes.ts";
import { openEvents, rpc, streamed, userMessage1 } from "../support/a2a/a2a.ts";
import type { A2aService, OpenEvents } from "../support/a2a/a2a.ts";
import { apiOf, consoleOf } from "../support/api.ts";
import { eventually } from "../support/eventually.ts";
import { callOf } from "../support/interactions.ts";
import { startRemoteAgent } from "../support/a2a/remote-agent.ts";
import type { RemoteAgent } from "../support/a2a/remote-agent.ts";
import { createDatabase, createKeys, startProcess, startService } from "../support/service.ts";
import type { TestDatabase, TestProcess, TestService } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";
import { ENDLESS, createAgent, createTask, readTask, taskIn } from "../support/work.ts";
import { sql } from "../support/workspace.ts";

const ASKING = `${callOf("request_approval", { title: "Continue?" })}\n[[say:all is done now]]`;
const TAKEOVER_MS = 30_000;

const keys = createKeys();
let database: TestDatabase;
let remote: RemoteAgent;
let first: TestProcess;
let second: TestService;
let agentId: string;
let remoteId: string;

const options = () => ({ databaseUrl: database.url, keys, env: { ALLOW_PRIVATE_URLS: "true" } });
const start = () => startProcess(options());

beforeAll(async () => {
  database = await createDatabase();
  [first, remote] = [await start(), await startRemoteAgent({ protocol: "1.0", name: "Translator" })];
  second = await startService(options());
  const tools = ["request_approval", "a2a_delegate", "wait"];
  agentId = (await createAgent(apiOf(first, keys.api), { tools })).id;
  const made = await consoleOf(first, keys.api).post("/remote-agents", { base_url: remote.url });
  remoteId = String(Object(made.body)["id"]);
});
afterAll(async () => {
  await Promise.all([first.stop(), second.stop()]);
  await remote.close();
  await database.drop();
});

/** Opens the stream of a new task; the task's id is in its first event. */
async function stream(
  service: A2aService,
  text: string,
): Promise<{ readonly id: string; readonly events: OpenEvents }> {
  const events = await openEvents(service, agentId, { method: "SendStreamingMessage", params: userMessage1(text) });
  const [begin] = await events.until(() => true);
  return { id: task1.parse(Object(begin?.result)["task"]).id, events };
}

async function stateAt(service: A2aService, id: string): Promise<string> {
  const { result } = await rpc(service, agentId, { method: "GetTask", params: { id } });
  return task1.parse(result).status.state;
}

const subscribed = (service: A2aService, id: string, after?: string) =>
  streamed(service, agentId, {
    method: "SubscribeToTask",
    params: { id },
    ...(after !== undefined && { headers: { "last-event-id": after } }),
  });

const isIn = (state: string) => (result: unknown) => JSON.stringify(result).includes(`"state":"${state}"`);

verifies(
  ["a2a.two-processes.answer", "a2a.stream.same-order"],
  "a stream begun on one process shows the answer that was given on another",
  async () => {
    const { id, events } = await stream(first, ASKING);
    await events.until(isIn("TASK_STATE_INPUT_REQUIRED"));
    const whole = subscribed(first, id);
    const answered = await rpc(second, agentId, { method: "SendMessage", params: userMessage1("yes", { taskId: id }) });
    expect(answered.result).toMatchObject({ task: { id, status: { state: "TASK_STATE_COMPLETED" } } });
    const shown = await whole;
    expect(isIn("TASK_STATE_COMPLETED")(shown.at(-1)?.result)).toBe(true);
    expect(JSON.stringify(shown)).toContain("all is done now");
    events.close();
  },
);

verifies(
  "a2a.two-processes.cancel",
  "a task is cancelled on either process, and its stream on the other ends",
  async () => {
    for (const [at, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const { id, events } = await stream(at, ENDLESS);
      await events.until(isIn("TASK_STATE_WORKING"));
      const { result } = await rpc(other, agentId, { method: "CancelTask", params: { id } });
      expect(task1.parse(result).status.state).toBe("TASK_STATE_CANCELED");
      const rest = await events.until(isIn("TASK_STATE_CANCELED"));
      for (const one of rest) event1.parse(one.result);
      await events.ended;
    }
  },
);

verifies(
  ["a2a.two-processes.kill", "a2a.rpc.tasks-resubscribe"],
  "after a kill a client continues its stream on the other process, without gap, and answers there",
  async () => {
    const { id, events } = await stream(first, ASKING);
    const before = await events.until(isIn("TASK_STATE_INPUT_REQUIRED"));
    const last = before.at(-1)?.eventId ?? "";
    await first.kill();
    await events.ended;
    const rest = subscribed(second, id, last);
    const params = userMessage1("yes", { taskId: id });
    await rpc(second, agentId, { method: "SendMessage", params });
    const after = await rest;
    const ids = [...before.slice(1), ...after.slice(1)].map(({ eventId }) => eventId);
    first = await start();
    const whole = await streamed(first, agentId, { method: "tasks/resubscribe", params: { id } });
    expect(ids).toEqual(whole.slice(1).map(({ eventId }) => eventId));
    expect(await stateAt(first, id)).toBe("TASK_STATE_COMPLETED");
  },
);

verifies(
  "a2a.two-processes.kill",
  "a task whose process was killed is taken over by the other, and its client resubscribes there",
  async () => {
    const { id, events } = await stream(first, '[[tool:wait {"seconds":6}]]\n[[say:survived]]');
    await events.until(isIn("TASK_STATE_WORKING"));
    await first.kill();
    const rest = await subscribed(second, id);
    expect(isIn("TASK_STATE_COMPLETED")(rest.at(-1)?.result)).toBe(true);
    expect(JSON.stringify(rest)).toContain("survived");
    first = await start();
  },
);

/** Starts a task at a process that delegates, and waits until the remote agent's task is known. */
async function delegating(at: TestProcess, message: string): Promise<string> {
  const description = callOf("a2a_delegate", { agent_id: remoteId, message });
  const { id } = await createTask(apiOf(at, keys.api), { assigned_agent_id: agentId, description });
  const known = "select from remote_calls where subject_id = $1 and remote_task_id is not null";
  await eventually("the remote task", async () => (await sql(database.url, known, [id])).length === 1);
  return id;
}

verifies(
  ["a2a-client.two-processes", "a2a-client.restart"],
  "when the delegating process is killed, the other polls the remote task and sends nothing",
  async () => {
    const before = remote.calls.length;
    const id = await delegating(first, "hang");
    await first.kill();
    await eventually(
      "the other process asks for the task",
      () => remote.calls.slice(before).some(({ method }) => method === "GetTask"),
      TAKEOVER_MS,
    );
    remote.finish("done elsewhere");
    await taskIn(apiOf(second, keys.api), id, "completed");
    const calls = remote.calls.slice(before);
    expect(calls.filter(({ text }) => text === "hang")).toHaveLength(1);
    expect(calls.some(({ method }) => method === "CancelTask")).toBe(false);
    first = await start();
  },
);

verifies(
  "a2a-client.two-processes",
  "a remote agent's question is answered on the other process, and a delegation is cancelled there",
  async () => {
    const asking = await delegating(first, "ask Which language?");
    await taskIn(apiOf(second, keys.api), asking, "waiting_for_input");
    const answer = userMessage1("Latin", { taskId: asking });
    const { result } = await rpc(second, agentId, { method: "SendMessage", params: answer });
    expect(result).toMatchObject({ task: { status: { state: "TASK_STATE_COMPLETED" } } });
    expect(remote.calls.filter(({ text }) => text === "Latin")).toHaveLength(1);

    const id = await delegating(first, "hang");
    await rpc(second, agentId, { method: "CancelTask", params: { id } });
    await eventually("the remote task is cancelled", () => remote.calls.at(-1)?.method === "CancelTask");
    expect(await readTask(apiOf(first, keys.api), id)).toMatchObject({ status: "cancelled" });
  },
);
