import { afterAll, describe, expect } from "vitest";
import { createTool } from "../../../support/custom-tools.ts";
import { createTextTool, startTexts } from "../../../support/long-run.ts";
import { freePort } from "../../../support/free-port.ts";
import { startAnthropic } from "../../../support/providers/strict/anthropic.ts";
import { startAzureOpenAi } from "../../../support/providers/strict/azure-openai.ts";
import { startBedrock } from "../../../support/providers/strict/bedrock.ts";
import { startCompatible } from "../../../support/providers/strict/compatible.ts";
import { startGoogle } from "../../../support/providers/strict/google.ts";
import { startVertex } from "../../../support/providers/strict/google-vertex.ts";
import { startOpenAiResponses } from "../../../support/providers/strict/openai-responses.ts";
import { calls, says, thinks } from "../../../support/providers/strict/strict-server.ts";
import type { TaskFields } from "../../../support/work.ts";
import { verifies } from "../../../support/verifies.ts";
import { openStrictScene, textOf } from "./strict-scene.ts";

const VENDORS = [
  { name: "OpenAI", provider: "openai", model: "gpt-6-sol", vendor: await startOpenAiResponses() },
  { name: "OpenAI's small model", provider: "openai", model: "gpt-6-luna", vendor: await startOpenAiResponses() },
  { name: "Anthropic", provider: "anthropic", model: "claude-sonnet-5-5", vendor: await startAnthropic() },
  { name: "Google", provider: "google", model: "gemini-4-argon", vendor: await startGoogle() },
  { name: "Azure OpenAI", provider: "azure-openai", model: "gpt-6-sol", vendor: await startAzureOpenAi() },
  {
    name: "Amazon Bedrock",
    provider: "amazon-bedrock",
    model: "eu.anthropic.claude-sonnet-5-5",
    vendor: await startBedrock(),
  },
  { name: "Google Vertex AI", provider: "google-vertex", model: "gemini-4-argon", vendor: await startVertex() },
  { name: "Mistral", provider: "openai-compatible", model: "mistral-9", vendor: await startCompatible("mistral") },
  { name: "DeepSeek", provider: "openai-compatible", model: "deepseek-9", vendor: await startCompatible("deepseek") },
  { name: "Moonshot", provider: "openai-compatible", model: "kimi-9", vendor: await startCompatible("moonshot") },
  { name: "Groq", provider: "openai-compatible", model: "gpt-oss-9", vendor: await startCompatible("groq") },
  { name: "Ollama", provider: "openai-compatible", model: "qwen-9", vendor: await startCompatible("ollama") },
  { name: "vLLM", provider: "openai-compatible", model: "qwen-9", vendor: await startCompatible("vllm") },
  { name: "llama.cpp", provider: "openai-compatible", model: "any-9", vendor: await startCompatible("llama.cpp") },
  {
    name: "OpenRouter",
    provider: "openai-compatible",
    model: "anthropic/claude-9",
    vendor: await startCompatible("openrouter"),
  },
  { name: "xAI", provider: "openai-compatible", model: "grok-9", vendor: await startCompatible("xai") },
];

const texts = await startTexts(40);

afterAll(
  async () => void (await Promise.all([texts, ...VENDORS.map(({ vendor }) => vendor)].map((server) => server.close()))),
);

const CALL = { parts: [thinks("I need the time."), calls("current_time")] };

const branch = (name: string) => ({ properties: { [name]: { type: "string" } }, required: [name] });

/** Schemas of tools that some vendor rejects, together with all other tools of the request. */
const ODD_SCHEMAS = [
  { type: "object", anyOf: [branch("id"), branch("name")] },
  { type: "object", ...branch("id"), not: { required: ["id", "name"] } },
  { type: "object" },
  { type: "object", properties: { ids: { type: "array" }, tags: { type: ["array", "null"], default: null } } },
  {
    type: "object",
    properties: { place: { $ref: "#/$defs/Place", title: "Place", description: "Where" } },
    $defs: { Place: { type: "object", properties: { city: { type: "string" } } } },
  },
];

/** What an endpoint wants in another form is learned from its first rejection; after that it rejects nothing. */
async function runTwice(provider: string, run: () => Promise<TaskFields>): Promise<TaskFields> {
  if (provider === "openai-compatible") await run();
  return run();
}

describe.each(VENDORS)("$name", ({ provider, model, vendor }) => {
  verifies(
    ["providers.strict.tools-while-reasoning", "providers.strict.reasoning-sent-back"],
    "a model that thinks before it calls a tool gets its thoughts back, and answers",
    async () => {
      const { run } = await openStrictScene(provider, vendor);
      const end = await runTwice(provider, () => run({ model }, CALL, says("Noon.")));
      expect(end).toMatchObject({ status: "completed", result: "Noon." });
      expect([vendor.rejected, vendor.accepted.length]).toEqual([[], 2]);
    },
  );

  verifies("providers.strict.text-between-calls", "text between two tool calls goes back", async () => {
    const { run, sent } = await openStrictScene(provider, vendor);
    const first = { parts: [{ type: "text", text: "First I look." } as const, calls("current_time")] };
    const second = { parts: [calls("current_time", { time_zone: "UTC" })] };
    const end = await runTwice(provider, () => run({ model }, first, second, says("Noon.")));
    expect([end.status, vendor.rejected]).toEqual(["completed", []]);
    expect(textOf(sent(2))).toContain("First I look.");
  });

  verifies("providers.strict.invented-tool", "a tool that the model invented does not end the run", async () => {
    const { run } = await openStrictScene(provider, vendor);
    const invented = { parts: [calls("functions.current time")] };
    const end = await runTwice(provider, () => run({ model }, invented, says("Noon.")));
    expect([end.status, vendor.rejected]).toEqual(["completed", []]);
  });

  verifies("providers.strict.blank-texts", "blank text and empty system prompts are not sent", async () => {
    const { run } = await openStrictScene(provider, vendor);
    const blank = { parts: [{ type: "text", text: "\n\n" } as const, calls("current_time")] };
    for (const prompt of ["", "  "]) {
      const end = await runTwice(provider, () => run({ model, system_prompt: prompt }, blank, says("Noon.")));
      expect([end.status, vendor.rejected]).toEqual(["completed", []]);
    }
  });

  verifies("providers.strict.root-alternatives", "tools with odd schemas are offered and called", async () => {
    const scene = await openStrictScene(provider, vendor);
    const url = `http://127.0.0.1:${await freePort()}/nothing`;
    const tools: string[] = [];
    for (const [index, parameters] of ODD_SCHEMAS.entries()) {
      tools.push(`custom:${await createTool(scene.service, { name: `find_thing_${index}`, parameters, url })}`);
    }
    const call = { parts: [calls("find_thing_0", { id: "7" })] };
    const end = await runTwice(provider, () =>
      scene.run({ model, tools: [...tools, "current_time"] }, call, says("Found.")),
    );
    expect([end.status, vendor.rejected]).toEqual(["completed", []]);
    for (const index of ODD_SCHEMAS.keys()) expect(textOf(scene.sent(0))).toContain(`find_thing_${index}`);
  });

  verifies("providers.strict.output-schema", "the schema of a result is accepted", async () => {
    const { run } = await openStrictScene(provider, vendor);
    const schema = {
      type: "object",
      properties: { city: { type: "string" }, note: { type: "string" } },
      required: ["city"],
    };
    const fields = { model, output_schema: schema, tools: [] };
    const end = await runTwice(provider, () => run(fields, says('{"city":"Bern"}')));
    expect([end.status, end.result, vendor.rejected]).toEqual(["completed", '{"city":"Bern"}', []]);
  });

  verifies("providers.strict.integers", "a long integer keeps its digits", async () => {
    const scene = await openStrictScene(provider, vendor);
    const tools = [await createTextTool(scene.service, texts)];
    const args = '{"part":1198765432109876543,"parts":[-9007199254740993,7]}';
    const end = await runTwice(provider, () =>
      scene.run({ model, tools }, { parts: [calls("read_part", args)] }, says("Read.")),
    );
    expect([end.status, vendor.rejected, texts.seen.at(-1)?.body]).toEqual(["completed", [], args]);
    expect(vendor.accepted[1]?.text.replaceAll("\\", "")).toContain(args);
  });

  verifies("providers.strict.parameters", "a temperature is no reason to fail", async () => {
    const { run } = await openStrictScene(provider, vendor);
    const end = await runTwice(provider, () => run({ model, temperature: 0.2, max_tokens: 500 }, says("Noon.")));
    expect([end.status, vendor.rejected]).toEqual(["completed", []]);
  });
});
