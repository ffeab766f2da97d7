import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { apiOf, consoleOf, refusal } from "../../support/api.ts";
import type { Answer } from "../../support/api.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { addMember, addWorkspace, sql } from "../../support/workspace.ts";

const GOOD_KEY = "sk-good-key-1234";
const BAD_KEY = "sk-bad-key-5678";
const ids = z.array(z.looseObject({ id: z.string() })).transform((list) => list.map(({ id }) => id));
const tools = z.array(
  z.looseObject({
    name: z.string(),
    input_schema: z.looseObject({ type: z.literal("object") }),
    available: z.boolean(),
    missing: z.string().nullable(),
  }),
);
const tested = z.strictObject({ ok: z.boolean(), latency_ms: z.int().min(0), message: z.string() });

let provider: ScriptedProvider;
let service: TestService;

beforeAll(async () => {
  provider = await startScriptedProvider(({ headers }, reply) => {
    if (headers.authorization !== `Bearer ${GOOD_KEY}`) {
      return reply.refuse(401, `Incorrect API key provided: ${headers.authorization}`);
    }
    reply.say("OK");
    reply.finish();
  });
  service = await startService({ env: { OPENAI_BASE_URL: provider.baseUrl } });
});
afterAll(async () => {
  await service.stop();
  await provider.close();
});

verifies(
  "agent-screens.filters",
  "agents are found by text, status and tag, page by page; their tags are listed",
  async () => {
    const { key } = await addWorkspace(service.databaseUrl);
    const api = apiOf(service, key);
    const create = (name: string, more: object = {}) => createAgent(api, { name, ...more });
    const [billing, support, writer] = [
      await create("Billing", { tags: ["money", "inbox"] }),
      await create("Support for 100% of INVOICES_", { tags: ["inbox"] }),
      await create("Writer"),
    ];
    const find = async (query: string) => ids.parse((await api.get(`/api-agents?${query}`)).body);
    expect(await find("q=invoices_")).toEqual([support.id]);
    expect(await find("q=%25")).toEqual([support.id]);
    expect(await find(`q=${writer.id.slice(0, 20)}`)).toContain(writer.id);
    expect(await find("tag=inbox")).toEqual([support.id, billing.id]);
    expect(await find("tag=inbox&q=bill&status=idle")).toEqual([billing.id]);
    expect(await find("status=failed")).toEqual([]);
    expect(await find("tag=inbox&limit=1")).toEqual([support.id]);
    expect((await consoleOf(service, key).get("/agents/tags")).body).toEqual(["inbox", "money"]);
    expect(refusal(await api.get("/api-agents?status=gone"))).toMatchObject({ status: 400, paths: ["status"] });
  },
);

verifies("agent-screens.built-in-tools", "an unavailable tool names the setting that it lacks", async () => {
  const list = async (of: TestService) => tools.parse((await consoleOf(of, of.keys.api).get("/tools/built-in")).body);
  const without = await list(service);
  expect(without.map(({ name }) => name)).toEqual(without.map(({ name }) => name).toSorted());
  expect(without.find(({ name }) => name === "current_time")).toMatchObject({ available: true, missing: null });
  const search = without.find(({ name }) => name === "web_search");
  expect(search).toMatchObject({ available: false });
  expect(search?.missing).toContain("BRAVE_API_KEY");
  expect(without.find(({ name }) => name === "a2a_delegate")?.missing).toContain("remote agent");
  const other = await startService({ env: { BRAVE_API_KEY: "key" } });
  try {
    const names = (await list(other)).find(({ name }) => name === "web_search");
    expect(names).toMatchObject({ available: true, missing: null });
  } finally {
    await other.stop();
  }
});

verifies("agent-screens.key-test", "a key is tried before it is stored, and afterwards", async () => {
  const { key } = await addWorkspace(service.databaseUrl);
  const page = consoleOf(service, key);
  const test = async (body: object) => tested.parse((await page.post("/provider-keys/openai/test", body)).body);
  expect(await test({})).toMatchObject({ ok: false, message: expect.stringContaining("No API key for OpenAI") });
  expect(await test({ api_key: GOOD_KEY })).toMatchObject({ ok: true, message: "gpt-6-luna answered." });
  expect(await test({ api_key: GOOD_KEY, model: "gpt-4o" })).toMatchObject({ ok: true, message: "gpt-4o answered." });
  await page.call("PUT", "/provider-keys/openai", { body: { api_key: GOOD_KEY } });
  await expect.poll(async () => (await test({})).ok, { timeout: 20_000 }).toBe(true);
  const compatible = await page.post("/provider-keys/openai-compatible/test", { api_key: "x" });
  expect(compatible.body).toMatchObject({ ok: false, message: expect.stringContaining("Name a model") });
  expect(refusal(await page.post("/provider-keys/nobody/test", {})).status).toBe(404);
});

verifies("agent-screens.key-test.secret", "a key that the provider repeats is removed, and not stored", async () => {
  const { key, workspaceId } = await addWorkspace(service.databaseUrl);
  const answer = await consoleOf(service, key).post("/provider-keys/openai/test", { api_key: BAD_KEY });
  const { ok, message } = tested.parse(answer.body);
  expect(ok).toBe(false);
  expect(message).toContain("Incorrect API key provided");
  expect(JSON.stringify(answer.body)).not.toContain(BAD_KEY);
  const stored = await sql(service.databaseUrl, "select 1 from provider_keys where workspace_id = $1", [workspaceId]);
  expect(stored).toEqual([]);
});

verifies("agent-screens.key-test.guard", "members, private addresses and too many tests are rejected", async () => {
  const { key, workspaceId } = await addWorkspace(service.databaseUrl);
  const member = await addMember(service.databaseUrl, workspaceId, "member");
  const path = "/provider-keys/openai/test";
  expect(refusal(await consoleOf(service, member.key).post(path, {})).status).toBe(403);
  const page = consoleOf(service, key);
  const private_ = { api_key: BAD_KEY, base_url: "http://127.0.0.1:1/v1" };
  expect(refusal(await page.post(path, private_))).toMatchObject({ status: 400, paths: ["base_url"] });
  // More than two minutes' worth, since a minute may begin in between.
  const answers: Answer[] = [];
  for (let n = 0; n < 25; n += 1) answers.push(await page.post("/provider-keys/demo/test", {}));
  const limited = answers.find(({ status }) => status === 429);
  expect(Number(limited?.headers.get("Retry-After"))).toBeGreaterThan(0);
});
