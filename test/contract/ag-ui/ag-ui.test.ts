import { beforeAll, expect, test } from "vitest";
import { send } from "../../support/api.ts";
import { openAiAgent, setStatus, startTask, taskEnd } from "../../support/runs.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import { startService } from "../../support/service.ts";
import { readStream, readToEnd } from "../../support/sse-client.ts";
import type { StreamReader } from "../../support/sse-client.ts";
import { WORDS, gatedScript, openStreamScene } from "../../support/stream-scene.ts";
import type { StreamScene } from "../../support/stream-scene.ts";
import { expectWholeStream, ofType, withJoinedText } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

const SECOND = 1_000;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What a process does whose notifications are lost. */
const APPEND_UNHEARD = `
  with head as (update task_streams set last_seq = last_seq + 1 where log_id = $1 returning *)
  insert into task_events (log_id, seq, workspace_id, attempt, event)
  select log_id, last_seq, workspace_id, attempt, '{"type":"STEP_STARTED","stepName":"unheard","timestamp":1}' from head`;

let scene: StreamScene;
/** A run that has begun and says nothing, and its stream. */
let quietTaskId: string;
let quiet: StreamReader;

beforeAll(async () => {
  scene = await openStreamScene();
  const { service, agentId } = scene;
  quietTaskId = await startTask(service, agentId, { title: "hangs" });
  quiet = await readStream(service, { agentId, taskId: quietTaskId });
});

verifies(
  [
    "ag-ui.sse.content-type",
    "ag-ui.sse.framing",
    "ag-ui.sse.thread-is-task",
    "ag-ui.sse.closes-at-end",
    "ag-ui.resume.event-ids",
    "ag-ui.event.type-and-timestamp",
    "ag-ui.event.timestamp-unix-seconds",
    "ag-ui.event.no-nulls",
    "ag-ui.event.run-started",
    "ag-ui.event.text-start",
    "ag-ui.event.text-content",
    "ag-ui.event.text-content-both-names",
    "ag-ui.event.text-end",
    "ag-ui.event.tool-start",
    "ag-ui.event.tool-args",
    "ag-ui.event.tool-end",
    "ag-ui.event.run-finished",
    "ag-ui.event.nothing-after-end",
    "ag-ui.event.order-valid",
    "names.path.ag-ui",
  ],
  "a run with a tool streams exactly these events with exactly these fields, and closes",
  async () => {
    const began = Math.floor(Date.now() / 1000);
    const taskId = await startTask(scene.service, scene.agentId, { title: "asks a tool" });
    const reader = await readStream(scene.service, { agentId: scene.agentId, taskId });
    expect(reader.response.headers.get("content-type")).toMatch(/^text\/event-stream\b/);
    expect(await reader.over).toBe("closed");
    await expectWholeStream(reader.events);

    const ended = Math.floor(Date.now() / 1000);
    for (const { event } of reader.events) {
      expect(event.timestamp).toBeGreaterThanOrEqual(began);
      expect(event.timestamp).toBeLessThanOrEqual(ended);
    }
    const [first, second] = ofType(reader.events, "TEXT_MESSAGE_START").map((event) => event["messageId"]);
    const result = ofType(reader.events, "TOOL_CALL_END")[0]?.["result"];
    expect([first, second, result]).toEqual([
      expect.stringMatching(UUID),
      expect.stringMatching(UUID),
      expect.stringContaining("UTC"),
    ]);
    const ids = { threadId: taskId, runId: taskId };
    const tool = { toolCallId: "call_0_0" };
    const usage = [{ provider: "openai", model: "gpt-4o", inputTokens: 22, outputTokens: 14, totalTokens: 36 }];
    const expected = [
      { type: "RUN_STARTED", ...ids },
      { type: "TEXT_MESSAGE_START", messageId: first, role: "assistant" },
      { type: "TEXT_MESSAGE_CONTENT", messageId: first, delta: "Let me look.", content: "Let me look." },
      { type: "TEXT_MESSAGE_END", messageId: first },
      { type: "TOOL_CALL_START", ...tool, toolCallName: "current_time", toolName: "current_time" },
      { type: "TOOL_CALL_ARGS", ...tool, delta: '{"time_zone":"UTC"}' },
      { type: "TOOL_CALL_END", ...tool, result },
      { type: "TEXT_MESSAGE_START", messageId: second, role: "assistant" },
      { type: "TEXT_MESSAGE_CONTENT", messageId: second, delta: WORDS.join(""), content: WORDS.join("") },
      { type: "TEXT_MESSAGE_END", messageId: second },
      { type: "RUN_FINISHED", ...ids, result: WORDS.join(""), usage },
    ];
    const stamped = expected.map((event) => ({ ...event, timestamp: expect.any(Number) }));
    expect(withJoinedText(reader.events)).toEqual(stamped);
    const frames = reader.events.map(({ id, text }) => `id: ${id}\ndata: ${text}\n\n`);
    expect(reader.raw().replaceAll(/^: .*\n\n/gm, "")).toBe(frames.join(""));
  },
);

verifies(
  "ag-ui.event.timestamp-milliseconds",
  "a standard client gets the times in milliseconds, of which others get the whole seconds",
  async () => {
    const began = Date.now();
    const taskId = await startTask(scene.service, scene.agentId, { title: "asks a tool" });
    const inSeconds = await readToEnd(scene.service, { agentId: scene.agentId, taskId });
    const standard = await readToEnd(scene.service, { agentId: scene.agentId, taskId, isStandard: true });
    for (const { id, event } of standard) {
      expect(event.timestamp).toBeGreaterThanOrEqual(began);
      expect(event.timestamp).toBeLessThanOrEqual(Date.now());
      expect(inSeconds[id - 1]?.event.timestamp).toBe(Math.floor(event.timestamp / SECOND));
    }
  },
);

verifies("ag-ui.event.timestamp-ascending", "no event is earlier than the one before it", async () => {
  for (let run = 0; run < 5; run += 1) {
    const taskId = await startTask(scene.service, scene.agentId, { title: "asks a tool" });
    const events = await readToEnd(scene.service, { agentId: scene.agentId, taskId, isStandard: true });
    const times = events.map(({ event }) => event.timestamp);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  }
});

verifies("ag-ui.sse.run-id-optional", "the run's events carry the runId of the request, if it has one", async () => {
  const taskId = await startTask(scene.service, scene.agentId, { title: "asks a tool" });
  const named = await readToEnd(scene.service, { agentId: scene.agentId, taskId, runId: "my-run" });
  const unnamed = await readToEnd(scene.service, { agentId: scene.agentId, taskId });
  const ends = (events: typeof named) => [events.at(0)?.event["runId"], events.at(-1)?.event["runId"]];
  expect(ends(named)).toEqual(["my-run", "my-run"]);
  expect(ends(unnamed)).toEqual([taskId, taskId]);
  await expectWholeStream(named);
  expect(named.slice(1, -1)).toEqual(unnamed.slice(1, -1));
  for (const runId of [null, ""]) {
    const headers = { authorization: `Bearer ${scene.service.keys.agui}` };
    const body = { threadId: taskId, runId };
    const answer = await send("POST", `${scene.service.url}/ag-ui/${scene.agentId}/sse`, { headers, body });
    expect(answer.text).toContain(`"runId":"${taskId}"`);
  }
});

verifies(
  ["ag-ui.sse.real-deltas", "ag-ui.resume.late-connect", "ag-ui.sse.many-readers"],
  "readers get each delta before the model sends the next; later readers get the earlier ones",
  async () => {
    const taskId = await startTask(scene.service, scene.agentId, { title: "word by word" });
    const readers = [await readStream(scene.service, { agentId: scene.agentId, taskId })];
    for (const [index, word] of WORDS.entries()) {
      for (const reader of readers) {
        await reader.until((events) => ofType(events, "TEXT_MESSAGE_CONTENT").length === index + 1);
        expect(ofType(reader.events, "TEXT_MESSAGE_CONTENT").at(-1)).toMatchObject({ delta: word });
      }
      readers.push(await readStream(scene.service, { agentId: scene.agentId, taskId }));
      scene.release();
    }
    for (const { over, events } of readers) {
      expect(await over).toBe("closed");
      expect(events).toEqual(readers[0]?.events);
      await expectWholeStream(events);
    }
  },
);

verifies(
  "ag-ui.sse.thread-is-task",
  "ids in upper case mean the same task for every reader and for a stop",
  async () => {
    const taskId = await startTask(scene.service, scene.agentId, { title: "pauses behind a word" });
    const loud = { agentId: scene.agentId.toUpperCase(), taskId: taskId.toUpperCase() };
    const reader = await readStream(scene.service, loud);
    await reader.until((events) => events.length > 2);
    await setStatus(scene.service, loud.taskId, "cancelled");
    expect(await reader.over).toBe("closed");
    await expectWholeStream(reader.events);
    expect(reader.events.at(-1)?.event).toMatchObject({ type: "RUN_ERROR", threadId: taskId, code: "CANCELLED" });
  },
);

verifies("ag-ui.sse.client-gone", "a run continues after all its readers have disconnected", async () => {
  const taskId = await startTask(scene.service, scene.agentId, { title: "pauses behind a word" });
  const readers = await Promise.all([1, 2, 3].map(() => readStream(scene.service, { agentId: scene.agentId, taskId })));
  for (const reader of readers) {
    await reader.until((events) => events.length > 2);
    await reader.cut();
  }
  scene.release();
  expect(await taskEnd(scene.service, taskId)).toMatchObject({ status: "completed", result: WORDS.join("") });
});

verifies(
  "ag-ui.sse.notice-lost",
  "an event without a notification still reaches a waiting reader",
  async () => {
    const taskId = await startTask(scene.service, scene.agentId, { title: "hangs" });
    const reader = await readStream(scene.service, { agentId: scene.agentId, taskId });
    await reader.until((events) => events.length === 1);
    await sql(scene.service.databaseUrl, APPEND_UNHEARD, [taskId]);
    await reader.until((events) => events.length === 2);
    expect(reader.events.map(({ id }) => id)).toEqual([1, 2]);
    await reader.cut();
    await setStatus(scene.service, taskId, "cancelled");
  },
  { tags: "slow" },
);

test(
  "a stream that is opened while the task waits for its turn begins when the run does",
  { tags: "slow" },
  async () => {
    const provider = await startScriptedProvider(gatedScript().script);
    const busy = await startService({ env: { ...provider.env, RUNS_PER_WORKSPACE: "1" } });
    const busyAgent = await openAiAgent(busy);
    const ahead = await startTask(busy, busyAgent, { title: "hangs" });
    const taskId = await startTask(busy, busyAgent, { title: "asks a tool" });
    const reader = await readStream(busy, { agentId: busyAgent, taskId });
    expect(reader.events).toEqual([]);
    await setStatus(busy, ahead, "cancelled");
    expect(await reader.over).toBe("closed");
    await expectWholeStream(reader.events);
    await busy.stop();
    await provider.close();
  },
);

verifies(["ag-ui.health", "ag-ui.health.no-key"], "the health endpoint needs no key", async () => {
  const response = await fetch(`${scene.service.url}/ag-ui/health`);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ status: "ok", protocol: "ag-ui", version: "1.1" });
});

verifies(
  "ag-ui.heartbeat",
  "a quiet stream gets a comment line within 15 seconds and stays open",
  async () => {
    await expect.poll(() => quiet.raw(), { timeout: 17 * SECOND }).toContain(": heartbeat\n\n");
    expect(quiet.events.map(({ event }) => event.type)).toEqual(["RUN_STARTED"]);
    await quiet.cut();
    await setStatus(scene.service, quietTaskId, "cancelled");
  },
  { tags: "slow" },
);
