import { beforeAll, expect } from "vitest";
import { apiOf, fieldsOf, idsOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, readAgent } from "../../support/work.ts";

const MINIMAL = { name: "Scout", model: "demo" } as const;

let api: Api;

beforeAll(async () => {
  const service = await useSharedService();
  api = apiOf(service, service.keys.api);
});

const writable = {
  name: "Écho 🛰️",
  description: "Finds things",
  model: "claude-sonnet-5-5",
  fallback_model: "gpt-4o",
  fallback_models: ["gpt-4o", "claude-haiku-4-5"],
  provider: "anthropic",
  system_prompt: "Be brief.",
  temperature: 1.25,
  max_tokens: 4_096,
  reasoning: { effort: null, show: true },
  output_schema: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
  prompt_caching: false,
  tags: ["research", "fast"],
  tools: ["current_time", "wait"],
  voice_profile: { tone: "Casual", custom_instructions: "No jargon.", output_format_hints: "Short lines." },
  output_template: { type: "Markdown", body: "# {{task_title}}\n{{task_result}}" },
  output_route_ids: [],
  is_marketplace: true,
  marketplace_tags: ["demo"],
  is_mcp_published: true,
  is_a2a_published: true,
  config: { nested: { list: [1, 2.5, null, true, "x"] }, empty: {} },
} as const;

verifies(
  [
    "agents.write.text-fields",
    "agents.write.model-settings",
    "agents.write.voice-and-template-inline",
    "agents.write.publication-flags",
    "agents.write.config",
    "agents.record.read-back",
    "agents.get.one",
  ],
  "every writable field can be set on creation and is read back as it was sent",
  async () => {
    const answer = await api.post("/api-agents", writable);
    expect(answer.status).toBe(201);
    expect(fieldsOf(answer)).toMatchObject(writable);
    const read = await api.get(`/api-agents?id=${String(fieldsOf(answer)["id"])}`);
    expect(read.status).toBe(200);
    expect(read.body).toEqual(answer.body);
  },
);

/** Fields that change with another one. */
const BROUGHT: Readonly<Record<string, object>> = {
  model: { provider: "anthropic" },
  fallback_model: { fallback_models: ["gpt-4o"] },
  fallback_models: { fallback_model: "gpt-4o" },
};

for (const [field, value] of Object.entries(writable)) {
  verifies(
    [
      "agents.write.text-fields",
      "agents.write.model-settings",
      "agents.write.voice-and-template-inline",
      "agents.write.publication-flags",
      "agents.write.config",
      "agents.patch.returns-record",
      "agents.patch.keeps-other-fields",
      "agents.patch.touches-updated-at",
    ],
    `changing ${field} changes that field alone, and moves updated_at`,
    async () => {
      const model = field === "provider" ? "claude-haiku-4-5" : "demo";
      const { id } = await createAgent(api, { model });
      const before = fieldsOf(await api.get(`/api-agents?id=${id}`));
      const answer = await api.patch(`/api-agents?id=${id}`, { [field]: value });
      expect(answer.status).toBe(200);
      const { updated_at: updated, version: _, ...after } = fieldsOf(answer);
      const { updated_at: created, version: __, ...rest } = before;
      expect(after).toEqual({ ...rest, ...BROUGHT[field], [field]: value });
      expect(String(updated) > String(created)).toBe(true);
      expect((await api.get(`/api-agents?id=${id}`)).body).toEqual(answer.body);
    },
  );
}

verifies("agents.create.output-routes-list", "an empty list of routes stays an empty list", async () => {
  const answer = await api.post("/api-agents", { ...MINIMAL, output_route_ids: [] });
  expect([answer.status, fieldsOf(answer)["output_route_ids"]]).toEqual([201, []]);
});

const faults = [
  { field: "name", value: undefined, onCreate: true, verifies: "agents.create.name-required" },
  { field: "name", value: "", verifies: "agents.create.name-length" },
  { field: "name", value: " \t\n\u00a0", verifies: "agents.create.name-blank" },
  { field: "name", value: "n".repeat(101), verifies: "agents.create.name-length" },
  { field: "model", value: undefined, onCreate: true, verifies: "agents.create.model-required" },
  { field: "temperature", value: -0.01, verifies: "agents.create.temperature-range" },
  { field: "temperature", value: 2.01, verifies: "agents.create.temperature-range" },
  { field: "temperature", value: "warm", verifies: "agents.create.temperature-range" },
  { field: "max_tokens", value: 0, verifies: "agents.create.max-tokens-integer" },
  { field: "max_tokens", value: -5, verifies: "agents.create.max-tokens-integer" },
  { field: "max_tokens", value: 1.5, verifies: "agents.create.max-tokens-integer" },
  { field: "max_tokens", value: "10", verifies: "agents.create.max-tokens-integer" },
  { field: "tags", value: Array.from({ length: 21 }, (_, i) => `t${i}`), verifies: "agents.create.tags-at-most-20" },
  { field: "tools", value: "wait", verifies: "agents.create.tools-are-names" },
  { field: "tools", value: [7], path: "tools.0", verifies: "agents.create.tools-are-names" },
  { field: "output_route_ids", value: ["x"], path: "output_route_ids.0", verifies: "agents.create.output-routes-list" },
  { field: "config", value: [], verifies: "agents.write.config" },
  { field: "is_marketplace", value: "yes", verifies: "agents.write.publication-flags" },
  {
    field: "voice_profile",
    value: { tone: "Angry" },
    path: "voice_profile.tone",
    verifies: ["agents.write.voice-and-template-inline", "voice.tones"],
  },
  {
    field: "output_template",
    value: { type: "XML", body: "x" },
    path: "output_template.type",
    verifies: ["agents.write.voice-and-template-inline", "templates.types"],
  },
  { field: "model", value: "no-such-model", verifies: "agents.create.unknown-model-400" },
  { field: "fallback_model", value: "no-such-model", verifies: "agents.create.unknown-model-400" },
] as const;

for (const fault of faults) {
  const { field, value } = fault;
  const path = "path" in fault ? fault.path : field;
  const shown = `${field} ${JSON.stringify(value)?.slice(0, 30) ?? "left out"}`;
  verifies(fault.verifies, `creating with ${shown} is rejected and creates nothing`, async () => {
    const before = idsOf(await api.get("/api-agents?limit=200"));
    const answer = await api.post("/api-agents", { ...MINIMAL, [field]: value });
    expect(refusal(answer)).toMatchObject({ status: 400, code: "bad_request", paths: [path] });
    expect(idsOf(await api.get("/api-agents?limit=200"))).toEqual(before);
  });
  if ("onCreate" in fault) continue;
  verifies("agents.patch.validated", `changing to ${shown} is rejected and changes nothing`, async () => {
    const { id } = await createAgent(api);
    const before = await readAgent(api, id);
    const answer = await api.patch(`/api-agents?id=${id}`, { [field]: value });
    expect(refusal(answer)).toMatchObject({ status: 400, code: "bad_request", paths: [path] });
    expect(await readAgent(api, id)).toEqual(before);
  });
}

verifies(
  ["agents.create.name-length", "agents.create.tags-at-most-20", "agents.create.temperature-range"],
  "the limits themselves are allowed",
  async () => {
    const tags = Array.from({ length: 20 }, (_, i) => `t${i}`);
    for (const fields of [
      { name: "n" },
      { name: "n".repeat(100), tags, temperature: 0, max_tokens: 1 },
      { temperature: 2 },
    ]) {
      const answer = await api.post("/api-agents", { ...MINIMAL, ...fields });
      expect(answer.status).toBe(201);
      expect(fieldsOf(answer)).toMatchObject(fields);
    }
  },
);

verifies("voice.tones", "every tone is accepted", async () => {
  for (const tone of ["Formal", "Casual", "Technical", "Creative", "Empathetic", "Custom"]) {
    const answer = await api.post("/api-agents", { ...MINIMAL, voice_profile: { tone } });
    expect([answer.status, fieldsOf(answer)["voice_profile"]]).toEqual([201, { tone }]);
  }
});

verifies("templates.types", "every type of template is accepted", async () => {
  for (const type of ["Markdown", "JSON", "HTML", "CSV", "Custom"]) {
    const answer = await api.post("/api-agents", { ...MINIMAL, output_template: { type, body: "{{task_result}}" } });
    expect([answer.status, fieldsOf(answer)["output_template"]]).toEqual([201, { type, body: "{{task_result}}" }]);
  }
});
