import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { openAiAgent, startTask, taskEnd } from "../support/runs.ts";
import { startScriptedProvider } from "../support/scripted-provider.ts";
import type { ScriptedProvider, ProviderCall, ProviderReply } from "../support/scripted-provider.ts";
import { startService } from "../support/service.ts";
import type { TestService } from "../support/service.ts";
import { readToEnd } from "../support/sse-client.ts";
import { expectWholeStream, messagesIn, shapeOf } from "../support/valid-stream.ts";
import { verifies } from "../support/verifies.ts";

const ATTEMPTS = 2;
/** In seconds: longer than a call that is answered takes on a busy machine. */
const MODEL_TIMEOUT = 4;
const ANSWER = "Hello from the fallback.";
/** Longer than any key of a database may be, and what none can store. */
const LONG_ID = `call_\0${randomBytes(3_000).toString("base64")}`;

/** What the agent's own model does, by the task's title. */
const troubles: Readonly<Record<string, (reply: ProviderReply) => void>> = {
  aborts: (reply) => {
    reply.say("Half a ");
    setTimeout(() => reply.abortConnection(), 100);
  },
  hangs: (reply) => reply.say("Half a "),
  "says what cannot be stored": (reply) => {
    reply.say("a\0b \uD83D");
    reply.finish();
  },
  "names its calls at length": (reply) => {
    reply.callTool("current_time", {}, LONG_ID);
    reply.finish();
  },
  "rejects with it": (reply) => reply.refuse(400, "no\0pe"),
  "is gone": (reply) => reply.refuse(404, "The model `gpt-4o` does not exist."),
  "is not served": (reply) => reply.refuse(400, "Model gpt-4o not found in catalogue."),
  "is busy for long": (reply) => reply.refuse(429, "Come back tomorrow.", { "retry-after": "86400" }),
};

let provider: ScriptedProvider;
let service: TestService;

beforeAll(async () => {
  provider = await startScriptedProvider(answer);
  service = await startService({
    env: {
      ...provider.env,
      MODEL_ATTEMPTS: String(ATTEMPTS),
      MODEL_TIMEOUT: String(MODEL_TIMEOUT),
    },
  });
});

afterAll(async () => {
  await service.stop();
  await provider.close();
});

const passing = [
  { verifies: "providers.fault.new-message", title: "aborts", model: "gpt-3.5-turbo" },
  { verifies: "providers.fault.call-timeout", title: "hangs", model: "gpt-4-turbo" },
] as const;

// Most of their time is a timeout, for which they wait together.
describe.concurrent("a model that does not finish", () => {
  for (const { title, model, ...row } of passing) {
    verifies(
      [row.verifies, "providers.fallback-model", "ag-ui.event.open-messages-closed"],
      `when the model ${title} in every attempt, the fallback's answer is a message of its own`,
      async () => {
        const { end, events } = await run({ title, model, fallback_model: "gpt-4o-mini" });
        expect(end).toMatchObject({ status: "completed", result: ANSWER });
        await expectWholeStream(events);
        expect(messagesIn(events)).toEqual([...Array.from({ length: ATTEMPTS }, () => "Half a "), ANSWER]);
        const message = ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"];
        const retried = Array.from({ length: ATTEMPTS - 1 }, () => [...message, "CUSTOM"]).flat();
        expect(shapeOf(events)).toEqual(["RUN_STARTED", ...retried, ...message, ...message, "RUN_FINISHED"]);
        await Promise.all(provider.callsOf(title).flatMap(({ gone, body }) => (body.model === model ? [gone] : [])));
      },
      { tags: "slow" },
    );
  }

  verifies(
    "providers.fault.call-timeout",
    "a model that never finishes its reply fails the task with its timeout in the message",
    async () => {
      const { end, events } = await run({ title: "hangs" });
      expect(end).toMatchObject({ status: "failed", result: null });
      expect(end.error).toContain(`no complete answer within ${MODEL_TIMEOUT} s`);
      expect(events.at(-1)?.event).toMatchObject({ type: "RUN_ERROR", code: "MODEL_ERROR", message: end.error });
      await expectWholeStream(events);
    },
    { tags: "slow" },
  );
});

verifies(
  "engine.text.storable",
  "characters of a model that no database can store are replaced, and the text is read again",
  async () => {
    const said = await run({ title: "says what cannot be stored" });
    expect(said.end).toMatchObject({ status: "completed", result: "a\uFFFDb \uFFFD" });
    await expectWholeStream(said.events);
    expect(messagesIn(said.events)).toEqual(["a\uFFFDb \uFFFD"]);
    const refused = await run({ title: "rejects with it" });
    expect(refused.end).toMatchObject({ status: "failed", error: expect.stringContaining("no\uFFFDpe") });
    await expectWholeStream(refused.events);
  },
);

verifies(
  "engine.text.storable",
  "the ids of a model's calls may be any text, and it gets them back unchanged",
  async () => {
    const { end, events } = await run({ title: "names its calls at length" });
    expect(end).toMatchObject({ status: "completed", result: ANSWER });
    await expectWholeStream(events);
    const [back] = provider.callsOf("names its calls at length", 1);
    expect(back?.body.messages.at(-1)).toMatchObject({ role: "tool", tool_call_id: LONG_ID });
  },
);

const refusing = [
  { verifies: "providers.fallback-model.model-refused", title: "is gone", reason: "does not exist" },
  { verifies: "providers.fallback-model.model-refused", title: "is not served", reason: "not found in catalogue" },
  { verifies: "providers.fault.429-too-long", title: "is busy for long", reason: "Come back tomorrow." },
] as const;

for (const { title, reason, ...row } of refusing) {
  verifies(row.verifies, `a model that ${title} is asked once; then its fallback answers`, async () => {
    // Not the model that failed before: after failures in a row it is not called for a while.
    const { end } = await run({ title, model: "gpt-4.1", fallback_model: "gpt-4o-mini" });
    expect(end).toMatchObject({ status: "completed", result: ANSWER });
    expect(provider.callsOf(title).map(({ body }) => body.model)).toEqual(["gpt-4.1", "gpt-4o-mini"]);
    const alone = await run({ title, model: "gpt-4.1" });
    expect(alone.end).toMatchObject({ status: "failed", error: expect.stringContaining(reason) });
  });
}

/** Runs a task to its end, on an agent with the fields that are not the title. */
async function run({ title, ...fields }: { readonly title: string; readonly [field: string]: string }) {
  const agentId = await openAiAgent(service, { tools: [], ...fields });
  const taskId = await startTask(service, agentId, { title });
  const events = await readToEnd(service, { agentId, taskId });
  return { end: await taskEnd(service, taskId), events };
}

function answer({ task, turn, body }: ProviderCall, reply: ProviderReply): void {
  if (body.model !== "gpt-4o-mini" && turn === 0) return troubles[task]?.(reply);
  reply.say(ANSWER);
  reply.finish();
}
