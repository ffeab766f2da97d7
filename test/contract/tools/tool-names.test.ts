import { beforeAll, expect } from "vitest";
import { apiOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";

let api: Api;

beforeAll(async () => {
  const service = await useSharedService();
  api = apiOf(service, service.keys.api);
});

verifies("tools.names.known", "an unknown name is rejected with its path and the known names", async () => {
  const { id } = await createAgent(api);
  const tools = ["wait", "web_serch"];
  const config = { requires_approval: ["delegate_to_worker", "nothing"] };
  const message =
    /unknown tool\. (?:Did you mean \S+\? )?Known: .*current_time.*web_search, custom:<id> of a custom tool, mcp:/;
  for (const refused of [
    await api.post("/api-agents", { name: "A", model: "demo", tools }),
    await api.patch(`/api-agents?id=${id}`, { tools }),
  ]) {
    expect(refusal(refused)).toMatchObject({
      status: 400,
      paths: ["tools.1"],
      message: expect.stringMatching(message),
    });
  }
  expect(refusal(await api.patch(`/api-agents?id=${id}`, { config }))).toMatchObject({
    status: 400,
    paths: ["config.requires_approval.1"],
  });
  expect(refusal(await api.patch(`/api-agents?id=${id}`, { tools: ["custom:crm"] })).status).toBe(400);
});

verifies("tools.names.promised", "names that files and the contract use are accepted", async () => {
  const tools = ["web_search", "knowledge_search", "a2a_delegate"];
  expect(await createAgent(api, { tools })).toMatchObject({ tools });
});
