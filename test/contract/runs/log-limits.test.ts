import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, expect } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { openAiAgent, startTask, taskEnd } from "../../support/runs.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider, ProviderCall, ProviderReply } from "../../support/scripted-provider.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { readToEnd } from "../../support/sse-client.ts";
import { expectWholeStream } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

const MAX_EVENTS = 40;
const WORDS = 400;
const BETWEEN_WORDS_MS = 5;
/** More than 1 MiB together; with the words after them fewer than MAX_EVENTS. */
const LONG_WORDS = 18;
const BETWEEN_LATE_WORDS_MS = 500;
/** Of the text that arrives while an event is being stored, some may still be stored after the limit is met. */
const LEEWAY = 5;
/** A chunk whose event, with `delta` and `content`, is within the limit of 1 MiB once, but not twice. */
const LONG_CHUNK = "word".repeat(75_000);
const MEETS_LOCK = "says a long chunk while its job is locked";
const WAITS = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

let provider: ScriptedProvider;
const locked = Promise.withResolvers<void>();
const unlocked = Promise.withResolvers<void>();
let service: TestService;
let agentId: string;

beforeAll(async () => {
  provider = await startScriptedProvider(answer);
  service = await startService({
    env: {
      ...provider.env,
      RUN_MAX_EVENTS: String(MAX_EVENTS),
      RUN_MAX_EVENTS_MIB: "1",
      MODEL_ANSWER_MIB: "4",
    },
  });
  agentId = await openAiAgent(service);
});

afterAll(async () => {
  await service.stop();
  await provider.close();
});

const floods = [
  { title: "says many words", error: `more than ${MAX_EVENTS} events (RUN_MAX_EVENTS)` },
  { title: "says long words", error: "more than 1 MiB of events (RUN_MAX_EVENTS_MIB)" },
  { title: "says more than a provider may", error: "more than 4 MiB in one answer" },
];

for (const { title, error } of floods) {
  verifies(
    ["engine.log.bounded", "providers.fault.flood"],
    `a model that ${title} fails its run, which is not repeated and has a whole log`,
    async () => {
      const taskId = await startTask(service, agentId, { title });
      const events = await readToEnd(service, { agentId, taskId });
      expect(await taskEnd(service, taskId)).toMatchObject({ status: "failed", error: expect.stringContaining(error) });
      await expectWholeStream(events);
      expect(events.at(-1)?.event).toMatchObject({ type: "RUN_ERROR", code: "MODEL_ERROR" });
      expect(events.length).toBeLessThan(MAX_EVENTS + LEEWAY);
      expect(provider.callsOf(title)).toHaveLength(1);
    },
  );
}

verifies("engine.log.bounded", "an event that is written again after a lock counts once", async () => {
  const locker = new Client({ connectionString: service.databaseUrl });
  await locker.connect();
  try {
    const taskId = await startTask(service, agentId, { title: MEETS_LOCK });
    const begun = "select from task_events where log_id = $1 and event->>'type' = 'TEXT_MESSAGE_CONTENT'";
    await eventually("it streams", async () => (await sql(service.databaseUrl, begun, [taskId])).length > 0);
    await locker.query("begin");
    await locker.query("select from jobs where subject_id = $1 for update", [taskId]);
    locked.resolve();
    await eventually("its event waits", async () => (await sql(service.databaseUrl, WAITS)).length > 0);
    await eventually("its first attempt is over", async () => (await sql(service.databaseUrl, WAITS)).length === 0);
    await locker.query("commit");
    unlocked.resolve();
    expect(await taskEnd(service, taskId)).toMatchObject({ status: "completed", error: null });
  } finally {
    await locker.end();
  }
});

async function answer({ task }: ProviderCall, reply: ProviderReply): Promise<void> {
  if (task === "says more than a provider may") {
    reply.say("word");
    for (let call = 0; call < 100; call++) reply.callTool("current_time", { padding: "x".repeat(100_000) }, `c${call}`);
  } else if (task === MEETS_LOCK) {
    reply.say("word ");
    await locked.promise;
    reply.say(LONG_CHUNK);
    await unlocked.promise;
    reply.say(" end");
  } else if (task === "says long words") {
    // Far less than the provider's limit, so that a slow machine meets the limit of events first.
    for (let word = 0; word < LONG_WORDS; word++) reply.say("word".repeat(20_000));
    for (let word = 0; word < LONG_WORDS; word++) {
      reply.say("word ");
      await sleep(BETWEEN_LATE_WORDS_MS);
    }
  } else {
    for (let word = 0; word < WORDS; word++) {
      reply.say("word ");
      await sleep(BETWEEN_WORDS_MS);
    }
  }
  reply.finish();
}
