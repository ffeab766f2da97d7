import { beforeAll, expect } from "vitest";
import { newId } from "#lib/ids.ts";
import { apiOf, consoleOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { makeBudget } from "../../support/budgets.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { createTeam } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, QUICK, taskIn } from "../../support/work.ts";
import { addMember, addWorkspace } from "../../support/workspace.ts";

let service: SharedService;
let workspaceId: string;
let api: Api;
let console: Api;

beforeAll(async () => {
  service = await useSharedService();
  const workspace = await addWorkspace(service.databaseUrl);
  workspaceId = workspace.workspaceId;
  api = apiOf(service, workspace.key);
  console = consoleOf(service, workspace.key);
});

verifies(["budgets.crud", "budgets.live"], "budgets are created, read, listed, changed and deleted", async () => {
  const { id: agentId } = await createAgent(api, { name: "Writer" });
  const team = await createTeam(api, { name: "Crew" });
  const made = await makeBudget(console, { scope: "agent", target_id: agentId, max_usd: 1.5 });
  const empty = { used_usd: 0, used_tokens: 0, reserved_usd: 0, reserved_tokens: 0 };
  expect(made).toMatchObject({
    scope: "agent",
    target_id: agentId,
    target_name: "Writer",
    period: "day",
    max_usd: 1.5,
    max_tokens: null,
    on_breach: "stop",
    window: { ...empty, cap_usd: 1.5, cap_tokens: null },
  });
  const ofTeam = await makeBudget(console, {
    scope: "team",
    target_id: team.id,
    period: "run",
    max_tokens: 9,
    on_breach: "ask",
  });
  expect(ofTeam).toMatchObject({ target_name: "Crew", window: null, on_breach: "ask" });
  const ofWorkspace = await makeBudget(console, { scope: "workspace", period: "month", max_usd: 0 });
  expect(ofWorkspace).toMatchObject({ target_id: workspaceId, target_name: null });
  expect((await console.get("/budgets")).body).toMatchObject([ofWorkspace, ofTeam, made]);
  const page = (await console.get("/budgets?limit=2", { "x-api-version": "2" })).body;
  expect(page).toMatchObject({ data: { items: [{ id: ofWorkspace.id }, { id: ofTeam.id }], has_more: true } });
  expect((await console.get("/usage")).body).toMatchObject({ budgets: [ofWorkspace, ofTeam, made] });

  const changed = await console.patch(`/budgets/${made.id}`, { ...made, max_usd: null, max_tokens: 5 });
  expect(changed.body).toMatchObject({ id: made.id, max_usd: null, max_tokens: 5, window: { cap_usd: null } });
  expect((await console.get(`/budgets/${made.id}`)).body).toEqual(changed.body);
  expect((await console.delete(`/budgets/${made.id}`)).status).toBe(204);
  expect((await console.get(`/budgets/${made.id}`)).status).toBe(404);
  await api.delete(`/api-teams?id=${team.id}`);
  expect((await console.get(`/budgets/${ofTeam.id}`)).status).toBe(404);
});

verifies("budgets.crud", "an invalid budget is rejected with the field", async () => {
  const { id: agentId } = await createAgent(api);
  const task = await createTask(api);
  for (const [body, path] of [
    [{ scope: "agent", target_id: agentId }, ""],
    [{ scope: "agent", max_usd: 1 }, "target_id"],
    [{ scope: "agent", target_id: "x", max_usd: 1 }, "target_id"],
    [{ scope: "agent", target_id: agentId, max_usd: -1 }, "max_usd"],
    [{ scope: "agent", target_id: agentId, max_usd: 1e9 }, "max_usd"],
    [{ scope: "agent", target_id: agentId, max_tokens: 1.5 }, "max_tokens"],
    [{ scope: "agent", target_id: agentId, max_usd: 1, period: "week" }, "period"],
    [{ scope: "agent", target_id: agentId, max_usd: 1, on_breach: "mail" }, "on_breach"],
    [{ scope: "run", target_id: task.id, max_usd: 1, period: "day" }, "period"],
    [{ scope: "planet", max_usd: 1 }, "scope"],
    [{ scope: "workspace", max_usd: 1, colour: "red" }, "colour"],
  ] as const) {
    expect([body, refusal(await console.post("/budgets", body))]).toMatchObject([body, { status: 400, paths: [path] }]);
  }
  for (const [scope, target_id] of [
    ["agent", newId()],
    ["team", agentId],
    ["run", agentId],
    ["workspace", newId()],
  ]) {
    expect((await console.post("/budgets", { scope, target_id, max_usd: 1 })).status).toBe(404);
  }
  const budget = await makeBudget(console, { scope: "agent", target_id: agentId, max_usd: 1 });
  const again = refusal(await console.post("/budgets", { scope: "agent", target_id: agentId, max_usd: 2 }));
  expect(again).toMatchObject({ status: 409, message: expect.stringContaining(budget.id) });
  expect(refusal(await console.patch(`/budgets/${budget.id}`, { max_usd: null }))).toMatchObject({ status: 400 });
  expect((await console.patch(`/budgets/${newId()}`, { max_usd: 1 })).status).toBe(404);
  expect((await console.delete(`/budgets/${newId()}`)).status).toBe(404);
});

verifies(["budgets.roles", "budgets.run-cap"], "members cap runs that they start; the rest is for admins", async () => {
  const { id: agentId } = await createAgent(api);
  const budget = await makeBudget(console, {
    scope: "agent",
    target_id: agentId,
    period: "total",
    max_tokens: 900_000,
  });
  const keyOf = async (role: "viewer" | "member" | "admin") =>
    (await addMember(service.databaseUrl, workspaceId, role)).key;
  const member = await keyOf("member");
  const asMember = consoleOf(service, member);
  for (const caller of [consoleOf(service, await keyOf("viewer")), asMember]) {
    expect((await caller.get(`/budgets/${budget.id}`)).status).toBe(200);
    expect((await caller.post("/budgets", { scope: "workspace", max_usd: 1 })).status).toBe(403);
    expect((await caller.patch(`/budgets/${budget.id}`, { max_usd: 1 })).status).toBe(403);
    expect((await caller.delete(`/budgets/${budget.id}`)).status).toBe(403);
  }
  const body = { title: "T", description: QUICK, assigned_agent_id: agentId };
  const { id } = await createTask(apiOf(service, member), { ...body, budget: { max_tokens: 900_000 } });
  await taskIn(api, id, "completed");
  expect((await asMember.get(`/budgets?target_id=${id}`)).body).toMatchObject([{ scope: "run", max_tokens: 900_000 }]);
  const asAdmin = consoleOf(service, await keyOf("admin"));
  expect((await asAdmin.patch(`/budgets/${budget.id}`, { max_usd: 1 })).status).toBe(200);
  for (const wrong of [{}, { max_usd: "1" }, { max_tokens: 1, period: "day" }]) {
    expect((await api.post("/api-tasks", { ...body, budget: wrong })).status).toBe(400);
  }
});
