import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, consoleOf, fieldsOf, idsOf, listOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { callOf } from "../../support/interactions.ts";
import { createKey, keyStatus, listedKey, rotateKey } from "../../support/keys.ts";
import { startPeer } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, taskIn } from "../../support/work.ts";
import { addMember, addWorkspace } from "../../support/workspace.ts";
import type { TestWorkspace } from "../../support/workspace.ts";

const ASKS = callOf("request_approval", { title: "Publish it?", timeoutMs: 3_600_000 });

let service: SharedService;
let second: TestService;
let workspace: TestWorkspace;
let desk: Api;

beforeAll(async () => {
  service = await useSharedService();
  second = await startPeer({ databaseUrl: service.databaseUrl, keys: service.keys });
  workspace = await addWorkspace(service.databaseUrl);
  desk = consoleOf(service, workspace.key);
});
afterAll(() => second.stop());

async function create(fields: Readonly<Record<string, unknown>> = {}, by: Api = desk): Promise<string> {
  const made = await by.post("/service-accounts", { name: "Deploys", ...fields });
  expect([made.status, made.text]).toEqual([201, expect.any(String)]);
  return String(fieldsOf(made)["id"]);
}

const audited = async (kind: string) =>
  listOf({
    ...(await desk.get(`/audit?kind=${kind}`)),
    body: fieldsOf(await desk.get(`/audit?kind=${kind}`))["items"],
  });

verifies("keys.service-accounts", "a program acts in the name of its account, with its role", async () => {
  const id = await create({ name: "Nightly job" });
  const made = await createKey(desk, { service_account_id: id });
  expect(await listedKey(desk, made.id)).toMatchObject({ created_by: id, service_account_id: id });
  const api = apiOf(service, made.key);
  expect(fieldsOf(await api.get("/api-me"))).toMatchObject({ id, name: "Nightly job" });
  const agent = await createAgent(api, { tools: ["request_approval"] });
  const task = await createTask(api, { assigned_agent_id: agent.id, description: ASKS });
  await taskIn(api, task.id, "waiting_for_input");
  expect(fieldsOf(await desk.get(`/runs/${task.id}`))).toMatchObject({ created_by: { id, name: "Nightly job" } });
  const asked = fieldsOf(await api.get(`/api-tasks?id=${task.id}`))["interaction"];
  const { interactionId } = fieldsOf({ status: 200, headers: new Headers(), text: "", body: asked });
  const program = consoleOf(service, made.key);
  expect((await program.post(`/tasks/${task.id}/answer`, { interactionId, approved: true })).status).toBe(200);
  const answered = await desk.get("/questions?state=answered");
  expect(answered.text).toContain('"Nightly job"');
  expect((await program.get("/audit")).status).toBe(403);

  const patched = await desk.patch(`/service-accounts/${id}`, { name: "Night shift", role: "viewer" });
  expect(fieldsOf(patched)).toMatchObject({ id, name: "Night shift", role: "viewer", client: null });
  expect(fieldsOf(await api.get("/api-me"))).toMatchObject({ name: "Night shift" });
  expect((await api.post("/api-agents", { name: "x", model: "demo" })).status).toBe(403);
  expect(idsOf(await desk.get("/service-accounts?q=night"))).toEqual([id]);
  expect((await audited("service_account")).map(({ action, subject, changes }) => [action, subject, changes])).toEqual([
    [
      "service_account.changed",
      { kind: "service_account", id, name: "Night shift" },
      expect.objectContaining({ name: ["Nightly job", "Night shift"] }),
    ],
    ["service_account.changed", expect.anything(), { role: ["member", "viewer"] }],
    ["service_account.created", expect.anything(), expect.objectContaining({ role: [null, "member"] })],
  ]);
  expect(await audited("agent")).toEqual([expect.objectContaining({ actor: { id, name: "Night shift" } })]);
  // It is no person.
  expect(listOf(await desk.get("/members")).map((member) => member["user_id"])).toEqual([workspace.ownerId]);
  expect((await desk.delete(`/members/${id}`)).status).toBe(404);
});

verifies("keys.service-accounts.survive", "an account and its keys survive whoever made them", async () => {
  const admin = await addMember(service.databaseUrl, workspace.workspaceId, "admin");
  const theirs = consoleOf(service, admin.key);
  const id = await create({ name: "Survivor" }, theirs);
  const made = await createKey(theirs, { service_account_id: id });
  const personal = await createKey(theirs);
  const next = await rotateKey(theirs, made.id, 600);
  expect(await listedKey(desk, next.id)).toMatchObject({ service_account_id: id, created_by: id });
  expect((await desk.delete(`/members/${admin.userId}`)).status).toBe(204);
  const keys = [personal.key, admin.key, made.key, next.key];
  expect(await Promise.all(keys.map((key) => keyStatus(service, key)))).toEqual([401, 401, 200, 200]);
  expect(idsOf(await desk.get("/service-accounts?q=Survivor"))).toEqual([id]);
});

verifies("keys.service-accounts.removed", "the keys of a removed account end in both processes", async () => {
  const id = await create({ name: "Leaver" });
  const { key } = await createKey(desk, { service_account_id: id });
  const { id: agentId } = await createAgent(apiOf(service, key));
  const task = await createTask(apiOf(service, key), { assigned_agent_id: agentId, description: "[[say:done]]" });
  expect([await keyStatus(service, key), await keyStatus(second, key)]).toEqual([200, 200]);
  expect((await desk.delete(`/service-accounts/${id}`)).status).toBe(204);
  expect(await keyStatus(service, key)).toBe(401);
  await eventually("the other process knows", async () => (await keyStatus(second, key)) === 401, 15_000);
  expect((await desk.get("/keys")).text).not.toContain(id);
  for (const gone of [
    await desk.delete(`/service-accounts/${id}`),
    await desk.patch(`/service-accounts/${id}`, { name: "Back" }),
    await desk.post("/keys", { label: "x", kind: "envelope", service_account_id: id }),
  ]) {
    expect([gone.status, refusal(gone).message]).toEqual([404, "Service account not found"]);
  }
  expect(fieldsOf(await desk.get(`/runs/${task.id}`))).toMatchObject({ created_by: { id, name: "Leaver" } });
  const [removal] = await audited("service_account");
  expect(removal).toMatchObject({ action: "service_account.deleted", subject: { id, name: "Leaver" } });
});

verifies("keys.service-accounts.rights", "only admins manage accounts, and up to their own role", async () => {
  const id = await create({ name: "Mighty", role: "admin" });
  const { key } = await createKey(desk, { service_account_id: id });
  const member = consoleOf(service, (await addMember(service.databaseUrl, workspace.workspaceId, "member")).key);
  const readOnly = consoleOf(service, (await createKey(desk, { scopes: ["read"] })).key);
  for (const by of [member, readOnly]) {
    expect(idsOf(await by.get("/service-accounts"))).toContain(id);
    for (const answer of [
      await by.post("/service-accounts", { name: "X" }),
      await by.patch(`/service-accounts/${id}`, { role: "viewer" }),
      await by.delete(`/service-accounts/${id}`),
    ]) {
      expect(answer.status).toBe(403);
    }
  }
  const program = consoleOf(service, key);
  expect((await program.post("/service-accounts", { name: "Child", role: "admin" })).status).toBe(201);
  for (const [fields, paths] of [
    [{ name: "X", role: "owner" }, ["role"]],
    [{ name: " " }, ["name"]],
    [{ name: "Owner" }, ["name"]],
    [{ name: "X", email: "x@example.org" }, ["email"]],
  ] as const) {
    const refused = refusal(await desk.post("/service-accounts", fields));
    expect([fields, refused.status, refused.paths]).toEqual([fields, 400, paths]);
  }
});
