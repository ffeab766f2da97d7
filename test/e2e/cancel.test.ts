import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect } from "vitest";
import { environmentOf, runMuster } from "../support/muster.ts";
import { openAiAgent, setStatus, startTask, taskNow } from "../support/runs.ts";
import { workStopped } from "../support/running-on.ts";
import { startScriptedProvider } from "../support/scripted-provider.ts";
import type { ScriptedProvider, ProviderCall, ProviderReply } from "../support/scripted-provider.ts";
import { createDatabase, createKeys, startService } from "../support/service.ts";
import type { TestDatabase, TestService } from "../support/service.ts";
import { readStream, readToEnd } from "../support/sse-client.ts";
import { expectWholeStream } from "../support/valid-stream.ts";
import { verifies } from "../support/verifies.ts";
import { sql } from "../support/workspace.ts";

const ROUNDS = 80;
const AT_ONCE = 8;
const ANSWER = "The whole answer.";

let database: TestDatabase;
let provider: ScriptedProvider;
let one: TestService;
let other: TestService;
let agentId: string;
/** Let the models answer that wait, by the task's title. */
const gates = new Map<string, () => void>();
const keys = createKeys();

beforeAll(async () => {
  provider = await startScriptedProvider(answer);
  database = await createDatabase();
  one = await start();
  other = await start();
  agentId = await openAiAgent(one);
});

afterAll(async () => {
  for (const open of gates.values()) open();
  await Promise.all([one.stop(), other.stop()]);
  await provider.close();
  await database.drop();
});

verifies(
  ["tasks.state.cancelled-is-final", "ag-ui.event.cancelled-run-ends", "ag-ui.event.nothing-after-end"],
  `in ${ROUNDS} rounds of an answer at the moment of a cancel, task, row and stream say the same`,
  async () => {
    let round = 0;
    const race = async () => {
      while (round < ROUNDS) await raceOnce((round += 1));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, race));
  },
);

verifies(
  ["engine.cancel.aborts-model-call", "cli.tasks.cancel"],
  "muster tasks cancel closes the provider's connection",
  async () => {
    const task = await startTask(one, agentId, { title: "cancelled by hand" });
    const call = await provider.called("cancelled by hand", 0);
    const { code } = await runMuster(["tasks", "cancel", task], { env: environmentOf(other) });
    expect(code).toBe(0);
    await call.gone;
    const events = await readToEnd(one, { agentId, taskId: task });
    expect(events.at(-1)?.event).toMatchObject({ type: "RUN_ERROR", code: "CANCELLED" });
  },
);

verifies(
  ["engine.cancel.across-processes", "engine.cancel.notice-lost"],
  "a cancel with a lost notification closes the provider's connection when processes listen again",
  async () => {
    const task = await startTask(one, agentId, { title: "cancelled unheard" });
    const call = await provider.called("cancelled unheard", 0);
    await sql(
      database.url,
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'",
    );
    await setStatus(other, task, "cancelled");
    await call.gone;
    await workStopped(database.url, task);
    expect(await taskNow(one, task)).toMatchObject({ status: "cancelled", result: null });
  },
);

verifies(
  ["engine.cancel.aborts-model-call", "providers.fault.pause-cancelled"],
  "a task that is cancelled during the wait for a retry makes no retry",
  async () => {
    const task = await startTask(one, agentId, { title: "waits a minute" });
    await provider.called("waits a minute", 0);
    await setStatus(other, task, "cancelled");
    await workStopped(database.url, task);
    expect(provider.callsOf("waits a minute")).toHaveLength(1);
  },
);

async function raceOnce(round: number): Promise<void> {
  const title = `race ${round}`;
  const task = await startTask(round % 2 === 0 ? one : other, agentId, { title });
  await provider.called(title, 0);
  const reader = await readStream(one, { agentId, taskId: task });
  const cancel = () =>
    setStatus(one, task, "cancelled").then(
      () => true,
      () => false,
    );
  const open = () => gates.get(title)?.();
  // The ways of both take some milliseconds: each round gives another one another start.
  const [first, second] = round % 4 < 2 ? [open, cancel] : [cancel, open];
  const begun = first();
  await sleep(round % 12);
  const wasCancelled = (await Promise.all([begun, second()])).includes(true);
  await workStopped(database.url, task);
  expect(await reader.over).toBe("closed");
  await expectWholeStream(reader.events);
  const last = reader.events.at(-1)?.event;
  const { status, result } = await taskNow(other, task);
  if (wasCancelled) {
    expect([status, result, last?.["code"]]).toEqual(["cancelled", null, "CANCELLED"]);
  } else {
    expect([status, result, last?.["result"]]).toEqual(["completed", ANSWER, ANSWER]);
  }
}

/** Answers as a whole when its gate opens; or never; or asks for patience. */
async function answer({ task }: ProviderCall, reply: ProviderReply): Promise<void> {
  if (task === "waits a minute") return reply.refuse(429, "Slow down.", { "retry-after": "60" });
  if (!task.startsWith("race")) return reply.say("And ");
  const { promise, resolve } = Promise.withResolvers<void>();
  gates.set(task, resolve);
  await promise;
  reply.say(ANSWER);
  reply.finish();
}

function start(): Promise<TestService> {
  return startService({
    databaseUrl: database.url,
    keys,
    env: { ...provider.env },
  });
}
