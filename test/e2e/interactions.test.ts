import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { QUESTION_TOOLS, expectWholeStreamWithQuestions, questionOf, respond } from "../support/interactions.ts";
import { workStopped } from "../support/running-on.ts";
import { openAiAgent, setStatus, startTask, taskEnd, taskNow } from "../support/runs.ts";
import { startScriptedProvider } from "../support/scripted-provider.ts";
import type { ScriptedProvider, ProviderCall, ProviderReply } from "../support/scripted-provider.ts";
import { createDatabase, createKeys, startPeer, startService } from "../support/service.ts";
import type { StartOptions, TestDatabase, TestService } from "../support/service.ts";
import { ofType } from "../support/valid-stream.ts";
import { verifies } from "../support/verifies.ts";

const WAITING = 10;
const PLACES = 2;
const ROUNDS = 5;

const keys = createKeys();
let database: TestDatabase;
let provider: ScriptedProvider;
let agentId: string;
const running: TestService[] = [];
/** Where the model waits in the second turn of tasks whose title says so. */
let gate = Promise.withResolvers<void>();

beforeAll(async () => {
  provider = await startScriptedProvider(answer);
  database = await createDatabase();
  const service = await startService(options());
  agentId = await openAiAgent(service, { tools: [...QUESTION_TOOLS, "current_time"] });
  await service.stop();
});

afterEach(async () => {
  gate.resolve();
  gate = Promise.withResolvers();
  await Promise.all(running.splice(0).map((service) => service.stop()));
});

afterAll(async () => {
  await provider.close();
  await database.drop();
});

verifies(
  ["interactions.wait.any-process", "interactions.answer.first-wins"],
  "of concurrent answers at two processes one is accepted, and readers of both get the whole run",
  async () => {
    const [one, other] = await Promise.all([kept(startService(options())), kept(startPeer(options()))]);
    const latencies: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const title = `asks two processes ${round}`;
      const taskId = await startTask(one, agentId, { title });
      const questions = await Promise.all([one, other].map((service) => questionOf(service, { agentId, taskId })));
      const interactionId = questions[0]?.interactionId;
      const asked = performance.now();
      const answers = await Promise.all(
        [other, one].map((service, index) =>
          respond(service, { agentId, taskId }, { interactionId, approved: index === 0 }),
        ),
      );
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
      latencies.push((await provider.called(title, 1)).at - asked);
      for (const { reader } of questions) {
        expect(await reader.over).toBe("closed");
        expect(reader.events).toEqual(questions[0]?.reader.events);
        await expectWholeStreamWithQuestions(reader.events);
      }
      expect((await taskEnd(other, taskId)).status).toBe("completed");
    }
    const [median] = latencies.toSorted((a, b) => a - b).slice(latencies.length / 2);
    console.info(`from the answer to the next model call: median ${Math.round(median ?? 0)} ms`);
  },
  { tags: "slow" },
);

verifies(
  "interactions.wait.no-run-slot",
  `with ${PLACES} places, ${WAITING} tasks wait concurrently and others run past them`,
  async () => {
    const places = { RUNS_PER_PROCESS: String(PLACES), RUNS_PER_WORKSPACE: String(PLACES) };
    const service = await kept(startService(options(places)));
    const waiting = await Promise.all(
      Array.from({ length: WAITING }, (_, index) => startTask(service, agentId, { title: `asks in a crowd ${index}` })),
    );
    for (const taskId of waiting) await questionOf(service, { agentId, taskId });
    for (const taskId of waiting) await workStopped(database.url, taskId);
    const other = await startTask(service, agentId, { title: "only talks" });
    expect((await taskEnd(service, other)).status).toBe("completed");
    for (const taskId of waiting) {
      const now = await taskNow(service, taskId);
      expect(now.status).toBe("waiting_for_input");
      const { interactionId } = Object(now["interaction"]);
      expect((await respond(service, { agentId, taskId }, { interactionId, approved: true })).status).toBe(200);
    }
    for (const taskId of waiting) expect((await taskEnd(service, taskId)).status).toBe("completed");
  },
  { tags: "slow" },
);

verifies(
  ["tasks.state.cancel-while-waiting", "tasks.state.cancelled-is-final"],
  "a task that one process cancels while another gets the answer has one of the two outcomes",
  async () => {
    const [one, other] = await Promise.all([kept(startService(options())), kept(startPeer(options()))]);
    for (let round = 0; round < 8; round++) {
      const taskId = await startTask(one, agentId, { title: `asks and is cancelled ${round}` });
      const { reader, interactionId } = await questionOf(one, { agentId, taskId });
      const [answered] = await Promise.all([
        respond(other, { agentId, taskId }, { interactionId, approved: true }),
        setStatus(one, taskId, "cancelled"),
      ]);
      expect(await reader.over).toBe("closed");
      await workStopped(database.url, taskId);
      await expectWholeStreamWithQuestions(reader.events);
      expect(await taskNow(one, taskId)).toMatchObject({ status: "cancelled", interaction: null });
      expect(ofType(reader.events, "INTERACTION_RESPONSE")).toHaveLength(answered.status === 200 ? 1 : 0);
      expect(reader.events.at(-1)?.event).toMatchObject({ code: "CANCELLED" });
    }
  },
  { tags: "slow" },
);

/** What the model does; the task's title selects it: it asks once or twice, then answers. */
async function answer({ task, turn }: ProviderCall, reply: ProviderReply): Promise<void> {
  if (turn === 0 && task !== "only talks") {
    reply.callTool("request_approval", { title: `Question ${turn}?`, timeoutMs: 60_000 });
  } else {
    if (task.startsWith("asks and is cancelled")) await gate.promise;
    reply.say("Thank you.");
  }
  reply.finish();
}

function options(env: Readonly<Record<string, string>> = {}): StartOptions {
  return {
    databaseUrl: database.url,
    keys,
    env: { ...provider.env, ...env },
  };
}

/** Stops the service after its test. */
async function kept(starting: Promise<TestService>): Promise<TestService> {
  const service = await starting;
  running.push(service);
  return service;
}
