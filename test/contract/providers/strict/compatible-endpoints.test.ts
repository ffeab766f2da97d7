import { gzipSync } from "node:zlib";
import { afterAll, expect } from "vitest";
import { startAnthropic } from "../../../support/providers/strict/anthropic.ts";
import { startCompatible } from "../../../support/providers/strict/compatible.ts";
import { startOpenAiResponses } from "../../../support/providers/strict/openai-responses.ts";
import { calls, says } from "../../../support/providers/strict/strict-server.ts";
import { apiOf } from "../../../support/api.ts";
import { startService } from "../../../support/service.ts";
import { createAgent, createTask } from "../../../support/work.ts";
import { verifies } from "../../../support/verifies.ts";
import { endOf, openStrictScene, textOf } from "./strict-scene.ts";

const MODEL = "any-9";
const groq = await startCompatible("groq");
const mistral = await startCompatible("mistral");
const newer = await startCompatible("newer-openai");
const anthropic = await startAnthropic();
const openai = await startOpenAiResponses();

afterAll(
  async () => void (await Promise.all([groq, mistral, newer, anthropic, openai].map((vendor) => vendor.close()))),
);

const PING = { type: "ping" };

/** An event stream of these chunks. */
function stream(...chunks: readonly unknown[]): string {
  return [...chunks.map((chunk) => JSON.stringify(chunk)), "[DONE]"].map((data) => `data: ${data}\n\n`).join("");
}

function chunk(content: unknown, finish_reason: string | null = null, rest: object = {}) {
  return { choices: [{ index: 0, delta: { content }, finish_reason }], ...rest };
}

verifies("providers.strict.odd-chunks", "unknown chunks are skipped, and counts are read as text", async () => {
  const { run } = await openStrictScene("openai-compatible", groq);
  const usage = { prompt_tokens: "12", completion_tokens: "5" };
  const raw = stream(PING, chunk("No"), PING, { choices: null }, chunk("on.", "stop"), { choices: [], usage });
  expect(await run({ model: MODEL }, { raw })).toMatchObject({
    status: "completed",
    result: "Noon.",
    usage: { prompt_tokens: 12, completion_tokens: 5 },
  });
});

verifies("providers.strict.odd-chunks", "unknown events are skipped on Anthropic and OpenAI", async () => {
  const claude = await openStrictScene("anthropic", anthropic);
  const events = [
    {
      type: "message_start",
      message: {
        id: "msg_1",
        model: "m",
        role: "assistant",
        content: [],
        usage: { input_tokens: 3, output_tokens: 1 },
      },
    },
    { type: "weather_report", sun: true },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Noon." } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 2 } },
    { type: "message_stop" },
  ];
  const raw = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
  expect(await claude.run({ model: "claude-sonnet-5-5" }, { raw })).toMatchObject({
    status: "completed",
    result: "Noon.",
  });
});

verifies("providers.strict.think-tags", "what is in <think> tags at the beginning is no result", async () => {
  const { run } = await openStrictScene("openai-compatible", groq);
  const split = stream(
    chunk("\n<thi"),
    chunk("nk>Let me se"),
    chunk("e.</th"),
    chunk("ink>\n\nNo"),
    chunk("on.", "stop"),
  );
  expect(await run({ model: MODEL }, { raw: split })).toMatchObject({ status: "completed", result: "Noon." });
  const later = stream(chunk("Use "), chunk("<think> tags.", "stop"));
  expect(await run({ model: MODEL }, { raw: later })).toMatchObject({ result: "Use <think> tags." });
});

verifies("providers.strict.gzip", "a compressed reply is read", async () => {
  const headers = { "content-type": "text/event-stream", "content-encoding": "gzip" };
  const raw = gzipSync(stream(chunk("Noon.", "stop")));
  const { run } = await openStrictScene("openai-compatible", groq);
  expect(await run({ model: MODEL }, { raw, headers })).toMatchObject({ status: "completed", result: "Noon." });
  const words = gzipSync(JSON.stringify({ error: { message: "Too hot today" } }));
  const failed = await run(
    { model: MODEL },
    { raw: words, status: 400, headers: { ...headers, "content-type": "application/json" } },
  );
  expect([failed.status, failed.error]).toEqual(["failed", expect.stringContaining("Too hot today")]);
});

verifies("providers.strict.vendor-words", "a vendor's words are in the task's error, in any form", async () => {
  const { run } = await openStrictScene("openai-compatible", groq);
  const detail = [{ type: "missing", loc: ["body", "messages"], msg: "Field required" }];
  const json = { "content-type": "application/json" };
  for (const [raw, words, headers] of [
    ["no such deployment", "no such deployment", { "content-type": "text/plain" }],
    [JSON.stringify({ detail }), "body.messages: Field required", json],
    [JSON.stringify([{ error: { code: 400, message: "Bad contents" } }]), "Bad contents", json],
    [JSON.stringify({ errors: [{ message: "Bad tools" }] }), "Bad tools", json],
  ] as const) {
    const { status, error } = await run({ model: MODEL }, { raw, status: 400, headers });
    expect([status, error]).toEqual(["failed", expect.stringContaining(words)]);
    expect(groq.accepted).toHaveLength(1); // the status says that another try is of no use
  }
});

verifies("providers.strict.vendor-words", "an error inside the stream is tried again as its status says", async () => {
  const { run } = await openStrictScene("openai-compatible", groq);
  const failed = await run(
    { model: MODEL },
    { raw: stream(chunk("No"), { error: { message: "Out of credits", code: 402 } }) },
  );
  expect([failed.error, groq.accepted.length]).toEqual([expect.stringContaining("Out of credits"), 1]);
  const tried = await run({ model: MODEL }, { raw: stream(chunk("No"), { error: "Try it again" }) }, says("Noon."));
  expect([tried.status, groq.accepted.length]).toEqual(["completed", 2]);
});

verifies("providers.strict.limit-name", "the name of the limit is learned once", async () => {
  const { run, sent } = await openStrictScene("openai-compatible", newer);
  const fields = { model: MODEL, max_tokens: 300 };
  expect(await run(fields, says("Noon."))).toMatchObject({ status: "completed" });
  expect([newer.rejected.length, sent(0)["max_completion_tokens"]]).toEqual([1, 300]);
  expect(await run(fields, says("Noon."))).toMatchObject({ status: "completed" });
  expect([newer.rejected, sent(0)["max_completion_tokens"]]).toEqual([[], 300]);
});

verifies("providers.strict.call-ids", "calls of another model get the ids that Mistral wants", async () => {
  const { run, sent } = await openStrictScene("openai-compatible", mistral);
  const call = { parts: [calls("current_time", {}, "call_of_another_model")] };
  expect(await run({ model: MODEL }, call, call, says("Noon."))).toMatchObject({ status: "completed" });
  const ids = [...textOf(sent(2)).matchAll(/"tool_call_id":"([^"]*)"/g)].map(([, id]) => id);
  expect(ids).toEqual([expect.stringMatching(/^[a-zA-Z0-9]{9}$/), expect.stringMatching(/^[a-zA-Z0-9]{9}$/)]);
  expect(new Set(ids).size).toBe(2);
});

verifies("providers.strict.roles", "a run at its last allowed call completes on Mistral", async () => {
  const own = await startService({ env: { MAX_STEPS: "2", OPENAI_COMPATIBLE_BASE_URL: mistral.baseUrl } });
  const api = apiOf(own, own.keys.api);
  mistral.plays({ parts: [calls("current_time", {}, "a1B2c3D4e")] }, says("Noon."));
  const { id: agent } = await createAgent(api, { provider: "openai-compatible", model: MODEL });
  const { id } = await createTask(api, { assigned_agent_id: agent });
  expect(await endOf(api, id)).toMatchObject({ status: "completed", result: "Noon." });
  expect(mistral.accepted[1]?.text).toContain("this is the last of 2 model calls");
  await own.stop();
});

verifies("providers.strict.reasoning-not-elsewhere", "reasoning in another field is not sent back", async () => {
  const { run, sent } = await openStrictScene("openai-compatible", groq);
  const thinking = stream(
    { choices: [{ delta: { reasoning: "I think." } }] },
    {
      choices: [
        {
          delta: { tool_calls: [{ index: 0, id: "c1", function: { name: "current_time", arguments: "{}" } }] },
          finish_reason: "tool_calls",
        },
      ],
    },
  );
  expect(await run({ model: MODEL }, { raw: thinking }, says("Noon."))).toMatchObject({ status: "completed" });
  expect(textOf(sent(1))).not.toContain("I think.");
});

verifies("providers.strict.exact-digits", "an integer above 2^53 keeps its digits in the history", async () => {
  const digits = '{"id":1198765432109876543}';
  for (const [provider, model, vendor] of [
    ["openai-compatible", MODEL, groq],
    ["openai", "gpt-6-sol", openai],
    ["anthropic", "claude-sonnet-5-5", anthropic],
  ] as const) {
    const { run, vendor: server } = await openStrictScene(provider, vendor);
    expect(await run({ model }, { parts: [calls("unknown_tool", digits)] }, says("Done."))).toMatchObject({
      status: "completed",
    });
    expect(server.accepted[1]?.text).toMatch(/1198765432109876543/);
  }
});
