import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect } from "vitest";
import { openAiAgent, startTask, taskEnd } from "../../support/runs.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider, ProviderCall, ProviderReply } from "../../support/scripted-provider.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { readToEnd } from "../../support/sse-client.ts";
import { expectWholeStream } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";

const MAX_EVENTS = 40;
const WORDS = 400;
const BETWEEN_WORDS_MS = 5;
/** More than 1 MiB together; with the words after them fewer than MAX_EVENTS. */
const LONG_WORDS = 18;
const BETWEEN_LATE_WORDS_MS = 500;
/** Of the text that arrives while an event is being stored, some may still be stored after the limit is met. */
const LEEWAY = 5;

let provider: ScriptedProvider;
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

async function answer({ task }: ProviderCall, reply: ProviderReply): Promise<void> {
  if (task === "says more than a provider may") {
    reply.say("word");
    for (let call = 0; call < 100; call++) reply.callTool("current_time", { padding: "x".repeat(100_000) }, `c${call}`);
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
