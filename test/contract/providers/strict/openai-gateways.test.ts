import { afterAll, expect } from "vitest";
import { consoleOf } from "../../../support/api.ts";
import { startOpenAiChat } from "../../../support/providers/strict/openai-chat.ts";
import { startOpenAiResponses } from "../../../support/providers/strict/openai-responses.ts";
import { calls, says } from "../../../support/providers/strict/strict-server.ts";
import { verifies } from "../../../support/verifies.ts";
import { openStrictScene, textOf } from "./strict-scene.ts";

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
