import { afterAll, expect } from "vitest";
import { startCompatible } from "../../../support/providers/strict/compatible.ts";
import { calls, says, thinks } from "../../../support/providers/strict/strict-server.ts";
import type { StrictServer } from "../../../support/providers/strict/strict-server.ts";
import { stepOf } from "../../../support/run-steps.ts";
import { verifies } from "../../../support/verifies.ts";
import openaiCompatible from "#providers/openai-compatible.ts";
import { collect, question } from "../collect.ts";
import { openStrictScene, textOf } from "./strict-scene.ts";

const MODEL = "any-9";
const groq = await startCompatible("groq");
const moonshot = await startCompatible("moonshot");
const ollama = await startCompatible("ollama");
const openRouter = await startCompatible("openrouter");
const vllm = await startCompatible("vllm");
const xai = await startCompatible("xai");
const JSON_TYPE = { "content-type": "application/json" };
const CALL = { parts: [thinks("I need the time."), calls("current_time")] };

afterAll(
  async () => void (await Promise.all([groq, moonshot, ollama, openRouter, vllm, xai].map((vendor) => vendor.close()))),
);

/** A workspace that is connected to an endpoint. */
function sceneOf(vendor: StrictServer) {
  return openStrictScene("openai-compatible", vendor);
}

verifies(
  "providers.strict.reasoning-details",
  "OpenRouter gets the details of its reasoning back, put together",
  async () => {
    const { run, sent, vendor } = await sceneOf(openRouter);
    expect(await run({ model: MODEL }, CALL, says("Noon."))).toMatchObject({ status: "completed", result: "Noon." });
    expect(vendor.rejected).toEqual([]);
    expect(sent(1)["messages"]).toContainEqual(
      expect.objectContaining({
        role: "assistant",
        reasoning_details: [
          {
            type: "reasoning.text",
            format: "anthropic-claude-v1",
            index: 0,
            text: "I need the time.",
            signature: "c2lnbmVk",
          },
        ],
      }),
    );
  },
);

verifies(
  "providers.strict.dropped-parameters",
  "a parameter that an endpoint rejects is left out, and noted",
  async () => {
    for (const [vendor, fields, field] of [
      [moonshot, { temperature: 0.2 }, "temperature"],
      [xai, { reasoning: { effort: "high", show: false } }, "reasoning_effort"],
    ] as const) {
      const { run, sent, service } = await sceneOf(vendor);
      const { id, status } = await run({ model: MODEL, ...fields }, says("Noon."));
      expect(status).toBe("completed");
      expect(sent(0)).not.toHaveProperty(field);
      const { reply } = await stepOf(service, id, "model:0");
      expect(reply?.notes).toEqual([expect.stringMatching(/was not sent: the endpoint does not take/)]);
    }
  },
);

verifies(
  "providers.strict.dropped-parameters",
  "Ollama's words about thinking and tools reach the task, or are learned",
  async () => {
    const { run, sent } = await sceneOf(ollama);
    const effort = { reasoning: { effort: "high", show: false } };
    expect(await run({ model: "plain-9", tools: [], ...effort }, says("Noon."))).toMatchObject({ status: "completed" });
    expect(sent(0)).not.toHaveProperty("reasoning_effort");
    const failed = await run({ model: "plain-9" }, says("Noon."));
    expect([failed.status, failed.error]).toEqual([
      "failed",
      expect.stringContaining("plain-9:latest does not support tools"),
    ]);
  },
);

verifies(
  "providers.strict.alternating-roles",
  "two messages of a user become one where roles must alternate",
  async () => {
    const client = await openaiCompatible.connect({ baseUrl: vllm.baseUrl });
    const messages = ["Hello.", "Are you there?"].map((content) => ({ role: "user", content }) as const);
    await collect(client, { ...question("alternating-9", ""), messages });
    expect(vllm.accepted.at(-1)?.body).toMatchObject({
      messages: [{ role: "user", content: "Hello.\n\nAre you there?" }],
    });
  },
);

verifies("providers.strict.json-beside-tools", "Groq gets no schema of the result beside tools", async () => {
  const { run, sent, service } = await sceneOf(groq);
  const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  const { id, status } = await run({ model: MODEL, output_schema: schema }, says('{"city":"Bern"}'));
  expect(status).toBe("completed");
  expect(sent(0)).not.toHaveProperty("response_format");
  const { reply } = await stepOf(service, id, "model:0");
  expect(reply?.notes).toEqual([expect.stringContaining("only in the prompt")]);
});

verifies("providers.strict.malformed-call", "a call that Groq could not read is tried again", async () => {
  const { run, vendor } = await sceneOf(groq);
  const error = {
    message: "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
    type: "invalid_request_error",
    code: "tool_use_failed",
    failed_generation: "<function=current_time>{",
  };
  const rejected = { status: 400, headers: JSON_TYPE, raw: JSON.stringify({ error }) };
  expect(await run({ model: MODEL }, rejected, CALL, says("Noon."))).toMatchObject({ status: "completed" });
  expect(vendor.accepted).toHaveLength(3);
});

verifies("providers.strict.reasoning-apart", "reasoning that xAI counts apart is counted and billed", async () => {
  const { run, vendor } = await sceneOf(xai);
  const { usage } = await run({ model: MODEL }, says("Noon."));
  expect(usage).toMatchObject({ prompt_tokens: 11, completion_tokens: 10, reasoning_tokens: 3 });
  const wrong = { code: "Some requested entity was not found", error: "The model grok-0 does not exist." };
  const failed = await run({ model: MODEL }, { status: 404, headers: JSON_TYPE, raw: JSON.stringify(wrong) });
  expect([failed.error, vendor.accepted.length]).toEqual([
    expect.stringContaining("The model grok-0 does not exist."),
    1,
  ]);
});

verifies("providers.strict.loading", "a server that still loads its model is asked again", async () => {
  const { run, vendor } = await sceneOf(vllm);
  const error = { code: 503, message: "Loading model", type: "unavailable_error" };
  const loading = { status: 503, headers: JSON_TYPE, raw: JSON.stringify({ error }) };
  expect(await run({ model: MODEL }, loading, says("Noon."))).toMatchObject({ status: "completed" });
  expect(textOf(vendor.accepted.map(({ path }) => path))).toBe('["/v1/chat/completions","/v1/chat/completions"]');
});
