import { beforeAll, expect } from "vitest";
import { apiOf, fieldsOf, idsOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const MINIMAL = { name: "Scout", model: "demo" } as const;

let api: Api;

beforeAll(async () => {
  const service = await useSharedService();
  api = apiOf(service, service.keys.api);
});

verifies(
  [
    "agents.create.returns-record",
    "agents.create.minimal",
    "agents.create.defaults",
    "agents.create.system-prompt-default",
    "agents.create.output-routes-default-null",
    "agents.create.provider-derived",
    "agents.record.fields",
    "agents.record.id-is-uuid",
    "agents.record.timestamps-iso",
    "agents.status.initial-idle",
  ],
  "an agent with only a name and a model has every default",
  async () => {
    const me = fieldsOf(await api.get("/api-me"));
    const answer = await api.post("/api-agents", MINIMAL);
    expect(answer.status).toBe(201);
    const agent = fieldsOf(answer);
    expect(agent).toEqual({
      ...MINIMAL,
      id: expect.stringMatching(UUID),
      workspace_id: me["workspace_id"],
      created_by: me["id"],
      description: "",
      provider: "demo",
      fallback_model: null,
      fallback_models: [],
      system_prompt: "You are a helpful AI assistant.",
      temperature: 0.7,
      max_tokens: null,
      reasoning: { effort: null, show: false },
      output_schema: null,
      prompt_caching: true,
      tags: [],
      tools: [],
      status: "idle",
      voice_profile: null,
      voice_profile_id: null,
      output_template: null,
      output_template_id: null,
      knowledge_base_ids: [],
      output_route_ids: null,
      is_marketplace: false,
      marketplace_tags: [],
      install_count: 0,
      is_mcp_published: false,
      is_a2a_published: false,
      config: {},
      needs_review: false,
      version: 1,
      created_at: expect.stringMatching(TIME),
      updated_at: expect.stringMatching(TIME),
    });
    expect(agent["workspace_id"]).toMatch(UUID);
  },
);

const derived = [
  { model: "gpt-4o", provider: "openai" },
  { model: "claude-sonnet-4-20250514", provider: "anthropic" },
  { model: "gemini-2.0-flash", provider: "google" },
] as const;
for (const { model, provider } of derived) {
  verifies("agents.create.provider-derived", `the model ${model} brings the provider ${provider}`, async () => {
    const answer = await api.post("/api-agents", { name: "Scout", model });
    expect([answer.status, fieldsOf(answer)["provider"]]).toEqual([201, provider]);
  });
}

verifies("agents.create.unknown-model-400", "the rejection of an unknown model lists the known ones", async () => {
  const { message } = refusal(await api.post("/api-agents", { ...MINIMAL, model: "no-such-model" }));
  for (const known of ["no-such-model", "claude-sonnet-4-20250514", "gemini-1.5-pro", "gpt-4o", "demo"]) {
    expect(message).toContain(known);
  }
});

verifies("agents.create.custom-endpoint-any-model", "a custom endpoint accepts a model of any name", async () => {
  const custom = { ...MINIMAL, model: "llama-9:70b", provider: "openai-compatible" };
  const created = await api.post("/api-agents", custom);
  expect(created.status).toBe(201);
  expect(fieldsOf(created)).toMatchObject(custom);
  const changed = await api.patch(`/api-agents?id=${String(fieldsOf(created)["id"])}`, { model: "llama-10" });
  expect(fieldsOf(changed)).toMatchObject({ model: "llama-10", provider: "openai-compatible" });
});

verifies("agents.create.provider-derived", "a provider that does not serve the model is rejected", async () => {
  const wrong = await api.post("/api-agents", { name: "Scout", model: "gpt-4o", provider: "anthropic" });
  expect(refusal(wrong)).toMatchObject({ status: 400, paths: ["provider"] });
  const unknown = await api.post("/api-agents", { name: "Scout", model: "gpt-4o", provider: "acme" });
  expect(refusal(unknown)).toMatchObject({ status: 400, paths: ["provider"] });
});

verifies("agents.create.status-ignored", "a new agent is idle, whatever status is given", async () => {
  for (const status of ["idle", "running", "failed"]) {
    const made = await api.post("/api-agents", { ...MINIMAL, status });
    expect([made.status, fieldsOf(made)["status"]]).toEqual([201, "idle"]);
  }
  for (const status of ["busy", null]) {
    const answer = await api.post("/api-agents", { ...MINIMAL, status });
    expect(refusal(answer)).toMatchObject({ status: 400, paths: ["status"] });
  }
});

verifies("agents.patch.status-not-writable", "a status sent with a change has no effect", async () => {
  const { id } = await createAgent(api);
  const answer = await api.patch(`/api-agents?id=${id}`, { status: "failed", description: "changed" });
  expect(answer.status).toBe(200);
  expect(fieldsOf(answer)).toMatchObject({ status: "idle", description: "changed" });
});

verifies("envelope.body.read-only-ignored", "an unchanged agent record can be sent back", async () => {
  const { id } = await createAgent(api);
  const record = fieldsOf(await api.get(`/api-agents?id=${id}`));
  const answer = await api.patch(`/api-agents?id=${id}`, { ...record, id: crypto.randomUUID(), install_count: 9 });
  expect(answer.status).toBe(200);
  expect(fieldsOf(answer)).toEqual({ ...record, updated_at: fieldsOf(answer)["updated_at"] });
  const copy = await api.post("/api-agents", { ...record, created_at: "2001-01-01T00:00:00Z" });
  expect(copy.status).toBe(201);
  expect(fieldsOf(copy)["id"]).not.toBe(id);
  expect(fieldsOf(copy)["created_at"]).not.toBe("2001-01-01T00:00:00Z");
});

verifies(["agents.list.all", "agents.delete.removes"], "agents are listed until they are deleted", async () => {
  const first = await createAgent(api);
  const second = await createAgent(api);
  expect(idsOf(await api.get("/api-agents")).slice(0, 2)).toEqual([second.id, first.id]);
  expect((await api.delete(`/api-agents?id=${first.id}`)).status).toBe(204);
  expect(idsOf(await api.get("/api-agents?limit=200"))).not.toContain(first.id);
  expect(idsOf(await api.get("/api-agents"))[0]).toBe(second.id);
  expect(refusal(await api.get(`/api-agents?id=${first.id}`))).toMatchObject({ status: 404, code: "not_found" });
  expect((await api.delete(`/api-agents?id=${first.id}`)).status).toBe(404);
});
