import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Output, generateText, isStepCount, jsonSchema, streamText, tool } from "ai";
import type { LanguageModel } from "ai";
import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, listOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { WEATHER, callingScript, callsText } from "../../support/client-tools.ts";
import { asked, startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { useProvider } from "../../support/providers/scripted-agents.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";

let provider: ScriptedProvider;
let service: SharedService;
let api: Api;

beforeAll(async () => {
  provider = await startScriptedProvider((call, reply) => {
    if (!asked(call).startsWith("Where is the dot?")) return callingScript(call, reply);
    reply.say('{"x":1}');
    return reply.finish();
  });
  service = await useProvider(provider);
  api = apiOf(service, service.keys.api);
  await createAgent(api, { name: "Guide", model: "gpt-4o" });
});
afterAll(async () => {
  await provider.close();
});

const settings = () => ({ baseURL: `${service.url}/v1`, apiKey: service.keys.api });

const MODELS: Readonly<Record<string, () => LanguageModel>> = {
  "openai-compatible": () =>
    createOpenAICompatible({ name: "muster", supportsStructuredOutputs: true, ...settings() }).chatModel("Guide"),
  "openai chat": () => createOpenAI(settings()).chat("Guide"),
  "openai responses": () => createOpenAI(settings()).responses("Guide"),
};

const POINT = jsonSchema<{ x: number }>({ type: "object", properties: { x: { type: "number" } }, required: ["x"] });
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

for (const [name, model] of Object.entries(MODELS)) {
  verifies(["openai.format", "openai.files"], `generateText gets an object about an image: ${name}`, async () => {
    const { output } = await generateText({
      model: model(),
      maxRetries: 0,
      output: Output.object({ schema: POINT }),
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: `Where is the dot? ${name}` },
            { type: "file", data: PIXEL, mediaType: "image/png" },
          ],
        },
      ],
    });
    expect(output).toEqual({ x: 1 });
    expect(provider.calls.at(-1)?.images).toEqual([`data:image/png;base64,${PIXEL}`]);
  });
}

const bern = { name: "get_weather", args: { city: "Bern" } };
const oslo = { name: "get_weather", args: { city: "Oslo" } };
const prompt = callsText([bern, oslo], [bern]);
const EXPECTED = "Results: fine in Bern | fine in Oslo | fine in Bern";

function options(model: LanguageModel) {
  return {
    model,
    prompt,
    maxRetries: 0,
    stopWhen: isStepCount(5),
    tools: {
      get_weather: tool({
        description: WEATHER.description,
        inputSchema: jsonSchema<{ city: string }>({ type: "object", properties: { city: { type: "string" } } }),
        execute: ({ city }) => `fine in ${city}`,
      }),
    },
  };
}

for (const [name, model] of Object.entries(MODELS)) {
  verifies("openai.client-tools.ai-sdk", `generateText runs its tools in one run of the agent: ${name}`, async () => {
    const before = listOf(await api.get("/api-tasks")).length;
    const { text, steps, totalUsage } = await generateText(options(model()));
    expect(text).toBe(EXPECTED);
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(["tool-calls", "tool-calls", "stop"]);
    expect(totalUsage.totalTokens).toBe(54);
    const tasks = listOf(await api.get("/api-tasks"));
    expect(tasks).toHaveLength(before + 1);
    expect(tasks[0]).toMatchObject({ status: "completed" });
  });

  verifies("openai.client-tools.ai-sdk", `streamText as well: ${name}`, async () => {
    const { text, steps } = streamText(options(model()));
    expect(await text).toBe(EXPECTED);
    expect(await steps).toHaveLength(3);
  });
}
