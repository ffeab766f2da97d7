import { afterAll, beforeAll, expect, test } from "vitest";
import { consoleOf, refusal } from "../../support/api.ts";
import { openAiAgent, startTask, taskEnd } from "../../support/runs.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

let provider: ScriptedProvider;
let service: TestService;

beforeAll(async () => {
  provider = await startScriptedProvider((_, reply) => {
    reply.say("Hello.");
    reply.finish();
  });
  service = await startService({ env: { OPENAI_BASE_URL: provider.baseUrl, OPENAI_API_KEY: "key" } });
});
afterAll(async () => {
  await service.stop();
  await provider.close();
});

function storeAddress(base_url: string) {
  const body = { api_key: "key-of-the-workspace", base_url };
  return consoleOf(service, service.keys.api).call("PUT", "/provider-keys/openai", { body });
}

verifies(
  "providers.base-url.guard",
  "the operator's base URL may be on this machine, a workspace's may not",
  async () => {
    const agentId = await openAiAgent(service);
    const run = async (title: string) => taskEnd(service, await startTask(service, agentId, { title }));
    expect(await run("by the instance")).toMatchObject({ status: "completed", result: "Hello." });

    for (const address of ["http://127.0.0.1:8080/v1", "http://169.254.169.254/v1", "http://[::1]/v1"]) {
      expect(refusal(await storeAddress(address))).toMatchObject({ status: 400, paths: ["base_url"] });
    }
    const local = provider.baseUrl.replace("127.0.0.1", "localhost");
    expect(refusal(await storeAddress(local))).toMatchObject({ status: 400, paths: ["base_url"] });
    // Stored while the operator allowed it.
    expect((await storeAddress("https://provider.example/v1")).status).toBe(200);
    await sql(service.databaseUrl, "update provider_keys set base_url = $1", [local]);
    const end = await run("by the workspace");
    expect(end).toMatchObject({
      status: "failed",
      error: expect.stringMatching(/localhost is rejected: .*private network/),
    });
    expect(provider.callsOf("by the workspace")).toEqual([]);
  },
);

test("a key that is invalid in a header is rejected; white space around a key is removed", async () => {
  const store = (api_key: string) =>
    consoleOf(service, service.keys.api).call("PUT", "/provider-keys/anthropic", { body: { api_key } });
  for (const key of ["sk–pasted", "sk-two\nlines", " \n"]) {
    expect(refusal(await store(key))).toMatchObject({ status: 400, paths: ["api_key"] });
  }
  expect((await store(" sk-pasted\n")).body).toMatchObject({ last4: "sted" });
});
