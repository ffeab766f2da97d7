import { HttpAgent } from "@ag-ui/client";
import { HttpAgent as HttpAgent0 } from "ag-ui-client-0";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { newId } from "#lib/ids.ts";
import { apiOf, send } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { createDatabase, createKeys, startPeer, startService } from "../../support/service.ts";
import type { TestDatabase, TestService } from "../../support/service.ts";
import { ofRun, readStream, readToEnd } from "../../support/sse-client.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { expectWholeStream, messagesIn, ofType, shapeOf } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, taskIn } from "../../support/work.ts";
import { addWorkspace } from "../../support/workspace.ts";

const NOBODY = "01940000-0000-7000-8000-000000000000";
const NOT_FOUND = { error: "Run not found" };
/** The messages of a turn with a tool, as a client keeps them. */
const TURN = ["assistant", "tool", "assistant"] as const;
const TALK = "Talk.";
/** The model calls a tool that waits for a minute. */
const LONG_TALK = "Talk slowly.";

let provider: ScriptedProvider;
let database: TestDatabase;
let service: TestService;
let other: TestService;
let api: Api;
let agents: readonly string[];
let teamId: string;

beforeAll(async () => {
  provider = await startScriptedProvider(({ body: { messages } }, reply) => {
    const isSlow = messages.some(({ content }) => content?.includes(LONG_TALK));
    if (messages.at(-1)?.role === "tool") reply.say("said");
    else reply.callTool("wait", { seconds: isSlow ? 60 : 0 });
    reply.finish();
  });
  database = await createDatabase();
  const env = { ...provider.env };
  const shared = { databaseUrl: database.url, keys: createKeys(), env };
  [service, other] = [await startService(shared), await startPeer(shared)];
  api = apiOf(service, service.keys.api);
  const fields = { model: "gpt-4o", tools: ["wait"] };
  agents = [
    (await createAgent(api, { name: "Ada", ...fields })).id,
    (await createAgent(api, { name: "Bob", ...fields })).id,
  ];
  teamId = (await createTeam(api, { mode: "collaboration", config: { agent_ids: agents, max_turns: 2 } })).id;
});
afterAll(async () => {
  await Promise.all([service.stop(), other.stop()]);
  await database.drop();
  await provider.close();
});

/** A run that has completed. */
async function ended(): Promise<string> {
  return (await runIn(api, (await startRun(api, teamId, TALK)).id, "completed")).id;
}

function ask(path: string, { key = service.keys.agui, body }: { key?: string; body?: unknown } = {}) {
  return send("POST", `${service.url}/ag-ui${path}`, { headers: { authorization: `Bearer ${key}` }, body });
}

verifies(
  ["ag-ui.runs.stream", "ag-ui.event.order-valid"],
  "a run's stream has its steps, and the texts and tool calls in them with the agent's id",
  async () => {
    const { id } = await startRun(api, teamId, TALK);
    const events = await readToEnd(service, ofRun(id));
    await expectWholeStream(events);
    const turn = ["STEP_STARTED", "TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "TEXT_MESSAGE_START"];
    const said = ["TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "STEP_FINISHED"];
    expect(shapeOf(events)).toEqual(["RUN_STARTED", ...turn, ...said, ...turn, ...said, "RUN_FINISHED"]);
    expect(events[0]?.event).toMatchObject({ threadId: id, runId: id });
    expect(ofType(events, "STEP_STARTED")).toMatchObject([
      { stepName: "Turn 1: Ada", agentId: agents[0] },
      { stepName: "Turn 2: Bob", agentId: agents[1] },
    ]);
    const texts = ofType(events, "TEXT_MESSAGE_START").map(({ stepName }) => stepName);
    expect(texts).toEqual(["Turn 1: Ada", "Turn 2: Bob"]);
    for (const finished of ofType(events, "STEP_FINISHED")) {
      expect(finished).toMatchObject({ tokensUsed: 36, costUsd: expect.closeTo(0.000195, 9) });
    }
    const spoken = events.filter(({ event }) => /^(TEXT|TOOL)/.test(event.type)).map(({ event }) => event["agentId"]);
    expect(new Set(spoken)).toEqual(new Set(agents));
    expect(messagesIn(events)).toEqual(["said", "said"]);
    const { output } = await runIn(api, id, "completed");
    expect(events.at(-1)?.event).toMatchObject({ type: "RUN_FINISHED", threadId: id, result: output });
  },
);

verifies(
  "ag-ui.runs.stream",
  "the stream opens with either kind of key, without a body, or with an empty one",
  async () => {
    const path = `/runs/${await ended()}/sse`;
    const whole = await ask(path);
    expect([whole.status, whole.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
    expect((await ask(path, { key: service.keys.a2a, body: {} })).text).toBe(whole.text);
    const named = await ask(path, { body: { runId: "mine", threadId: "whatever" } });
    expect(named.text.match(/"runId":"mine"/g)).toHaveLength(2);
  },
);

verifies(
  "ag-ui.runs.errors",
  "errors are JSON with one field; another workspace's run gets the response of an unknown one",
  async () => {
    const run = await ended();
    const unauthorized = { error: "Unauthorized — provide Bearer token" };
    for (const key of [service.keys.table, service.keys.mcp, "mst_agui_unknown0000000000"]) {
      const answer = await ask(`/runs/${run}/sse`, { key });
      expect([answer.status, answer.body]).toEqual([401, unauthorized]);
    }
    const stranger = apiOf(service, (await addWorkspace(database.url)).key);
    const theirs = await createTeam(stranger);
    const task = await createTask(api, { assigned_agent_id: agents[0] });
    await taskIn(api, task.id, "completed");
    for (const id of [NOBODY, "nobody", (await startRun(stranger, theirs.id)).id, task.id, teamId]) {
      const answer = await ask(`/runs/${id}/sse`);
      expect([id, answer.status, answer.body]).toEqual([id, 404, NOT_FOUND]);
    }
    for (const body of ["{", "[]", "7", { runId: 7 }]) {
      const answer = await ask(`/runs/${run}/sse`, { body });
      expect([body, answer.status, answer.body]).toEqual([body, 400, { error: expect.any(String) }]);
    }
    const headers = { authorization: `Bearer ${service.keys.agui}` };
    const odd = await send("POST", `${service.url}/ag-ui/runs/${run}/sse`, {
      headers: { ...headers, "last-event-id": "x" },
    });
    expect(odd.status).toBe(400);
    const got = await send("GET", `${service.url}/ag-ui/runs/${run}/sse`, { headers });
    expect([got.status, got.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
    expect((await ask("/runs/sse", { body: { threadId: run } })).body).toEqual({
      error: "Agent not found in workspace",
    });
  },
);

verifies(
  ["ag-ui.runs.resume", "ag-ui.resume.any-process"],
  "a reader continues after any event, on another process too, and a re-run has a stream of its own",
  async () => {
    const id = await ended();
    const whole = await readToEnd(service, ofRun(id));
    for (const { id: seen } of whole.slice(0, -1)) {
      const rest = await readToEnd(other, { ...ofRun(id), lastEventId: seen });
      expect(rest).toEqual(whole.slice(whole.findIndex((event) => event.id === seen) + 1));
    }
    await api.patch(`/api-runs?id=${id}`, { status: "pending" });
    const again = await readToEnd(other, ofRun(id));
    await expectWholeStream(again);
    expect(again[0]).toMatchObject({ id: whole.length + 1, event: { type: "RUN_STARTED", runId: `${id}.2` } });
    const from = await readToEnd(other, { ...ofRun(id), lastEventId: whole.length - 1 });
    expect(from).toEqual(whole.slice(-1));
    expect(await readToEnd(other, { ...ofRun(id), attempt: 1 })).toEqual(whole);
  },
);

verifies(
  ["ag-ui.runs.stream", "ag-ui.event.cancelled-run-ends"],
  "the stream of a run that is cancelled ends with RUN_ERROR, also on another process",
  async () => {
    const { id } = await startRun(api, teamId, LONG_TALK);
    const reader = await readStream(other, ofRun(id));
    await reader.until((events) => ofType(events, "TOOL_CALL_START").length === 1);
    await api.patch(`/api-runs?id=${id}`, { status: "cancelled" });
    expect(await reader.over).toBe("closed");
    await expectWholeStream(reader.events);
    expect(reader.events.at(-1)?.event).toMatchObject({ type: "RUN_ERROR", code: "CANCELLED" });
  },
);

verifies(
  ["ag-ui.runs.stream", "ag-ui.event.cancelled-run-ends"],
  "the stream also ends so when the run is cancelled with its task or its deleted team",
  async () => {
    const team = await createTeam(api, { mode: "collaboration", config: { agent_ids: agents, max_turns: 2 } });
    const task = await createTask(api, { title: LONG_TALK, assigned_team_id: team.id });
    const runs = [
      z.looseObject({ team_run_id: z.uuid() }).parse(task).team_run_id,
      (await startRun(api, team.id, LONG_TALK)).id,
    ];
    const readers = await Promise.all(runs.map((id) => readStream(service, ofRun(id))));
    for (const reader of readers) await reader.until((events) => ofType(events, "TOOL_CALL_START").length === 1);
    await api.patch(`/api-tasks?id=${task.id}`, { status: "cancelled" });
    expect(await readers[0]?.over).toBe("closed");
    await api.delete(`/api-teams?id=${team.id}`);
    expect(await readers[1]?.over).toBe("closed");
    for (const { events } of readers)
      expect(events.at(-1)?.event).toMatchObject({ type: "RUN_ERROR", code: "CANCELLED" });
  },
);

for (const { version, create } of [
  { version: "1.0", create: (url: string, headers: Record<string, string>) => new HttpAgent({ url, headers }) },
  { version: "0.0.59", create: (url: string, headers: Record<string, string>) => new HttpAgent0({ url, headers }) },
] as const) {
  verifies(
    ["ag-ui.runs.standard"],
    `the HttpAgent of @ag-ui/client ${version} reads a run, with its steps and the results of its tools`,
    async () => {
      const { id } = await startRun(api, teamId, TALK);
      const client = create(`${service.url}/ag-ui/runs/${id}/sse`, { authorization: `Bearer ${service.keys.agui}` });
      const steps: string[] = [];
      client.addMessage({ id: newId(), role: "user", content: "ignored" });
      const { result } = await client.runAgent(
        {},
        { onStepStartedEvent: ({ event }) => void steps.push(event.stepName) },
      );
      expect(steps).toEqual(["Turn 1: Ada", "Turn 2: Bob"]);
      expect(result).toBe((await runIn(api, id, "completed")).output);
      expect(client.messages.map(({ role }) => role)).toEqual(["user", ...TURN, ...TURN]);
    },
  );
}
