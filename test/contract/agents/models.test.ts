import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { apiOf, consoleOf, refusal } from "../../support/api.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { addMember, addWorkspace } from "../../support/workspace.ts";

const usability = { id: z.string(), usable: z.boolean(), unusable_reason: z.string().nullable() };
const catalogue = z.object({
  providers: z.array(z.looseObject(usability)),
  models: z.array(z.looseObject(usability)),
});

let service: TestService;

beforeAll(async () => {
  const prices = JSON.stringify({
    "gpt-4o": { prompt: 1, completion: 3 },
    "gpt-4o-mini": { prompt: 1, cached: 0.1, cache_write: 1.25, completion: 3, reasoning: 4 },
  });
  service = await startService({ env: { ANTHROPIC_API_KEY: "sk-ant-instance", MODEL_PRICES: prices } });
});
afterAll(() => service.stop());

verifies(
  "console.models",
  "a model says what it costs, and why the workspace cannot call it until it has a key",
  async () => {
    const { workspaceId, key } = await addWorkspace(service.databaseUrl);
    const viewer = await addMember(service.databaseUrl, workspaceId, "viewer");
    const read = async () => catalogue.parse((await consoleOf(service, viewer.key).get("/models")).body);
    const before = await read();
    const of = (id: string, list: typeof before) => list.models.find((model) => model.id === id);
    expect(of("demo", before)).toMatchObject({ usable: true, unusable_reason: null, prompt_price: 0 });
    expect(of("demo", before)).toMatchObject({
      efforts: [],
      temperature: "always",
      forced_tools: true,
      documents: false,
      structured_output: false,
    });
    expect(of("claude-haiku-4-5", before)).toMatchObject({
      usable: true,
      provider: "anthropic",
      context_window: 200_000,
    });
    expect(of("gpt-4o", before)).toMatchObject({ usable: false, prompt_price: 1, completion_price: 3, images: true });
    expect(of("gpt-4o", before)).toMatchObject({ cached_price: 1, cache_write_price: 1, reasoning_price: 3 });
    const kinds = { cached_price: 0.1, cache_write_price: 1.25, reasoning_price: 4 };
    expect(of("gpt-4o-mini", before)).toMatchObject({ prompt_price: 1, completion_price: 3, ...kinds });
    expect(of("gpt-4o", before)?.unusable_reason).toContain("/console/api/provider-keys/openai");
    const custom = before.providers.find(({ id }) => id === "openai-compatible");
    expect(custom).toMatchObject({ any_model: true, usable: false });
    expect(JSON.stringify(before)).not.toContain("sk-ant-instance");

    await consoleOf(service, key).call("PUT", "/provider-keys/openai", { body: { api_key: "sk-own" } });
    await expect.poll(async () => of("gpt-4o", await read())?.usable, { timeout: 20_000 }).toBe(true);
    const foreign = consoleOf(service, (await addWorkspace(service.databaseUrl)).key);
    expect(of("gpt-4o", catalogue.parse((await foreign.get("/models")).body))?.usable).toBe(false);
  },
);

verifies("agents.create.unknown-model-400", "a misspelt provider or model is answered with the one meant", async () => {
  const own = consoleOf(service, service.keys.api);
  const stored = await own.call("PUT", "/provider-keys/opnai", { body: { api_key: "sk" } });
  expect(refusal(stored)).toMatchObject({ status: 404, message: expect.stringContaining("Did you mean openai?") });
  const named = [
    [{ provider: "opnai", model: "gpt-4o" }, "Did you mean openai?"],
    [{ model: "opnai/gpt-4o" }, "Did you mean gpt-4o?"],
  ] as const;
  for (const [fields, hint] of named) {
    const created = await apiOf(service, service.keys.api).post("/api-agents", { name: "A", ...fields });
    expect(refusal(created)).toMatchObject({ status: 400, message: expect.stringContaining(hint) });
  }
});
