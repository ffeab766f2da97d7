import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, expect } from "vitest";
import { withTimestampInSeconds } from "#domain/streams/stream-event.ts";
import { eventually } from "../support/eventually.ts";
import { resumingReader } from "../support/clients/resuming-reader.ts";
import { openAiAgent, startTask } from "../support/runs.ts";
import { startScriptedProvider } from "../support/scripted-provider.ts";
import type { ScriptedProvider, ProviderCall, ProviderReply } from "../support/scripted-provider.ts";
import { createDatabase, createKeys, startProcess } from "../support/service.ts";
import type { TestDatabase, TestProcess } from "../support/service.ts";
import { hasEnded, readToEnd } from "../support/sse-client.ts";
import type { ReceivedEvent } from "../support/sse-client.ts";
import { expectWholeStream } from "../support/valid-stream.ts";
import { verifies } from "../support/verifies.ts";
import { sql } from "../support/workspace.ts";

const BETWEEN_WORDS_MS = 5;

/** A reader that disconnects after a number of further events, each time, and reconnects to one of the processes. */
interface Plan {
  readonly isStandard: boolean;
  readonly cuts: readonly { readonly after: number; readonly at: Side }[];
}

type Side = "left" | "right";

interface LoggedRow extends Record<string, unknown> {
  readonly seq: number;
  readonly text: string;
}

const side = fc.constantFrom<Side>("left", "right");
const plan = fc.record({
  isStandard: fc.boolean(),
  cuts: fc.array(fc.record({ after: fc.nat(8), at: side }), { minLength: 1, maxLength: 10 }),
});

let database: TestDatabase;
let provider: ScriptedProvider;
let processes: Record<Side, TestProcess>;
let agentId: string;
let gate = Promise.withResolvers<void>();
const keys = createKeys();

beforeAll(async () => {
  provider = await startScriptedProvider(answer);
  database = await createDatabase();
  processes = { left: await start(), right: await start() };
  agentId = await openAiAgent(processes.left);
});

afterAll(async () => {
  gate.resolve();
  await Promise.all([processes.left.stop(), processes.right.stop()]);
  await provider.close();
  await database.drop();
});

verifies(
  ["ag-ui.resume.last-event-id", "ag-ui.resume.any-process", "ag-ui.resume.after-restart", "ag-ui.resume.any-dialect"],
  "readers cut off anywhere, while processes are killed and restarted, get the log once and in order",
  async () => {
    let round = 0;
    const readers = fc.array(plan, { minLength: 3, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(readers, side, async (plans, victim) => {
        gate = Promise.withResolvers();
        const title = `talks in round ${(round += 1)}`;
        const taskId = await startTask(processes.left, agentId, { title });
        const reading = Promise.all(plans.map((each) => readByPlan(taskId, each)));
        await provider.called(title, 1);
        await processes[victim].kill();
        processes[victim] = await start();
        gate.resolve();
        const received = await reading;
        for (const [index, { isStandard }] of plans.entries()) await expectLog(taskId, isStandard, received[index]);
      }),
      { numRuns: 4, endOnFailure: true },
    );
  },
);

async function readByPlan(taskId: string, { isStandard, cuts }: Plan): Promise<readonly ReceivedEvent[]> {
  const reader = resumingReader(agentId, taskId, { isStandard });
  const connect = (at: Side) =>
    eventually(`a connection to the ${at} process`, () =>
      reader.connect(processes[at]).then(
        () => true,
        () => false,
      ),
    );
  for (const { after, at } of cuts) {
    await connect(at);
    const wanted = reader.events().length + after;
    // It ends early when its process is killed; then it continues with what it has.
    await reader.until((events) => events.length >= wanted || hasEnded(events)).catch(() => {});
    await reader.cut(wanted);
  }
  for (let at: Side = "left"; !hasEnded(reader.events()); at = at === "left" ? "right" : "left") {
    await connect(at);
    await reader.until(hasEnded).catch(() => {});
  }
  await reader.cut();
  return reader.events();
}

async function expectLog(taskId: string, isStandard: boolean, received: readonly ReceivedEvent[] = []): Promise<void> {
  const log = await sql<LoggedRow>(
    database.url,
    "select seq, event::text as text from task_log where log_id = $1 order by seq",
    [taskId],
  );
  // In the standard dialect an event may have several parts, and other fields than in the log.
  expect([...new Set(received.map(({ id }) => id))]).toEqual(log.map(({ seq }) => seq));
  if (!isStandard) {
    expect(received.map(({ text }) => text)).toEqual(log.map(({ text }) => withTimestampInSeconds(text)));
    await expectWholeStream(received);
  }
  for (const service of Object.values(processes)) {
    expect(await readToEnd(service, { agentId, taskId, isStandard })).toEqual(received);
  }
}

/** Talks, calls two tools, talks, waits at the gate, and talks on. */
async function answer({ turn }: ProviderCall, reply: ProviderReply): Promise<void> {
  await talk(reply);
  if (turn === 0) {
    reply.callTool("current_time", {});
    reply.callTool("wait", { seconds: 0 });
  } else {
    await gate.promise;
    await talk(reply);
  }
  reply.finish();
}

async function talk(reply: ProviderReply): Promise<void> {
  for (let word = 0; word < 10; word++) {
    reply.say(`word ${word} `);
    await sleep(BETWEEN_WORDS_MS);
  }
}

function start(): Promise<TestProcess> {
  return startProcess({
    databaseUrl: database.url,
    keys,
    env: { ...provider.env },
  });
}
