import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiOf, send } from "../../support/api.ts";
import { resumingReader } from "../../support/clients/resuming-reader.ts";
import { openAiAgent, setStatus, startTask, taskEnd } from "../../support/runs.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider, ProviderCall, ProviderReply } from "../../support/scripted-provider.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { hasEnded, readStream, readToEnd } from "../../support/sse-client.ts";
import type { StreamReader } from "../../support/sse-client.ts";
import { expectWholeStream, messagesIn, ofType, shapeOf, withJoinedText } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

const SECOND = 1_000;
const BETWEEN_WORDS_MS = 5;
const WORDS = ["Noon ", "is ", "near."];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What a process does whose notifications are lost. */
const APPEND_UNHEARD = `
  with head as (update task_streams set last_seq = last_seq + 1 where log_id = $1 returning *)
  insert into task_events (log_id, seq, workspace_id, attempt, event)
  select log_id, last_seq, workspace_id, attempt, '{"type":"STEP_STARTED","stepName":"unheard","timestamp":1}' from head`;

let provider: ScriptedProvider;
let service: TestService;
let agentId: string;
let quiet: StreamReader;
/** Where the model waits, in tasks whose title says so. */
let gate = Promise.withResolvers<void>();

beforeAll(async () => {
  provider = await startScriptedProvider(answer);
  service = await startService({ env: { ...provider.env } });
  agentId = await openAiAgent(service);
  quiet = await readStream(service, { agentId, taskId: await startTask(service, agentId, { title: "hangs" }) });
});

afterAll(async () => {
  await service.stop();
  await provider.close();
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
    const taskId = await startTask(service, agentId, { title: "asks a tool" });
    const reader = await readStream(service, { agentId, taskId });
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
      { type: "RUN_FINISHED", ...ids, result: WORDS.join("") },
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
    const taskId = await startTask(service, agentId, { title: "asks a tool" });
    const inSeconds = await readToEnd(service, { agentId, taskId });
    const standard = await readToEnd(service, { agentId, taskId, isStandard: true });
    for (const { id, event } of standard) {
      expect(event.timestamp).toBeGreaterThanOrEqual(began);
      expect(event.timestamp).toBeLessThanOrEqual(Date.now());
      expect(inSeconds[id - 1]?.event.timestamp).toBe(Math.floor(event.timestamp / SECOND));
    }
  },
);

verifies("ag-ui.event.timestamp-ascending", "no event is earlier than the one before it", async () => {
  for (let run = 0; run < 5; run += 1) {
    const taskId = await startTask(service, agentId, { title: "asks a tool" });
    const events = await readToEnd(service, { agentId, taskId, isStandard: true });
    const times = events.map(({ event }) => event.timestamp);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  }
});

verifies("ag-ui.sse.run-id-optional", "the run's events carry the runId of the request, if it has one", async () => {
  const taskId = await startTask(service, agentId, { title: "asks a tool" });
  const named = await readToEnd(service, { agentId, taskId, runId: "my-run" });
  const unnamed = await readToEnd(service, { agentId, taskId });
  const ends = (events: typeof named) => [events.at(0)?.event["runId"], events.at(-1)?.event["runId"]];
  expect(ends(named)).toEqual(["my-run", "my-run"]);
  expect(ends(unnamed)).toEqual([taskId, taskId]);
  await expectWholeStream(named);
  expect(named.slice(1, -1)).toEqual(unnamed.slice(1, -1));
  for (const runId of [null, ""]) {
    const headers = { authorization: `Bearer ${service.keys.agui}` };
    const body = { threadId: taskId, runId };
    const answer = await send("POST", `${service.url}/ag-ui/${agentId}/sse`, { headers, body });
    expect(answer.text).toContain(`"runId":"${taskId}"`);
  }
});

verifies(
  ["ag-ui.sse.real-deltas", "ag-ui.resume.late-connect", "ag-ui.sse.many-readers"],
  "readers get each delta before the model sends the next; later readers get the earlier ones",
  async () => {
    const taskId = await startTask(service, agentId, { title: "word by word" });
    const readers = [await readStream(service, { agentId, taskId })];
    for (const [index, word] of WORDS.entries()) {
      for (const reader of readers) {
        await reader.until((events) => ofType(events, "TEXT_MESSAGE_CONTENT").length === index + 1);
        expect(ofType(reader.events, "TEXT_MESSAGE_CONTENT").at(-1)).toMatchObject({ delta: word });
      }
      readers.push(await readStream(service, { agentId, taskId }));
      release();
    }
    for (const { over, events } of readers) {
      expect(await over).toBe("closed");
      expect(events).toEqual(readers[0]?.events);
      await expectWholeStream(events);
    }
  },
);

verifies(
  "ag-ui.resume.last-event-id",
  "however often and wherever a reader loses its connection, it gets every event once",
  async () => {
    const cuts = fc.array(fc.nat(15), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(cuts, async (lengths) => {
        const taskId = await startTask(service, agentId, { title: "talks a while" });
        const reader = resumingReader(agentId, taskId);
        await reader.connect(service);
        for (const length of lengths) {
          const wanted = reader.events().length + length;
          await reader.until((events) => events.length >= wanted || hasEnded(events));
          await reader.connect(service);
        }
        if (!hasEnded(reader.events())) await reader.until(hasEnded);
        expect(reader.events()).toEqual(await readToEnd(service, { agentId, taskId }));
        await expectWholeStream(reader.events());
      }),
      { numRuns: 8 },
    );
  },
);

verifies(
  ["ag-ui.resume.finished-task", "ag-ui.resume.last-event-id"],
  "a finished task is replayed from the start or after any of its events, and the stream closes",
  async () => {
    const taskId = await startTask(service, agentId, { title: "asks a tool" });
    await taskEnd(service, taskId);
    const all = await readToEnd(service, { agentId, taskId });
    await expectWholeStream(all);
    for (const [index, { id }] of all.entries()) {
      expect(await readToEnd(service, { agentId, taskId, lastEventId: id })).toEqual(all.slice(index + 1));
    }
    expect(await readToEnd(service, { agentId, taskId, lastEventId: 0 })).toEqual(all);
  },
);

verifies("ag-ui.resume.rerun", "after a re-run the stream is that of the newest attempt, numbered on", async () => {
  const taskId = await startTask(service, agentId, { title: "asks a tool" });
  const first = await readToEnd(service, { agentId, taskId });
  await setStatus(service, taskId, "dispatched");
  const second = await readToEnd(service, { agentId, taskId });
  await expectWholeStream(second);
  expect(second[0]?.id).toBe(first.length + 1);
  expect(second.at(-1)?.event).toMatchObject({ type: "RUN_FINISHED", threadId: taskId, runId: `${taskId}.2` });
  expect(shapeOf(second)).toEqual(shapeOf(first));
});

verifies(
  "ag-ui.resume.earlier-attempt",
  "each attempt of a task can be read again as it was, in part or whole, in either dialect",
  async () => {
    const taskId = await startTask(service, agentId, { title: "asks a tool" });
    const first = await readToEnd(service, { agentId, taskId });
    const standard = await readToEnd(service, { agentId, taskId, isStandard: true });
    await setStatus(service, taskId, "dispatched");
    const second = await readToEnd(service, { agentId, taskId });
    const read = (attempt: number, lastEventId = "") => readToEnd(service, { agentId, taskId, attempt, lastEventId });
    expect(await read(1)).toEqual(first);
    expect(await read(2)).toEqual(second);
    expect(await readToEnd(service, { agentId, taskId, attempt: 1, isStandard: true })).toEqual(standard);
    expect(await read(1, "3")).toEqual(first.slice(3));
    expect(await read(1, String(first.length))).toEqual([]);
    // Only standard readers know ids of parts; one of an earlier attempt is before all of this one.
    await expect(read(2, "3.0")).rejects.toThrow("400");
    const standardSecond = await readToEnd(service, { agentId, taskId, attempt: 2, isStandard: true });
    const resumed = await readToEnd(service, { agentId, taskId, attempt: 2, isStandard: true, lastEventId: "3.0" });
    expect(resumed).toEqual(standardSecond);
    const cutOff = first.length - 2;
    expect(await readToEnd(service, { agentId, taskId, lastEventId: cutOff })).toEqual(first.slice(cutOff));
    expect(await readToEnd(service, { agentId, taskId, lastEventId: first.length })).toEqual(second);
    await expect(read(3)).rejects.toThrow('404: {"error":"Attempt 3 of this task not found"}');
    for (const attempt of [0, -1, 1.5, "1", null]) {
      const answer = await fetch(`${service.url}/ag-ui/${agentId}/sse`, {
        method: "POST",
        headers: { authorization: `Bearer ${service.keys.agui}` },
        body: JSON.stringify({ threadId: taskId, attempt }),
      });
      expect([answer.status, await answer.json()]).toEqual([
        400,
        { error: "attempt must be a whole number, 1 or more" },
      ]);
    }
  },
);

verifies("ag-ui.event.run-error", "a run that fails ends with RUN_ERROR, its message and its code", async () => {
  const taskId = await startTask(service, agentId, { title: "is rejected" });
  const events = await readToEnd(service, { agentId, taskId });
  await expectWholeStream(events);
  const { error } = await taskEnd(service, taskId);
  expect(error).toContain("This provider says no.");
  expect(events.at(-1)?.event).toEqual({
    type: "RUN_ERROR",
    threadId: taskId,
    runId: taskId,
    message: error,
    code: "MODEL_ERROR",
    timestamp: expect.any(Number),
  });
});

verifies(
  ["ag-ui.event.cancelled-run-ends", "ag-ui.event.open-messages-closed"],
  "a task cancelled in the middle of a word closes its message and ends with RUN_ERROR",
  async () => {
    const taskId = await startTask(service, agentId, { title: "hangs in a word" });
    for (const runId of [taskId, `${taskId}.2`]) {
      const reader = await readStream(service, { agentId, taskId });
      await reader.until((events) => messagesIn(events).includes("Noo"));
      await setStatus(service, taskId, "cancelled");
      expect(await reader.over).toBe("closed");
      await expectWholeStream(reader.events);
      expect(reader.events.at(-1)?.event).toMatchObject({ type: "RUN_ERROR", code: "CANCELLED", runId });
      if (runId === taskId) await setStatus(service, taskId, "dispatched");
    }
  },
);

verifies("ag-ui.event.deleted-run-ends", "a reader of a deleted task gets its end without a result", async () => {
  const taskId = await startTask(service, agentId, { title: "hangs in a word" });
  const reader = await readStream(service, { agentId, taskId });
  await reader.until((events) => messagesIn(events).includes("Noo"));
  expect((await apiOf(service, service.keys.api).delete(`/api-tasks?id=${taskId}`)).status).toBe(204);
  expect(await reader.over).toBe("closed");
  expect(reader.events.at(-1)?.event).toMatchObject({ type: "RUN_ERROR", code: "CANCELLED", runId: taskId });
});

verifies(
  "ag-ui.event.open-messages-closed",
  "an answer that aborts closes its message, and the answer of the next try is another message",
  async () => {
    const taskId = await startTask(service, agentId, { title: "aborts once" });
    const { until, over, events } = await readStream(service, { agentId, taskId });
    await until((sofar) => messagesIn(sofar).includes("Noo"));
    release();
    expect(await over).toBe("closed");
    await expectWholeStream(events);
    expect(messagesIn(events)).toEqual(["Noo", WORDS.join("")]);
    expect(events.at(-1)?.event).toMatchObject({ type: "RUN_FINISHED", result: WORDS.join("") });
  },
);

verifies(
  "ag-ui.sse.thread-is-task",
  "ids in upper case mean the same task for every reader and for a stop",
  async () => {
    const taskId = await startTask(service, agentId, { title: "pauses behind a word" });
    const loud = { agentId: agentId.toUpperCase(), taskId: taskId.toUpperCase() };
    const reader = await readStream(service, loud);
    await reader.until((events) => events.length > 2);
    await setStatus(service, loud.taskId, "cancelled");
    expect(await reader.over).toBe("closed");
    await expectWholeStream(reader.events);
    expect(reader.events.at(-1)?.event).toMatchObject({ type: "RUN_ERROR", threadId: taskId, code: "CANCELLED" });
  },
);

verifies("ag-ui.sse.client-gone", "a run continues after all its readers have disconnected", async () => {
  const taskId = await startTask(service, agentId, { title: "pauses behind a word" });
  const readers = await Promise.all([1, 2, 3].map(() => readStream(service, { agentId, taskId })));
  for (const reader of readers) {
    await reader.until((events) => events.length > 2);
    await reader.cut();
  }
  release();
  expect(await taskEnd(service, taskId)).toMatchObject({ status: "completed", result: WORDS.join("") });
});

verifies("ag-ui.sse.notice-lost", "an event without a notification still reaches a waiting reader", async () => {
  const taskId = await startTask(service, agentId, { title: "hangs" });
  const reader = await readStream(service, { agentId, taskId });
  await reader.until((events) => events.length === 1);
  await sql(service.databaseUrl, APPEND_UNHEARD, [taskId]);
  await reader.until((events) => events.length === 2);
  expect(reader.events.map(({ id }) => id)).toEqual([1, 2]);
  await reader.cut();
});

test("a stream that is opened while the task waits for its turn begins when the run does", async () => {
  const busy = await startService({
    env: { ...provider.env, RUNS_PER_WORKSPACE: "1" },
  });
  const busyAgent = await openAiAgent(busy);
  const ahead = await startTask(busy, busyAgent, { title: "hangs" });
  const taskId = await startTask(busy, busyAgent, { title: "asks a tool" });
  const reader = await readStream(busy, { agentId: busyAgent, taskId });
  expect(reader.events).toEqual([]);
  await setStatus(busy, ahead, "cancelled");
  expect(await reader.over).toBe("closed");
  await expectWholeStream(reader.events);
  await busy.stop();
});

verifies(["ag-ui.health", "ag-ui.health.no-key"], "the health endpoint needs no key", async () => {
  const response = await fetch(`${service.url}/ag-ui/health`);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ status: "ok", protocol: "ag-ui", version: "1.1" });
});

verifies("ag-ui.heartbeat", "a quiet stream gets a comment line within 15 seconds and stays open", async () => {
  await expect.poll(() => quiet.raw(), { timeout: 17 * SECOND }).toContain(": heartbeat\n\n");
  expect(quiet.events.map(({ event }) => event.type)).toEqual(["RUN_STARTED"]);
  await quiet.cut();
});

/** What the model does; the task's title selects it. */
async function answer({ task, turn, nth }: ProviderCall, reply: ProviderReply): Promise<void> {
  if (task === "hangs") return;
  if (task === "hangs in a word") return reply.say("Noo");
  if (task === "is rejected") return reply.refuse(400, "This provider says no.");
  if (task === "aborts once" && nth === 1) {
    reply.say("Noo");
    await gate.promise;
    return reply.abortConnection();
  }
  if (task === "asks a tool" && turn === 0) {
    reply.say("Let me look.");
    reply.callTool("current_time", { time_zone: "UTC" });
  } else {
    await sayWords(task, reply);
  }
  reply.finish();
}

async function sayWords(task: string, reply: ProviderReply): Promise<void> {
  const rounds = task === "talks a while" ? 10 : 1;
  for (let round = 0; round < rounds; round++) {
    for (const [index, word] of WORDS.entries()) {
      reply.say(word);
      if (task === "word by word" || (task === "pauses behind a word" && index === 0)) await gate.promise;
      if (task === "talks a while") await sleep(BETWEEN_WORDS_MS);
    }
  }
}

/** Lets the model continue that waits at the gate. */
function release(): void {
  gate.resolve();
  gate = Promise.withResolvers();
}
