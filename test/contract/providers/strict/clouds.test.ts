import { afterAll, beforeAll, expect } from "vitest";
import amazonBedrock from "#providers/amazon-bedrock.ts";
import { apiOf, consoleOf, refusal } from "../../../support/api.ts";
import { useScriptedService } from "../../../support/providers/scripted-agents.ts";
import { ACCESS_KEY, REGION } from "../../../support/providers/strict/aws-signature.ts";
import { FILTERED, startAzureOpenAi } from "../../../support/providers/strict/azure-openai.ts";
import { startBedrock } from "../../../support/providers/strict/bedrock.ts";
import { serviceAccountKey, startVertex } from "../../../support/providers/strict/google-vertex.ts";
import { calls, says } from "../../../support/providers/strict/strict-server.ts";
import type { SharedService } from "../../../support/shared-service.ts";
import { verifies } from "../../../support/verifies.ts";
import { PROBE, collect, question } from "../collect.ts";
import { createAgent, createTask } from "../../../support/work.ts";
import { endOf, openStrictScene, textOf } from "./strict-scene.ts";

const CLAUDE = "eu.anthropic.claude-sonnet-5-5";
const GEMINI = "gemini-3.5-flash-lite";
const PAIR = `${ACCESS_KEY.id}:${ACCESS_KEY.secret}`;
const CALL = { parts: [calls("current_time")] };

const azure = await startAzureOpenAi();
const bedrock = await startBedrock();
const vertex = await startVertex();
let service: SharedService;

beforeAll(async () => {
  ({ service } = await useScriptedService());
});
afterAll(async () => void (await Promise.all([azure, bedrock, vertex].map((vendor) => vendor.close()))));

function save(provider: string, body: object) {
  return consoleOf(service, service.keys.api).call("PUT", `/provider-keys/${provider}`, { body });
}

async function test(provider: string, body: object) {
  return (await consoleOf(service, service.keys.api).post(`/provider-keys/${provider}/test`, body)).body;
}

async function run(fields: object) {
  const api = apiOf(service, service.keys.api);
  const { id: agent } = await createAgent(api, { tools: ["current_time"], ...fields });
  const { id } = await createTask(api, { assigned_agent_id: agent, description: "Do it." });
  return endOf(api, id);
}

verifies("providers.bedrock.access-key", "an access key of AWS signs its requests", async () => {
  bedrock.plays(CALL, says("Noon."));
  const connection = { base_url: bedrock.baseUrl, region: REGION };
  expect((await save("amazon-bedrock", { api_key: PAIR, ...connection })).body).toMatchObject({
    last4: ACCESS_KEY.secret.slice(-4),
    region: REGION,
  });
  expect(await run({ provider: "amazon-bedrock", model: CLAUDE })).toMatchObject({
    status: "completed",
    result: "Noon.",
  });
  expect(bedrock.rejected).toEqual([]);
  const wrong = { api_key: `${ACCESS_KEY.id}:another-secret-of-aws`, ...connection };
  const rejected = await test("amazon-bedrock", { ...wrong, model: CLAUDE });
  expect(rejected).toMatchObject({ ok: false, message: expect.stringContaining("does not match the signature") });
  expect(textOf(rejected)).not.toContain("another-secret");
});

verifies("providers.bedrock.access-key", "an incomplete access key is rejected, and no region is guessed", async () => {
  expect(refusal(await save("amazon-bedrock", { api_key: ACCESS_KEY.id }))).toMatchObject({
    status: 400,
    paths: ["api_key"],
  });
  const tested = await test("amazon-bedrock", { api_key: PAIR, base_url: bedrock.baseUrl });
  expect(tested).toMatchObject({ ok: false, message: expect.stringMatching(/No region .* BEDROCK_REGION/) });
});

verifies("providers.bedrock.fit", "what Bedrock rejects of a conversation is not sent", async () => {
  bedrock.plays(says("Noon."));
  const client = await amazonBedrock.connect({ apiKey: "key-of-the-test", baseUrl: bedrock.baseUrl });
  const messages = [...PROBE.messages, { role: "user", content: "And now?" } as const];
  const request = { ...question("openai.gpt-oss-120b-1:0", ""), messages, caching: { key: "k" } };
  const chunks = await collect(client, request);
  expect(bedrock.rejected).toEqual([]);
  expect(chunks[0]).toMatchObject({
    type: "notes",
    notes: [expect.stringContaining("Tool calls and results removed")],
  });
  expect(textOf(bedrock.accepted.at(-1)?.body)).not.toContain("cachePoint");
  await collect(client, { ...request, model: CLAUDE, tools: PROBE.tools });
  expect(textOf(bedrock.accepted.at(-1)?.body).split("cachePoint")).toHaveLength(4);
});

verifies("providers.vertex.service-account", "a service account gets one access token for many calls", async () => {
  vertex.plays(CALL, says("Noon."));
  const key = serviceAccountKey(vertex);
  const saved = await save("google-vertex", { api_key: key, base_url: vertex.baseUrl, region: "europe-west4" });
  expect(saved.body).toMatchObject({ last4: "cdef", region: "europe-west4", project: null });
  expect(textOf(saved.body)).not.toContain("PRIVATE KEY");
  for (let n = 0; n < 2; n++) {
    expect(await run({ provider: "google-vertex", model: GEMINI })).toMatchObject({
      status: "completed",
      result: "Noon.",
    });
  }
  expect([vertex.rejected, vertex.tokens()]).toEqual([[], 1]);
});

verifies("providers.vertex.service-account", "what is no service account's key says so", async () => {
  const broken = await save("google-vertex", { api_key: '{"type":"authorized_user"}' });
  expect(refusal(broken)).toMatchObject({ status: 400, paths: ["api_key"] });
  const unreadable = serviceAccountKey(vertex, {
    private_key: "-----BEGIN PRIVATE KEY-----\nno\n-----END PRIVATE KEY-----",
  });
  const tested = await test("google-vertex", { api_key: unreadable, base_url: vertex.baseUrl });
  expect(tested).toMatchObject({ ok: false, message: "The private key of the service account cannot be read." });
});

verifies("providers.vertex.token-address", "an access token comes only from Google or the base URL", async () => {
  const elsewhere = serviceAccountKey(vertex, { token_uri: "http://127.0.0.1:9/token" });
  for (const base_url of [vertex.baseUrl, undefined]) {
    expect(await test("google-vertex", { api_key: elsewhere, base_url })).toMatchObject({
      ok: false,
      message: expect.stringContaining("token_uri must be https://oauth2.googleapis.com/token"),
    });
  }
});

verifies(
  "providers.azure.deployments",
  "any deployment of Azure is called, with a warning about an unknown name",
  async () => {
    const scene = await openStrictScene("azure-openai", azure);
    const create = (model: string) => scene.api.post("/api-agents", { name: model, provider: "azure-openai", model });
    const unknown = await create("prod-writer");
    expect(unknown.body).toMatchObject({ provider: "azure-openai" });
    expect(unknown.headers.get("x-warning")).toContain("price and limits are unknown");
    const known = await create("gpt-6-sol");
    expect(known.body).toMatchObject({ provider: "azure-openai" });
    expect(known.headers.get("x-warning")).toBeNull();
    expect(await scene.run({ model: "prod-writer" }, CALL, says("Noon."))).toMatchObject({ status: "completed" });
    const priced = await scene.run({ model: "gpt-6-sol" }, says("Noon."));
    expect(priced.usage?.cost_usd).toBeGreaterThan(0);
  },
);

verifies(
  "providers.azure.deployments",
  "Azure's own words about a deployment and its filter reach the task",
  async () => {
    const scene = await openStrictScene("azure-openai", azure);
    const missing = await scene.run({ model: "gone" }, says("Noon."));
    expect(missing.error).toContain("The API deployment for this resource does not exist.");
    const filtered = await scene.run({ model: "prod-writer", system_prompt: `Say ${FILTERED}.` }, says("Noon."));
    expect(filtered.error).toContain("content management policy");
  },
);

verifies("providers.clouds.key-test", "the test of a cloud's key calls a model with a tool", async () => {
  for (const [provider, vendor, model, tool] of [
    ["azure-openai", azure, "prod-writer", '"type":"function"'],
    ["amazon-bedrock", bedrock, CLAUDE, '"toolSpec"'],
    ["google-vertex", vertex, undefined, '"functionDeclarations"'],
  ] as const) {
    vendor.plays(says("OK"));
    const body = { api_key: "key-of-the-test", base_url: vendor.baseUrl, model };
    expect(await test(provider, body)).toMatchObject({ ok: true });
    expect(textOf(vendor.accepted[0]?.body)).toContain(tool);
  }
});

verifies("providers.fields", "a field that a provider does not have, or of another form, is rejected", async () => {
  const key = { api_key: "key-of-the-test" };
  for (const [provider, fields, path] of [
    ["openai", { region: "eu-central-1" }, "region"],
    ["anthropic", { api: "chat" }, "api"],
    ["amazon-bedrock", { region: "evil.example/x" }, "region"],
    ["azure-openai", { resource: "evil.example#" }, "resource"],
    ["google-vertex", { project: "a/../b" }, "project"],
    ["openai", { api: "assistants" }, "api"],
  ] as const) {
    expect(refusal(await save(provider, { ...key, ...fields }))).toMatchObject({ status: 400, paths: [path] });
  }
});
