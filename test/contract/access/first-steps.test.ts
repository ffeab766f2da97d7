import { expect } from "vitest";
import { apiOf, consoleOf } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, createTask } from "../../support/work.ts";

verifies("gallery.first-steps", "each first step is taken once the workspace has what it makes", async () => {
  const service = await useSharedService();
  const [api, consoleApi] = [apiOf(service, service.keys.api), consoleOf(service, service.keys.api)];
  const steps = async () => (await consoleApi.get("/first-steps")).body;
  const taken = (...ids: readonly string[]) =>
    ["agent", "run", "model", "destination", "person"].map((id) => ({ id, done: ids.includes(id) }));
  expect(await steps()).toEqual(taken());
  const { id } = await createAgent(api);
  expect(await steps()).toEqual(taken("agent"));
  await createTask(api, { assigned_agent_id: id, description: QUICK });
  expect(await steps()).toEqual(taken("agent", "run"));
  const key = await consoleApi.call("PUT", "/provider-keys/anthropic", { body: { api_key: "sk-ant-test" } });
  expect(key.status, key.text).toBeLessThan(300);
  expect(await steps()).toEqual(taken("agent", "run", "model"));
  const config = { url: "https://example.org/results" };
  const route = await consoleApi.post("/routes", { name: "Results", type: "http", config });
  expect([route.status, route.text]).toEqual([201, route.text]);
  expect(await steps()).toEqual(taken("agent", "run", "model", "destination"));
  expect((await consoleApi.post("/invitations", { email: "grace@example.org", role: "member" })).status).toBe(201);
  expect(await steps()).toEqual(taken("agent", "run", "model", "destination", "person"));
});
