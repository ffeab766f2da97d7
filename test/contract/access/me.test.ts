import { afterAll, beforeAll, expect } from "vitest";
import { V2, apiOf, fieldsOf } from "../../support/api.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { addWorkspace, sql } from "../../support/workspace.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let service: TestService;

beforeAll(async () => {
  service = await startService({
    env: { MUSTER_INIT_EMAIL: "ada@example.org", MUSTER_INIT_WORKSPACE: "Engines", DEFAULT_PLAN: "team" },
  });
});
afterAll(() => service.stop());

verifies(
  ["me.fields", "me.api-version", "me.plan-values", "accounts.plan.setting"],
  "the identity has its seven fields and no other",
  async () => {
    const answer = await apiOf(service, service.keys.api).get("/api-me");
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: expect.stringMatching(UUID),
      email: "ada@example.org",
      name: "Owner",
      workspace_id: expect.stringMatching(UUID),
      workspace_name: "Engines",
      plan: "team",
      api_version: 1,
    });
  },
);

verifies("me.api-version", "api_version is the requested version", async () => {
  const answer = await apiOf(service, service.keys.api).get("/api-me", V2);
  expect(answer.body).toMatchObject({ data: { api_version: 2 }, meta: { api_version: 2 } });
});

verifies(["me.key-owner", "me.fields"], "a key identifies its creator, in the key's workspace", async () => {
  const other = await addWorkspace(service.databaseUrl);
  expect(fieldsOf(await apiOf(service, other.key).get("/api-me"))).toMatchObject({
    id: other.ownerId,
    email: `${other.ownerId}@localhost.localdomain`,
    workspace_id: other.workspaceId,
    workspace_name: "Another workspace",
    plan: "free",
  });
});

verifies("me.plan-values", "each of the four plans is shown in lower case", async () => {
  const { workspaceId, key } = await addWorkspace(service.databaseUrl);
  for (const plan of ["free", "pro", "team", "enterprise"]) {
    await sql(service.databaseUrl, "update workspaces set plan = $2 where id = $1", [workspaceId, plan]);
    expect(fieldsOf(await apiOf(service, key).get("/api-me"))["plan"]).toBe(plan);
  }
  const wrong = sql(service.databaseUrl, "update workspaces set plan = 'Pro' where id = $1", [workspaceId]);
  await expect(wrong).rejects.toThrow(/workspaces_plan_check/);
});
