import { HttpAgent } from "@ag-ui/client";
import { EventSchemas } from "@ag-ui/core/schemas";
import { HttpAgent as HttpAgent0 } from "ag-ui-client-0";
import { Client } from "pg";
import { beforeAll, expect, test, vi } from "vitest";
import { newId } from "#lib/ids.ts";
import { apiOf, fieldsOf, listOf, send } from "../../support/api.ts";
import type { Answer, Api } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { questionOf, respond } from "../../support/interactions.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { eventsIn, hasEnded, ofRun, readStream, readToEnd } from "../../support/sse-client.ts";
import { ofType } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, QUICK, createAgent, readTask, stopTask, taskInState } from "../../support/work.ts";
import { addKey, addWorkspace } from "../../support/workspace.ts";

const TOOL_THEN_SAY = '[[tool:wait {"seconds":0}]]\n[[say:all done]]';
const ASK = '[[tool:request_choice {"title":"What?","choices":[{"id":"tea","label":"Tea"}]}]]';
const STANDARD_FIELDS = {
  RUN_STARTED: ["threadId", "runId"],
  TEXT_MESSAGE_START: ["messageId", "role"],
  TEXT_MESSAGE_CONTENT: ["messageId", "delta"],
  TEXT_MESSAGE_END: ["messageId"],
  TOOL_CALL_START: ["toolCallId", "toolCallName"],
  TOOL_CALL_ARGS: ["toolCallId", "delta"],
  TOOL_CALL_END: ["toolCallId"],
  TOOL_CALL_RESULT: ["messageId", "toolCallId", "content", "role"],
  RUN_FINISHED: ["threadId", "runId", "result", "usage"],
} as const;

let service: SharedService;
let api: Api;
let agentId: string;

beforeAll(async () => {
  service = await useSharedService();
  api = apiOf(service, service.keys.api);
  agentId = (await createAgent(api)).id;
});

function ask(input: object, { agent = agentId, key = service.keys.agui, headers = {} } = {}): Promise<Answer> {
  const all = { authorization: `Bearer ${key}`, ...headers };
  return send("POST", `${service.url}/ag-ui/${agent}/sse`, { headers: all, body: input });
}

function says(threadId: string | undefined, content: string, id: string = newId()) {
  const messages = [{ id, role: "user", content }];
  return { threadId, runId: newId(), state: {}, messages, tools: [], context: [], forwardedProps: {} };
}

/** The tasks of an agent, newest first. */
async function tasksOf(agent: string): Promise<Record<string, unknown>[]> {
  return listOf(await api.get("/api-tasks?limit=200")).filter((task) => task["assigned_agent_id"] === agent);
}

verifies(
  ["ag-ui.standard.any-thread-id", "ag-ui.standard.follow-up"],
  "any text is a thread: one task, which a second message runs again and the contract's dialect reads",
  async () => {
    const { id: agent } = await createAgent(api);
    for (const threadId of ["my thread / 1", "0".repeat(32), "x".repeat(200), "Grüße 🎉"]) {
      const first = eventsIn(await ask(says(threadId, QUICK), { agent }));
      expect(first[0]).toMatchObject({ type: "RUN_STARTED", threadId });
      expect(first.at(-1)).toMatchObject({ type: "RUN_FINISHED", threadId, result: "done" });
      const [task] = await tasksOf(agent);
      await ask(says(threadId, "[[slow:0]][[say:again]]"), { agent });
      expect(await readTask(api, String(task?.["id"]))).toMatchObject({ attempt: 2, result: "again" });
      const plain = eventsIn(await ask({ threadId }, { agent }));
      expect(plain.at(-1)).toMatchObject({ type: "RUN_FINISHED", threadId: task?.["id"], result: "again" });
    }
    expect(await tasksOf(agent)).toHaveLength(4);
  },
);

verifies("ag-ui.standard.any-thread-id", "agents share no thread: the same id is a task of each", async () => {
  const other = (await createAgent(api)).id;
  for (const threadId of ["shared", newId(), newId().toUpperCase()]) {
    for (const agent of [agentId, other]) {
      const events = eventsIn(await ask(says(threadId, QUICK), { agent }));
      expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", threadId });
    }
  }
  expect(await tasksOf(other)).toHaveLength(3);
});

verifies("ag-ui.standard.any-thread-id", "a new thread, started several times concurrently, is one task", async () => {
  const { id: agent } = await createAgent(api);
  const input = says("at once", QUICK);
  const answers = await Promise.all([ask(input, { agent }), ask(input, { agent }), ask(input, { agent })]);
  for (const answer of answers) expect(eventsIn(answer).at(-1)).toMatchObject({ type: "RUN_FINISHED" });
  expect(await tasksOf(agent)).toHaveLength(1);
});

verifies("ag-ui.standard.any-thread-id", "such a thread takes an answer and is deleted with its task", async () => {
  const { id: agent } = await createAgent(api, { tools: ["request_choice"] });
  const running = ask(says("asks", ASK), { agent });
  const task = await taskOf(agent, "waiting_for_input");
  const { interactionId, reader } = await questionOf(service, { agentId: agent, taskId: task });
  const answer = await respond(service, { agentId: agent, taskId: "asks" }, { interactionId, selectedOptionId: "tea" });
  expect([answer.status, answer.body]).toEqual([200, { ok: true, interactionId }]);
  expect(eventsIn(await running).at(-1)).toMatchObject({ outcome: { type: "interrupt" } });
  expect(await reader.over).toBe("closed");
  const events = eventsIn(await ask({ threadId: "asks", messages: [] }, { agent }));
  expect(events.find(({ name }) => name === "INTERACTION_REQUEST")).toMatchObject({ value: { threadId: "asks" } });
  expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", threadId: "asks" });
  await api.delete(`/api-tasks?id=${task}`);
  expect((await ask({ threadId: "asks" }, { agent })).status).toBe(404);
});

/** Waits until an agent's newest task is in a state and returns its id. */
function taskOf(agent: string, status: string): Promise<string> {
  return eventually(`the agent has a task that is ${status}`, async () => {
    const [task] = await tasksOf(agent);
    return task?.["status"] === status && String(task["id"]);
  });
}

verifies("ag-ui.standard.thread-id-made", "a message without a threadId starts a thread with an id", async () => {
  const events = eventsIn(await ask(says(undefined, QUICK)));
  const threadId = String(events[0]?.["threadId"]);
  expect(await readTask(api, threadId)).toMatchObject({ status: "completed", result: "done" });
  expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", threadId });
});

verifies(
  "ag-ui.standard.hides-foreign-ids",
  "ids of foreign, deleted and unknown tasks and runs get the same response",
  async () => {
    const task = await taskInState(api, { agentId, status: "completed", description: QUICK });
    const config = { steps: [{ agent_id: agentId }] };
    const team = fieldsOf(await api.post("/api-teams", { name: "T", mode: "pipeline", config }));
    const run = fieldsOf(await api.post("/api-runs", { team_id: team["id"], input_task: QUICK }));
    const deleted = await taskInState(api, { agentId, status: "running", description: ENDLESS });
    await api.delete(`/api-tasks?id=${deleted.id}`);
    const other = await addWorkspace(service.databaseUrl);
    const key = await addKey(service.databaseUrl, { ...other, kind: "ag-ui" });
    const agent = (await createAgent(apiOf(service, other.key))).id;
    const named = [task.id, String(run["id"]), deleted.id, newId()];
    const answers = await Promise.all(named.map((id) => ask(says(id, QUICK), { agent, key })));
    const shapes = answers.map((answer, index) => [
      answer.status,
      [...answer.headers.keys()].filter((header) => !header.startsWith("x-ratelimit")),
      eventsIn(answer).map(({ type, threadId }) => [type, threadId === named[index]]),
    ]);
    expect(shapes.every((shape) => JSON.stringify(shape) === JSON.stringify(shapes.at(-1)))).toBe(true);
    expect(shapes.at(-1)?.[0]).toBe(200);
    const found = await Promise.all(named.map((id) => apiOf(service, other.key).get(`/api-tasks?id=${id}`)));
    expect(found.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    // Only an id that no task and no run has becomes the task's own.
    expect(found.map((answer, index) => fieldsOf(answer)["id"] === named[index])).toEqual([false, false, true, true]);
    expect(await readTask(api, task.id)).toEqual(task);
    expect((await readToEnd(service, ofRun(String(run["id"])))).at(-1)?.event).toMatchObject({ type: "RUN_FINISHED" });
  },
);

const clients = [
  { version: "1.0", create: (url: string, headers: Record<string, string>) => new HttpAgent({ url, headers }) },
  { version: "0.0.59", create: (url: string, headers: Record<string, string>) => new HttpAgent0({ url, headers }) },
] as const;
for (const { version, create } of clients) {
  verifies(
    ["ag-ui.standard.own-fields", "ag-ui.standard.http-agent"],
    `@ag-ui/client ${version} finds nothing to remove from a run or a team's run`,
    async () => {
      const warn = vi.spyOn(console, "warn");
      const config = { steps: [{ agent_id: agentId }, { agent_id: agentId }] };
      const team = fieldsOf(await api.post("/api-teams", { name: "T", mode: "pipeline", config }));
      const run = fieldsOf(await api.post("/api-runs", { team_id: team["id"], input_task: TOOL_THEN_SAY }));
      const headers = { authorization: `Bearer ${service.keys.agui}` };
      for (const path of [agentId, `runs/${String(run["id"])}`]) {
        const client = create(`${service.url}/ag-ui/${path}/sse`, headers);
        client.addMessage({ id: newId(), role: "user", content: TOOL_THEN_SAY });
        expect((await client.runAgent()).result).toBe("all done");
      }
      expect(warn.mock.calls).toEqual([]);
      warn.mockRestore();
    },
  );
}

verifies("ag-ui.standard.own-fields", "every event has exactly AG-UI's fields, and no unknown one", async () => {
  const events = eventsIn(await ask(says(newId(), TOOL_THEN_SAY)));
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(Object.keys(STANDARD_FIELDS)));
  for (const { type, timestamp, ...fields } of events) {
    expect([type, Object.keys(fields).toSorted()]).toEqual([
      type,
      [...(Object.entries(STANDARD_FIELDS).find(([name]) => name === type)?.[1] ?? [])].toSorted(),
    ]);
    expect(EventSchemas.safeParse({ type, timestamp, ...fields }).error?.message).toBeUndefined();
  }
});

verifies(
  "ag-ui.standard.busy-409",
  "a new message is 409 while the agent works or waits, and accepted after the run has ended",
  async () => {
    const { id: agent } = await createAgent(api, { tools: ["wait", "request_choice"] });
    const working = newId();
    const first = says(working, ENDLESS);
    const streams = [ask(first, { agent })];
    expect(await taskOf(agent, "running")).toBe(working);
    const refused = await ask(says(working, "more"), { agent });
    expect([refused.status, refused.body]).toEqual([
      409,
      { error: "The thread accepts no message while its task is running. Send it when the run has ended." },
    ]);
    streams.push(ask(first, { agent }));
    await stopTask(api, working);
    for (const stream of streams) expect(eventsIn(await stream).at(-1)).toMatchObject({ type: "RUN_ERROR" });
    expect(eventsIn(await ask(says(working, QUICK), { agent })).at(-1)).toMatchObject({ result: "done" });

    const waiting = newId();
    const asked = ask(says(waiting, ASK), { agent });
    expect(await taskOf(agent, "waiting_for_input")).toBe(waiting);
    const early = await ask(says(waiting, "tea"), { agent });
    expect([early.status, early.body]).toEqual([
      409,
      {
        error:
          "The thread accepts no message while its task is waiting_for_input. Answer the agent's question, or send the results of your tools, first.",
      },
    ]);
    await stopTask(api, waiting);
    await asked;
  },
);

test("a viewer follows a run with its original message, and posts none", async () => {
  const other = await addWorkspace(service.databaseUrl);
  const [writes, reads] = await Promise.all([
    addKey(service.databaseUrl, { ...other, kind: "ag-ui" }),
    addKey(service.databaseUrl, { ...other, kind: "ag-ui", scopes: ["read"] }),
  ]);
  const agent = (await createAgent(apiOf(service, other.key))).id;
  const input = says("shared", QUICK);
  await ask(input, { agent, key: writes });
  expect(eventsIn(await ask(input, { agent, key: reads })).at(-1)).toMatchObject({ type: "RUN_FINISHED" });
  const refused = await ask(says("shared", "more"), { agent, key: reads });
  expect([refused.status, refused.body]).toEqual([403, { error: "This key has no write scope." }]);
});

verifies(
  ["ag-ui.resume.nothing-left", "ag-ui.resume.beyond-end"],
  "the last event's id is 204 once the log is closed, and one beyond it is 400, in both dialects",
  async () => {
    const task = await taskInState(api, { agentId, status: "completed", description: QUICK });
    const events = await readToEnd(service, { agentId, taskId: task.id });
    const last = events.at(-1)?.id ?? 0;
    for (const body of [
      { threadId: task.id },
      { threadId: task.id, messages: [] },
      { threadId: task.id, attempt: 1 },
    ]) {
      const done = await ask(body, { headers: { "last-event-id": String(last) } });
      expect([done.status, done.text]).toEqual([204, ""]);
      const beyond = await ask(body, { headers: { "last-event-id": String(last + 1) } });
      expect([beyond.status, beyond.body]).toEqual([
        400,
        { error: `Last-Event-ID is beyond the last event of this task (${last})` },
      ]);
      const before = await ask(body, { headers: { "last-event-id": String(last - 1) } });
      expect(eventsIn(before)).toHaveLength(1);
    }
  },
);

verifies("ag-ui.resume.nothing-left", "the last event of an open log is no end: the stream stays open", async () => {
  const task = await taskInState(api, { agentId, status: "running", description: ENDLESS });
  const reader = await readStream(service, { agentId, taskId: task.id });
  await reader.until((events) => ofType(events, "TOOL_CALL_ARGS").length > 0);
  const rest = await readStream(service, { agentId, taskId: task.id, lastEventId: reader.events.at(-1)?.id ?? 0 });
  await stopTask(api, task.id);
  await rest.until(hasEnded);
  expect(await rest.over).toBe("closed");
});

verifies(
  "ag-ui.sse.threads-start-together",
  "a thread starts while another of its agent is being created",
  async () => {
    const { id: agent } = await createAgent(api);
    const other = new Client({ connectionString: service.databaseUrl });
    await other.connect();
    try {
      await other.query("begin");
      // The lock that the reference of another new task holds until it is committed.
      await other.query("select from agents where id = $1 for key share", [agent]);
      expect(eventsIn(await ask(says(undefined, QUICK), { agent })).at(-1)).toMatchObject({ type: "RUN_FINISHED" });
    } finally {
      await other.end();
    }
  },
);
