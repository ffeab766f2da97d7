import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect } from "vitest";
import { openAiAgent, setStatus, startTask, taskNow } from "../support/runs.ts";
import { workStopped } from "../support/running-on.ts";
import { startScriptedProvider } from "../support/scripted-provider.ts";
import type { ScriptedProvider, ProviderCall, ProviderReply } from "../support/scripted-provider.ts";
import { createDatabase, createKeys, startService } from "../support/service.ts";
import type { TestDatabase, TestService } from "../support/service.ts";
import { readStream } from "../support/sse-client.ts";
import { expectWholeStream } from "../support/valid-stream.ts";
import { verifies } from "../support/verifies.ts";

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
  const options = { databaseUrl: database.url, keys, env: { ...provider.env } };
  one = await startService(options);
  other = await startService(options);
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

/** Answers as a whole when its gate opens. */
async function answer({ task }: ProviderCall, reply: ProviderReply): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  gates.set(task, resolve);
  await promise;
  reply.say(ANSWER);
  reply.finish();
}
