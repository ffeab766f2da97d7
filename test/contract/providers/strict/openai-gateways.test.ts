import { afterAll, expect } from "vitest";
import { apiOf, consoleOf } from "../../../support/api.ts";
import { startOpenAiChat } from "../../../support/providers/strict/openai-chat.ts";
import { startOpenAiResponses } from "../../../support/providers/strict/openai-responses.ts";
import { calls, says } from "../../../support/providers/strict/strict-server.ts";
import { createDatabase, startPeer, startService } from "../../../support/service.ts";
import { verifies } from "../../../support/verifies.ts";
import { createAgent, createTask } from "../../../support/work.ts";
import { endOf, openStrictScene, textOf } from "./strict-scene.ts";

const gateway = await startOpenAiChat();
const openai = await startOpenAiResponses();

afterAll(async () => void (await Promise.all([gateway.close(), openai.close()])));

const CALL = { parts: [calls("current_time")] };

verifies("providers.strict.no-responses", "a gateway without Responses runs agents with tools", async () => {
  const { run, sent } = await openStrictScene("openai", gateway);
  const fields = { model: "gpt-6-sol", max_tokens: 300 };
  expect(await run(fields, CALL, says("Noon."))).toMatchObject({ status: "completed", result: "Noon." });
  expect(textOf(gateway.rejected)).toContain("Invalid URL");
  expect(await run(fields, CALL, says("Noon."))).toMatchObject({ status: "completed", result: "Noon." });
  expect([gateway.rejected, gateway.accepted.map(({ path }) => path)]).toEqual([
    [],
    ["/v1/chat/completions", "/v1/chat/completions"],
  ]);
  expect(sent(0)).toMatchObject({ reasoning_effort: "none", max_completion_tokens: 300 });
});

verifies(
  "providers.strict.no-responses-kept",
  "other processes need not find out that a gateway has no Responses",
  async () => {
    const database = await createDatabase();
    const options = { env: { ALLOW_PRIVATE_URLS: "true" }, databaseUrl: database.url };
    const first = await startService(options);
    const ask = consoleOf(first, first.keys.api);
    const key = { api_key: "key-of-the-test", base_url: gateway.baseUrl };
    expect((await ask.call("PUT", "/provider-keys/openai", { body: key })).body).toMatchObject({ api: null });
    gateway.plays(CALL);
    expect((await ask.post("/provider-keys/openai/test", {})).body).toMatchObject({ ok: true });
    expect(textOf(gateway.rejected)).toContain("Invalid URL");
    expect((await ask.get("/provider-keys")).body).toMatchObject([{ provider: "openai", api: "chat" }]);
    const second = await startPeer({ ...options, keys: first.keys });
    gateway.plays(CALL, says("Noon."));
    const api = apiOf(second, second.keys.api);
    const { id: agent } = await createAgent(api, { model: "gpt-4o", tools: ["current_time"] });
    const { id } = await createTask(api, { assigned_agent_id: agent });
    expect(await endOf(api, id)).toMatchObject({ status: "completed", result: "Noon." });
    expect(gateway.rejected).toEqual([]);
    expect((await ask.call("PUT", "/provider-keys/openai", { body: key })).body).toMatchObject({ api: null });
    await Promise.all([first.stop(), second.stop()]);
    await database.drop();
  },
);

verifies(
  "providers.strict.no-responses-kept",
  "the API at a base URL can be set, for a workspace and the instance",
  async () => {
    const env = { OPENAI_BASE_URL: gateway.baseUrl, OPENAI_API_KEY: "key-of-the-instance", OPENAI_API: "chat" };
    const own = await startService({ env });
    gateway.plays(CALL);
    const test = (body: object) => consoleOf(own, own.keys.api).post("/provider-keys/openai/test", body);
    expect((await test({})).body).toMatchObject({ ok: true });
    expect(textOf(gateway.rejected)).not.toContain("Invalid URL");
    expect((await test({ api: "responses" })).body).toMatchObject({ ok: false });
    await own.stop();
  },
);

verifies(
  "providers.fields.instance-key",
  "the instance's key is not sent to a place that a workspace names",
  async () => {
    const env = { AZURE_OPENAI_BASE_URL: openai.baseUrl, AZURE_OPENAI_API_KEY: "key-of-the-instance" };
    const own = await startService({ env });
    openai.plays(says("OK"));
    const test = (body: object) => consoleOf(own, own.keys.api).post("/provider-keys/azure-openai/test", body);
    expect((await test({ model: "gpt-6-sol" })).body).toMatchObject({ ok: true });
    expect((await test({ model: "gpt-6-sol", resource: "of-another" })).body).toMatchObject({
      ok: false,
      message: expect.stringContaining("No API key for Azure OpenAI"),
    });
    await own.stop();
  },
);

verifies(
  "providers.strict.no-responses",
  "a model that a gateway does not have is named in its own words",
  async () => {
    const { run } = await openStrictScene("openai", openai);
    const words = JSON.stringify({
      error: { message: "The model gpt-6-sol does not exist here", code: "model_not_found" },
    });
    const end = await run(
      { model: "gpt-6-sol" },
      { status: 404, raw: words, headers: { "content-type": "application/json" } },
    );
    expect([end.status, end.error]).toEqual(["failed", expect.stringContaining("does not exist here")]);
  },
);

verifies("providers.strict.key-test", "a key is tested by a call with a tool", async () => {
  const { service, vendor, sent } = await openStrictScene("openai", openai);
  const test = () => consoleOf(service, service.keys.api).post("/provider-keys/openai/test", {});
  vendor.plays(CALL);
  expect((await test()).body).toMatchObject({ ok: true });
  expect(sent(0)).toMatchObject({ store: false, tools: [{ type: "function" }] });
  vendor.plays({ status: 400, raw: "this key takes no tools", headers: { "content-type": "text/plain" } });
  expect((await test()).body).toMatchObject({ ok: false, message: "this key takes no tools" });
});
