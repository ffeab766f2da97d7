import { beforeAll, expect } from "vitest";
import { agentFile, importAgents } from "../../support/agent-files.ts";
import { V2, apiOf, consoleOf, fieldsOf, refusal } from "../../support/api.ts";
import type { Answer, Api } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, readAgent } from "../../support/work.ts";
import { addWorkspace } from "../../support/workspace.ts";

const SONNET = "claude-sonnet-5-5";
const HAIKU = "claude-haiku-4-5";
/** Of a version that is newer than the catalogue. */
const NEWER = "gpt-99-omega";
const CUSTOM = { provider: "openai-compatible", model: "llama-9" } as const;
/** Its properties are in neither of the orders in which a database would put them. */
const SCHEMA = {
  type: "object",
  properties: { thoughts: { type: "string" }, b: { type: "integer" }, answer: { type: "string" } },
  required: ["thoughts", "answer"],
} as const;

let service: SharedService;
let api: Api;
let library: Api;

beforeAll(async () => {
  service = await useSharedService();
  api = apiOf(service, service.keys.api);
  library = consoleOf(service, service.keys.api);
});

async function change(id: string, patch: object): Promise<Answer> {
  return api.patch(`/api-agents?id=${id}`, patch);
}

async function fallbacksAfter(id: string, patch: object): Promise<unknown> {
  const { fallback_model: first, fallback_models: all } = fieldsOf(await change(id, patch));
  return [first, all];
}

verifies(
  "agents.write.fallback-models",
  "the first of the list is fallback_model, in whichever field it is set",
  async () => {
    const { id } = await createAgent(api, { fallback_models: [SONNET, HAIKU, "gpt-4o"] });
    expect(await readAgent(api, id)).toMatchObject({ fallback_model: SONNET });
    expect(await fallbacksAfter(id, { fallback_model: "gpt-4-turbo" })).toEqual([
      "gpt-4-turbo",
      ["gpt-4-turbo", HAIKU, "gpt-4o"],
    ]);
    expect(await fallbacksAfter(id, { fallback_model: "gpt-4o" })).toEqual(["gpt-4o", ["gpt-4o", HAIKU]]);
    expect(await fallbacksAfter(id, { fallback_model: null })).toEqual([null, []]);
    expect(await fallbacksAfter(id, { fallback_model: null, fallback_models: [] })).toEqual([null, []]);
    expect(await fallbacksAfter(id, { fallback_model: SONNET, fallback_models: [SONNET] })).toEqual([SONNET, [SONNET]]);
    const one = await createAgent(api, { fallback_model: HAIKU });
    expect(await readAgent(api, one.id)).toMatchObject({ fallback_models: [HAIKU] });
  },
);

const WRONG_FALLBACKS = [
  { fields: { fallback_models: [SONNET, SONNET] }, path: "fallback_models", says: "twice" },
  { fields: { fallback_models: ["1", "2", "3", "4", "5", "6"] }, path: "fallback_models", says: "at most 5" },
  {
    fields: { fallback_models: [SONNET, "demo"] },
    path: "fallback_models.1",
    says: "cannot be the model and a fallback",
  },
  { fields: { fallback_model: "demo" }, path: "fallback_model", says: "cannot be the model and a fallback" },
  { fields: { fallback_models: [SONNET, "no-such-model"] }, path: "fallback_models.1", says: "No provider knows" },
  { fields: { fallback_model: HAIKU, fallback_models: [SONNET] }, path: "fallback_model", says: "must be the first" },
  { fields: { fallback_model: null, fallback_models: [SONNET] }, path: "fallback_model", says: "must be the first" },
  { fields: { fallback_models: [""] }, path: "fallback_models.0", says: "must not be empty" },
  { fields: { fallback_models: null }, path: "fallback_models", says: "must be a list" },
] as const;

for (const { fields, path, says } of WRONG_FALLBACKS) {
  verifies("agents.write.fallback-models", `${JSON.stringify(fields)} is rejected`, async () => {
    const rejected = { status: 400, paths: [path], message: expect.stringContaining(says) };
    expect(refusal(await api.post("/api-agents", { name: "A", model: "demo", ...fields }))).toMatchObject(rejected);
    const { id } = await createAgent(api);
    expect(refusal(await change(id, fields))).toMatchObject(rejected);
    const imported = refusal(await library.post("/agents/import", agentFile(fields)));
    expect(imported).toMatchObject({ ...rejected, paths: [`data.${path}`] });
  });
}

verifies("agents.write.fallback-models", "a fallback model cannot become the model as well", async () => {
  const { id } = await createAgent(api, { fallback_models: [HAIKU, SONNET] });
  expect(refusal(await change(id, { model: SONNET }))).toMatchObject({ status: 400, paths: ["model"] });
  expect(fieldsOf(await change(id, { model: SONNET, fallback_models: [HAIKU] }))).toMatchObject({ model: SONNET });
});

verifies("agents.write.temperature-null", "a temperature is 0.7 unless it is given, and may be null", async () => {
  const { id } = await createAgent(api);
  expect((await readAgent(api, id))["temperature"]).toBe(0.7);
  expect(fieldsOf(await change(id, { temperature: null }))["temperature"]).toBeNull();
  expect((await createAgent(api, { temperature: null }))["temperature"]).toBeNull();
});

verifies(["agents.write.reasoning", "agents.write.prompt-caching"], "a change keeps the absent part", async () => {
  const { id } = await createAgent(api, { ...CUSTOM, reasoning: { effort: "xhigh" }, prompt_caching: false });
  expect(await readAgent(api, id)).toMatchObject({
    reasoning: { effort: "xhigh", show: false },
    prompt_caching: false,
  });
  expect(fieldsOf(await change(id, { reasoning: { show: true } }))["reasoning"]).toEqual({
    effort: "xhigh",
    show: true,
  });
  expect(fieldsOf(await change(id, { reasoning: { effort: null } }))["reasoning"]).toEqual({
    effort: null,
    show: true,
  });
});

const WRONG_REASONING = [
  { reasoning: { effort: "enormous" }, path: "reasoning.effort", says: "none, minimal, low, medium, high, xhigh" },
  { reasoning: { effort: "high" }, path: "reasoning.effort", says: "only null is accepted" },
  { reasoning: { show: "yes" }, path: "reasoning.show", says: "must be true or false" },
  { reasoning: { budget: 5 }, path: "reasoning.budget", says: "unknown field" },
  { reasoning: null, path: "reasoning", says: "must be an object" },
] as const;

for (const { reasoning, path, says } of WRONG_REASONING) {
  verifies("agents.write.reasoning", `reasoning ${JSON.stringify(reasoning)} is rejected`, async () => {
    const rejected = { status: 400, paths: [path], message: expect.stringContaining(says) };
    expect(refusal(await api.post("/api-agents", { name: "A", model: "demo", reasoning }))).toMatchObject(rejected);
    const { id } = await createAgent(api);
    expect(refusal(await change(id, { reasoning }))).toMatchObject(rejected);
  });
}

verifies("agents.write.reasoning", "a model of the catalogue accepts only its own efforts", async () => {
  const { id } = await createAgent(api, { model: SONNET, reasoning: { effort: "max" } });
  const says = new RegExp(`"${SONNET}" does not accept the effort "minimal": it accepts low, .*max, and null`);
  const rejected = { status: 400, paths: ["reasoning.effort"], message: expect.stringMatching(says) };
  expect(refusal(await change(id, { reasoning: { effort: "minimal" } }))).toMatchObject(rejected);
});

verifies(
  "agents.write.reasoning",
  "a model that lacks the agent's effort is rejected until the effort changes",
  async () => {
    const { id } = await createAgent(api, { ...CUSTOM, reasoning: { effort: "minimal" } });
    const demo = { model: "demo", provider: "demo" };
    expect(refusal(await change(id, demo))).toMatchObject({ status: 400, paths: ["reasoning.effort"] });
    expect((await change(id, { ...demo, reasoning: { effort: null } })).status).toBe(200);
  },
);

verifies(
  "agents.write.output-schema",
  "a schema keeps the order of its properties, in versions, files and copies",
  async () => {
    const { id } = await createAgent(api, { output_schema: SCHEMA, is_marketplace: true });
    const schemaOf = async (agentId: string, on = api) => (await readAgent(on, agentId))["output_schema"];
    const text = JSON.stringify(SCHEMA);
    expect(JSON.stringify(await schemaOf(id))).toBe(text);
    await change(id, { output_schema: null });
    expect(fieldsOf(await library.post(`/agents/${id}/versions/1/restore`, {}))["version"]).toBe(3);
    expect(JSON.stringify(await schemaOf(id))).toBe(text);
    const { required, ...rest } = SCHEMA;
    const reordered = { required, ...rest };
    expect(fieldsOf(await change(id, { output_schema: reordered }))["version"]).toBe(4);
    expect(fieldsOf(await library.get(`/agents/${id}/versions/4`))).toMatchObject({
      changed: ["output_schema"],
      fields: { output_schema: SCHEMA },
    });
    const [copy] = await importAgents(service, (await library.get(`/agents/${id}/export`)).body);
    expect(JSON.stringify(await schemaOf(copy?.id ?? ""))).toBe(JSON.stringify(reordered));
    const buyer = await addWorkspace(service.databaseUrl);
    const installed = await consoleOf(service, buyer.key).post(`/marketplace/${id}/install`, {});
    const bought = await schemaOf(String(fieldsOf(installed)["agent_id"]), apiOf(service, buyer.key));
    expect(JSON.stringify(bought)).toBe(JSON.stringify(reordered));
  },
);

const WRONG_SCHEMAS = [
  { schema: { type: "banana" }, says: "is not a usable JSON Schema" },
  { schema: { type: "string", pattern: "(" }, says: "is not a usable JSON Schema" },
  { schema: { description: "x".repeat(32_001) }, says: "must not be longer than 32000 characters" },
  { schema: "string", says: "must be an object" },
  { schema: [], says: "must be an object" },
] as const;

for (const { schema, says } of WRONG_SCHEMAS) {
  verifies("agents.write.output-schema", `the schema ${JSON.stringify(schema).slice(0, 40)} is rejected`, async () => {
    const rejected = { status: 400, paths: ["output_schema"], message: expect.stringContaining(says) };
    const body = { name: "A", model: "demo", output_schema: schema };
    expect(refusal(await api.post("/api-agents", body))).toMatchObject(rejected);
    const { id } = await createAgent(api);
    expect(refusal(await change(id, { output_schema: schema }))).toMatchObject(rejected);
    const imported = refusal(await library.post("/agents/import", agentFile({ output_schema: schema })));
    expect(imported).toMatchObject({ ...rejected, paths: ["data.output_schema"] });
  });
}

verifies("agents.create.newer-model", "a provider may have models that the catalogue does not know", async () => {
  const body = { name: "Ahead", provider: "openai", model: NEWER, reasoning: { effort: "max" } };
  const made = await api.post("/api-agents", body, V2);
  expect(made.status).toBe(201);
  const warning = made.headers.get("X-Warning");
  expect(warning).toMatch(
    /^The catalogue does not know the model "gpt-99-omega"\..* at the provider "openai"; its price/,
  );
  expect(made.body).toMatchObject({ data: body, meta: { warning } });
  const { id } = await createAgent(api);
  const changed = await change(id, { provider: "anthropic", model: "claude-sonet-5-5" });
  expect([changed.status, changed.headers.get("X-Warning")]).toEqual([200, expect.stringContaining(`mean ${SONNET}?`)]);
  // The provider was given once, and stays.
  const fallback = await change(id, { fallback_model: "claude-omega-9 🛰" });
  expect(fallback.headers.get("X-Warning")).toContain('"claude-omega-9 ?"');
  expect(fieldsOf(fallback)).toMatchObject({ provider: "anthropic", fallback_models: ["claude-omega-9 🛰"] });
  const file = agentFile({ provider: "openai", model: NEWER });
  expect(fieldsOf(await library.post("/agents/import", file))["warnings"]).toMatchObject([{ path: "data.model" }]);
});

for (const fields of [{ model: NEWER }, { model: NEWER, provider: "demo" }] as const) {
  verifies("agents.create.unknown-model-400", `${JSON.stringify(fields)} is rejected`, async () => {
    const rejected = { status: 400, paths: ["model"], message: expect.stringContaining(NEWER) };
    expect(refusal(await api.post("/api-agents", { name: "A", ...fields }))).toMatchObject(rejected);
    expect(refusal(await change((await createAgent(api)).id, fields))).toMatchObject(rejected);
  });
}

verifies(
  "agents.create.fallback-without-key",
  "a fallback model without a key is accepted with a warning",
  async () => {
    const says =
      /^The fallback model "gpt-4o" cannot be called: No API key for OpenAI.*\/console\/api\/provider-keys\/openai/;
    const made = await api.post("/api-agents", { name: "Careful", model: "demo", fallback_models: ["gpt-4o"] });
    expect([made.status, made.headers.get("X-Warning")]).toEqual([201, expect.stringMatching(says)]);
    const { id } = await createAgent(api, CUSTOM);
    const own = await change(id, { fallback_model: "gpt-4o" });
    expect(own.headers.get("X-Warning")).toContain("No base URL for");
    expect((await change(id, { fallback_model: null })).headers.get("X-Warning")).toBeNull();
    const imported = fieldsOf(await library.post("/agents/import", agentFile({ fallback_model: "gpt-4o" })));
    expect(imported["warnings"]).toEqual([{ path: "data.fallback_model", message: expect.stringMatching(says) }]);
  },
);
