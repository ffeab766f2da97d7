import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect } from "vitest";
import { eventually } from "../support/eventually.ts";
import { resumingReader } from "../support/clients/resuming-reader.ts";
import { openAiAgent, setStatus, startTask, taskEnd, taskNow } from "../support/runs.ts";
import { startScriptedProvider } from "../support/scripted-provider.ts";
import type { ScriptedProvider, ProviderCall, ProviderReply } from "../support/scripted-provider.ts";
import { createDatabase, createKeys, startProcess } from "../support/service.ts";
import type { TestDatabase, TestProcess } from "../support/service.ts";
import { runningOn, workStopped } from "../support/running-on.ts";
import { hasEnded, readStream, readToEnd } from "../support/sse-client.ts";
import { expectWholeStream, messagesIn, ofType } from "../support/valid-stream.ts";
import { verifies } from "../support/verifies.ts";

const RUNS = 40;
const WORD_EVERY_MS = 20;

let database: TestDatabase;
let provider: ScriptedProvider;
let one: TestProcess;
let other: TestProcess;
let agentId: string;
let gate = Promise.withResolvers<void>();
const keys = createKeys();

beforeAll(async () => {
  provider = await startScriptedProvider(answer);
  database = await createDatabase();
  one = await start();
  other = await start();
  agentId = await openAiAgent(one, { model: "gpt-6-luna", reasoning: { show: true } });
});

afterAll(async () => {
  gate.resolve();
  await Promise.all([one.stop(), other.stop()]);
  await provider.close();
  await database.drop();
});

verifies(
  ["ag-ui.resume.any-process", "ag-ui.sse.many-readers"],
  "a reader that disconnects resumes at the other process, and readers of both get the same events",
  async () => {
    const { task, owner, bystander } = await startHeldRun("read on both");
    const reader = resumingReader(agentId, task);
    await reader.connect(owner);
    await reader.until((events) => ofType(events, "TEXT_MESSAGE_CONTENT").length > 2);
    await reader.connect(bystander);
    const readers = await Promise.all([one, other].map((service) => readStream(service, { agentId, taskId: task })));
    gate.resolve();
    await reader.until(hasEnded);
    await Promise.all(readers.map(({ over }) => over));
    await expectWholeStream(reader.events());
    for (const { events } of readers) expect(events).toEqual(reader.events());
  },
);

verifies(
  [
    "engine.cancel.across-processes",
    "engine.cancel.aborts-model-call",
    "ag-ui.event.cancelled-run-ends",
    "tasks.state.cancelled-is-final",
  ],
  "a cancel at one process closes the provider's connection at the other, and ends every stream",
  async () => {
    const { task, call, owner, bystander } = await startHeldRun("cancelled elsewhere");
    const readers = await Promise.all([one, other].map((service) => readStream(service, { agentId, taskId: task })));
    await readers[0]?.until((events) => ofType(events, "TEXT_MESSAGE_CONTENT").length > 0);
    await setStatus(bystander, task, "cancelled");
    await call.gone;
    gate.resolve();
    await workStopped(database.url, task);
    expect(await taskNow(owner, task)).toMatchObject({ status: "cancelled", result: null });
    for (const { over, events } of readers) {
      expect(await over).toBe("closed");
      await expectWholeStream(events);
      expect(events.at(-1)?.event).toMatchObject({ type: "RUN_ERROR", code: "CANCELLED", threadId: task });
    }
    expect(provider.callsOf("cancelled elsewhere")).toHaveLength(1);
  },
);

verifies(
  ["engine.cancel.aborts-tools", "engine.cancel.across-processes"],
  "cancelling at one process aborts a tool that runs at the other",
  async () => {
    const task = await startTask(one, agentId, { title: "waits a minute" });
    const { bystander } = await ownerOf(task);
    const reader = await readStream(bystander, { agentId, taskId: task });
    await reader.until((events) => ofType(events, "TOOL_CALL_ARGS").length === 1);
    await setStatus(bystander, task, "cancelled");
    await workStopped(database.url, task);
    expect(await reader.over).toBe("closed");
    await expectWholeStream(reader.events);
    expect(provider.callsOf("waits a minute")).toHaveLength(1);
  },
);

verifies(
  ["engine.fencing", "reasoning.shown.resumable"],
  "a process frozen while its model thinks writes no more of the run after the takeover",
  async () => {
    const { task, call, owner, bystander } = await startHeldRun("frozen");
    const reader = await readStream(bystander, { agentId, taskId: task });
    await reader.until((events) => ofType(events, "REASONING_MESSAGE_CONTENT").length > 0);
    owner.process.kill("SIGSTOP");
    try {
      await reader.until((events) => messagesIn(events).includes("taken over"));
    } finally {
      owner.process.kill("SIGCONT");
    }
    await call.gone;
    gate.resolve();
    await reader.until(hasEnded);
    const end = await taskEnd(owner, task);
    expect(end).toMatchObject({ status: "completed", result: "taken over" });
    const events = await readToEnd(owner, { agentId, taskId: task });
    expect(events).toEqual(reader.events);
    await expectWholeStream(events);
    expect(ofType(events, "REASONING_MESSAGE_END")).toHaveLength(1);
  },
);

verifies(
  ["engine.resume.other-process", "engine.resume.paid-once", "engine.cancel.after-restart"],
  `of ${RUNS} runs in flight those of a killed process finish at the other, without repeated steps`,
  async () => {
    gate = Promise.withResolvers();
    const titles = Array.from({ length: RUNS }, (_, index) => `in flight ${index}`);
    const ids = await Promise.all(titles.map((title) => startTask(one, agentId, { title })));
    await Promise.all(titles.map((title) => provider.called(title, 1)));
    const owners = await runningOn(database.url);
    const runsOf = (service: TestProcess) => ids.filter((id) => owners.get(id) === service.process.pid);
    const [victim, survivor] = runsOf(one).length > runsOf(other).length ? [one, other] : [other, one];
    const [cancelled = "", ...lost] = runsOf(victim);
    expect(lost.length).toBeGreaterThan(0);

    const killedAt = performance.now();
    await victim.kill();
    await setStatus(survivor, cancelled, "cancelled");
    const retaken = () => provider.calls.filter(({ task, nth }) => titles.includes(task) && nth === 2);
    await eventually("the takeover of every lost run", () => retaken().length >= lost.length);
    const lastAt = Math.max(...retaken().map(({ at }) => at));
    console.info(`${lost.length} runs of a killed process were taken over within ${Math.round(lastAt - killedAt)} ms`);
    gate.resolve();

    const ends = await Promise.all(ids.map((id) => taskEnd(survivor, id)));
    await workStopped(database.url, cancelled);
    expect(ends.map(({ status }) => status)).toEqual(ids.map((id) => (id === cancelled ? "cancelled" : "completed")));
    expect(titles.map((title) => provider.callsOf(title, 0).length)).toEqual(ids.map(() => 1));
    expect(titles.map((title) => provider.callsOf(title, 1).length)).toEqual(
      ids.map((id) => (lost.includes(id) ? 2 : 1)),
    );
    await expectWholeStream(await readToEnd(survivor, { agentId, taskId: lost[0] ?? "" }));
  },
);

/** What the model does; the task's title selects it: it streams until its caller disconnects or the gate opens. */
async function answer({ task, turn, nth, gone }: ProviderCall, reply: ProviderReply): Promise<void> {
  if (turn === 0 && task === "waits a minute") reply.callTool("wait", { seconds: 60 });
  else if (turn === 0 && task.startsWith("in flight")) reply.callTool("current_time", {});
  else if (task === "frozen" && nth === 2) {
    reply.say("taken over");
    await gate.promise;
  } else {
    reply.think("They want to hear something. ");
    await talkUntil(task === "frozen" ? reply.think : reply.say, Promise.race([gone, gate.promise]));
  }
  reply.finish();
}

async function talkUntil(say: ProviderReply["say"], stop: Promise<void>): Promise<void> {
  let stopped = false;
  void stop.then(() => (stopped = true));
  while (!stopped) {
    say("word ");
    await sleep(WORD_EVERY_MS);
  }
}

function start(): Promise<TestProcess> {
  return startProcess({
    databaseUrl: database.url,
    keys,
    env: { ...provider.env },
  });
}

/** Starts a run whose model streams until the gate opens; returns the process that runs it. */
async function startHeldRun(title: string) {
  gate = Promise.withResolvers();
  const task = await startTask(one, agentId, { title });
  const call = await provider.called(title, 0);
  return { task, call, ...(await ownerOf(task)) };
}

async function ownerOf(task: string) {
  const pid = await eventually(`a process that runs ${task}`, async () => (await runningOn(database.url)).get(task));
  return pid === one.process.pid ? { owner: one, bystander: other } : { owner: other, bystander: one };
}
