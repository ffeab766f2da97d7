import { afterAll, beforeAll, describe, expect } from "vitest";
import anthropicFixture from "../contract/providers/fixtures/anthropic.ts";
import googleFixture from "../contract/providers/fixtures/google.ts";
import type { ProviderFixture } from "../contract/providers/provider-fixture.ts";
import { startRawProvider, writeEvents } from "../support/providers/raw-provider.ts";
import type { RawProvider } from "../support/providers/raw-provider.ts";
import { openAiAgent, startTask, taskEnd } from "../support/runs.ts";
import { startScriptedProvider } from "../support/scripted-provider.ts";
import type { ScriptedProvider, ProviderCall, ProviderReply } from "../support/scripted-provider.ts";
import { startService } from "../support/service.ts";
import type { TestService } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";
import { sql } from "../support/workspace.ts";

const SECOND = 1_000;
const ATTEMPTS = 2;
const CLAUDE = "claude-sonnet-4-20250514";
const KEYS = { openai: "sk-openai-0001", anthropic: "anthropic-0002", google: "google-0003", compatible: "local-0004" };

let provider: ScriptedProvider;
let anthropic: RawProvider;
let google: RawProvider;
let service: TestService;

beforeAll(async () => {
  provider = await startScriptedProvider(answer);
  anthropic = await startGreeter(anthropicFixture);
  google = await startGreeter(googleFixture);
  service = await startService({
    env: {
      OPENAI_API_KEY: KEYS.openai,
      OPENAI_BASE_URL: provider.baseUrl,
      ANTHROPIC_API_KEY: KEYS.anthropic,
      ANTHROPIC_BASE_URL: `${anthropic.url}/v1`,
      GOOGLE_GENERATIVE_AI_API_KEY: KEYS.google,
      GOOGLE_BASE_URL: `${google.url}/v1beta`,
      OPENAI_COMPATIBLE_API_KEY: KEYS.compatible,
      OPENAI_COMPATIBLE_BASE_URL: provider.baseUrl,
      MODEL_ATTEMPTS: String(ATTEMPTS),
    },
  });
});

afterAll(async () => {
  await service.stop();
  await Promise.all([provider.close(), anthropic.close(), google.close()]);
});

const servedByOne = [
  { verifies: "providers.openai", model: "gpt-4o", provider: "openai", key: KEYS.openai },
  { verifies: "providers.compatible", model: "llama-9", provider: "openai-compatible", key: KEYS.compatible },
] as const;

for (const { model, provider: id, key, ...row } of servedByOne) {
  verifies(
    [row.verifies, "providers.key.instance", "providers.base-url.settings"],
    `a task runs on ${id}, at the base URL and with the key of the settings`,
    async () => {
      const title = `runs on ${id}`;
      expect(await run({ title, model, provider: id })).toMatchObject({
        status: "completed",
        result: `Hello from ${model}.`,
      });
      expect(provider.callsOf(title).map(({ headers }) => headers.authorization)).toEqual([`Bearer ${key}`]);
    },
  );
}

verifies(
  ["providers.anthropic", "providers.key.instance", "providers.base-url.settings"],
  "a task runs on Anthropic, at the base URL and with the key of the settings",
  async () => {
    const end = await run({ title: "Greet", model: CLAUDE });
    expect(end).toMatchObject({ status: "completed", result: "Hello" });
    expect(keysOf(anthropic, "x-api-key")).toEqual([["/v1/messages", KEYS.anthropic]]);
  },
);

verifies(
  ["providers.google", "providers.key.instance", "providers.base-url.settings"],
  "a task runs on Google, at the base URL and with the key of the settings",
  async () => {
    const end = await run({ title: "Greet", model: "gemini-2.0-flash" });
    expect(end).toMatchObject({ status: "completed", result: "Hello" });
    const path = "/v1beta/models/gemini-2.0-flash:streamGenerateContent?alt=sse";
    expect(keysOf(google, "x-goog-api-key")).toEqual([[path, KEYS.google]]);
  },
);

verifies(
  [
    "providers.request.system-prompt",
    "providers.request.temperature",
    "providers.request.max-tokens",
    "providers.request.tools",
  ],
  "the agent's prompt, temperature, max_tokens and tools reach the provider through a task",
  async () => {
    const settings = { system_prompt: "Be brief.", temperature: 0.25, max_tokens: 77, tools: ["wait"] };
    await run({ title: "looks at its request", description: "Line one.\nLine two.", ...settings });
    const [call] = provider.callsOf("looks at its request");
    expect(call?.body).toMatchObject({
      model: "gpt-4o",
      temperature: 0.25,
      max_tokens: 77,
      messages: [
        { role: "system", content: "Be brief." },
        {
          role: "user",
          content: "Task Title: looks at its request\n\nTask Description:\nLine one.\nLine two.",
        },
      ],
      tools: [{ type: "function", function: { name: "wait", parameters: { required: ["seconds"] } } }],
    });
  },
);

verifies("providers.fault.429-retried", "a 429 is retried, not before the time in Retry-After", async () => {
  const title = "429 once";
  expect(await run({ title })).toMatchObject({ status: "completed", result: "Hello from gpt-4o." });
  const [first, second, ...more] = provider.callsOf(title);
  expect(more).toEqual([]);
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(2 * SECOND);
});

const passing = [
  { verifies: "providers.fault.500-retried", title: "500 once" },
  { verifies: "providers.fault.cut-stream", title: "cut once" },
] as const;

const staying = [
  { verifies: "providers.fault.retries-exhausted", title: "503 always", calls: ATTEMPTS, reason: "This is 503." },
  { verifies: "providers.fault.retries-exhausted", title: "429 always", calls: ATTEMPTS, reason: "This is 429." },
  { verifies: "providers.fault.cut-stream", title: "cut always", calls: ATTEMPTS, reason: "gpt-4o" },
  { verifies: "providers.fault.request-not-retried", title: "400 always", calls: 1, reason: "This is 400." },
  { verifies: "providers.key.refused-fails-task", title: "401 always", calls: 1, reason: "This is 401." },
] as const;

// They wait for their retries together.
describe.concurrent("a fault of a provider", () => {
  for (const { title, ...row } of passing) {
    verifies(row.verifies, `a fault that passes (${title}) is met with another try`, async () => {
      expect(await run({ title })).toMatchObject({ status: "completed", result: "Hello from gpt-4o." });
      expect(provider.callsOf(title)).toHaveLength(2);
    });
  }

  for (const { title, calls, reason, ...row } of staying) {
    verifies(row.verifies, `a fault that stays (${title}) fails the task with the provider's reason`, async () => {
      const end = await run({ title });
      expect(end).toMatchObject({ status: "failed", result: null });
      expect(end.error).toContain(reason);
      expect(end.error).not.toContain(KEYS.openai);
      expect(provider.callsOf(title)).toHaveLength(calls);
    });
  }
});

verifies(
  ["providers.fallback-model", "usage.record.model-used"],
  "when the model stays unavailable its fallback replies, and is in the usage record",
  async () => {
    const title = "gpt-4o is down";
    // Not the model that failed before: after failures in a row it is not called for a while.
    const { id, ...end } = await run({ title, model: "gpt-4.1", fallback_model: "gpt-4o-mini" });
    expect(end).toMatchObject({ status: "completed", result: "Hello from gpt-4o-mini." });
    const models = provider.callsOf(title).map(({ body }) => body.model);
    expect(models).toEqual([...Array.from({ length: ATTEMPTS }, () => "gpt-4.1"), "gpt-4o-mini"]);
    expect(await usedBy(id)).toEqual([{ provider: "openai", model: "gpt-4o-mini" }]);
  },
);

verifies(
  ["providers.fallback-model.other-provider", "usage.record.model-used"],
  "a fallback model of another provider is called there, with that provider's key",
  async () => {
    const before = anthropic.requests.length;
    const { id, ...end } = await run({ title: "gpt-4o is down, again", fallback_model: CLAUDE });
    expect(end).toMatchObject({ status: "completed", result: "Hello" });
    expect(keysOf(anthropic, "x-api-key").slice(before)).toEqual([["/v1/messages", KEYS.anthropic]]);
    expect(await usedBy(id)).toEqual([{ provider: "anthropic", model: CLAUDE }]);
  },
);

verifies("providers.demo.marked", "replies of the demo model are marked as such", async () => {
  const end = await run({ title: "Say something", model: "demo" });
  expect(end.status).toBe("completed");
  expect(end.result).toMatch(/^Demo model \(no AI\):/);
});

/** What the model does; the task's title selects it: a status, once or always, or an answer that aborts. */
function answer({ task, nth, body }: ProviderCall, reply: ProviderReply): void {
  const [, fault = "", how] = /^(\d+|cut) (once|always)$/.exec(task) ?? [];
  const isDown = task.startsWith("gpt-4o is down") && body.model !== "gpt-4o-mini";
  if (isDown) return reply.refuse(503, "Down for maintenance.");
  if (fault === "" || (how === "once" && nth > 1)) {
    reply.say(`Hello from ${body.model}.`);
    return reply.finish();
  }
  if (fault === "cut") {
    reply.say("Hel");
    return reply.abortConnection();
  }
  const reason = `This is ${fault}. Key: ${KEYS.openai}`;
  if (fault === "429" && how === "once") return reply.refuse(429, reason, { "retry-after": "2" });
  return reply.refuse(Number(fault), reason);
}

/** Runs a task to its end, on an agent with the fields that are not the task's. */
async function run(fields: {
  readonly title: string;
  readonly description?: string;
  readonly [field: string]: unknown;
}) {
  const { title, description = "", ...agent } = fields;
  const agentId = await openAiAgent(service, { tools: [], ...agent });
  return taskEnd(service, await startTask(service, agentId, { title, description }));
}

function usedBy(taskId: string) {
  return sql(service.databaseUrl, "select provider, model from usage_records where task_id = $1", [taskId]);
}

/** A provider that answers everything with "Hello". */
function startGreeter({ events }: ProviderFixture): Promise<RawProvider> {
  return startRawProvider((response) => {
    writeEvents(response, [...events.hello, ...events.end]);
    response.end();
  });
}

function keysOf({ requests }: RawProvider, header: string) {
  return requests.map(({ path, headers }) => [path, headers[header]]);
}
