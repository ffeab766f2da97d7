import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { newId } from "#lib/ids.ts";
import { apiOf, consoleOf, fieldsOf, listOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { rawTable } from "../../support/table-api.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, createTask, readAgent, taskIn } from "../../support/work.ts";
import { addMember, addWorkspace, sql } from "../../support/workspace.ts";

let service: SharedService;
let api: Api;
let library: Api;
let me: { readonly id: string; readonly workspace_id: string };

beforeAll(async () => {
  service = await useSharedService();
  api = apiOf(service, service.keys.api);
  library = consoleOf(service, service.keys.api);
  me = z.object({ id: z.string(), workspace_id: z.string() }).parse((await api.get("/api-me")).body);
});

async function versionsOf(agentId: string, on = library): Promise<Record<string, unknown>[]> {
  return listOf(await on.get(`/agents/${agentId}/versions`));
}

async function change(agentId: string, patch: object): Promise<void> {
  expect((await api.patch(`/api-agents?id=${agentId}`, patch)).status).toBe(200);
}

verifies(
  ["agent-versions.each-change", "agent-versions.who", "agent-versions.list"],
  "a version keeps the fields that affect runs and its author, for every surface",
  async () => {
    const { id } = await createAgent(api, { system_prompt: "One." });
    await change(id, { system_prompt: "Two.", temperature: 0.1 });
    const other = await addMember(service.databaseUrl, me.workspace_id, "member");
    await apiOf(service, other.key).patch(`/api-agents?id=${id}`, { tools: [] });
    const table = rawTable(service);
    expect((await table("PATCH", `/agents?id=eq.${id}`, { body: { name: "Renamed" } })).status).toBe(204);
    const versions = await versionsOf(id);
    expect(versions).toMatchObject([
      { version: 4, changed: ["name"], changed_by: me.id },
      { version: 3, changed: ["tools"], changed_by: other.userId },
      { version: 2, changed: ["system_prompt", "temperature"], changed_by: me.id },
      { version: 1, changed: [], changed_by: me.id },
    ]);
    for (const { created_at } of versions) expect(z.iso.datetime().safeParse(created_at).success).toBe(true);
    expect((await readAgent(api, id))["version"]).toBe(4);
    expect((await library.get(`/agents/${id}/versions/2`)).body).toMatchObject({
      agent_id: id,
      version: 2,
      changed: ["system_prompt", "temperature"],
      fields: {
        name: "Worker",
        system_prompt: "Two.",
        temperature: 0.1,
        tools: ["wait", "current_time"],
        model: "demo",
      },
    });
    const page = await library.get(`/agents/${id}/versions?limit=3`, { "x-api-version": "2" });
    expect(page.body).toMatchObject({ data: { next_cursor: "2", has_more: true } });
    expect(listOf(await library.get(`/agents/${id}/versions?limit=3&cursor=2`))).toMatchObject([{ version: 1 }]);
    expect(refusal(await library.get(`/agents/${id}/versions/5`))).toMatchObject({ status: 404, code: "not_found" });
    expect(refusal(await library.get(`/agents/${newId()}/versions`))).toMatchObject({ status: 404 });
    expect(refusal(await library.get(`/agents/${id}/versions/0`))).toMatchObject({ status: 400, paths: ["version"] });
    expect(refusal(await library.get(`/agents/${id}/versions?cursor=x`))).toMatchObject({ paths: ["cursor"] });
  },
);

verifies("agent-versions.each-change", "imports and installs from the marketplace begin with version 1", async () => {
  const { id } = await createAgent(api, { is_marketplace: true, system_prompt: "Sold." });
  const file = (await library.get(`/agents/${id}/export`)).body;
  const imported = z
    .looseObject({ agents: z.tuple([z.looseObject({ id: z.string() })]) })
    .parse((await library.post("/agents/import", file)).body).agents[0].id;
  const buyer = await addWorkspace(service.databaseUrl);
  const shop = consoleOf(service, buyer.key);
  const installed = String(fieldsOf(await shop.post(`/marketplace/${id}/install`, {}))["agent_id"]);
  expect(await versionsOf(imported)).toMatchObject([{ version: 1, changed_by: me.id }]);
  expect(await versionsOf(installed, shop)).toMatchObject([{ version: 1, changed_by: buyer.ownerId }]);
  expect(await versionsOf(id)).toMatchObject([{ version: 1 }]);
});

verifies("agent-versions.only-what-shapes-runs", "other fields and the same values make no version", async () => {
  const { id } = await createAgent(api);
  const record = fieldsOf(await api.get(`/api-agents?id=${id}`));
  await change(id, record);
  await change(id, { description: "New.", tags: ["x"], is_marketplace: true, is_mcp_published: true });
  expect((await versionsOf(id)).length).toBe(1);
  expect((await readAgent(api, id))["version"]).toBe(1);
});

verifies(
  "agent-versions.of-run",
  "a task records the version it was dispatched with, and a retry the one of that time",
  async () => {
    const { id } = await createAgent(api);
    await change(id, { system_prompt: "Two." });
    const pending = await createTask(api);
    expect(pending["agent_version"]).toBe(null);
    const task = await createTask(api, { assigned_agent_id: id, description: QUICK });
    await change(id, { system_prompt: "Three." });
    expect((await taskIn(api, task.id, "completed"))["agent_version"]).toBe(2);
    await api.patch(`/api-tasks?id=${task.id}`, { status: "dispatched" });
    expect(await taskIn(api, task.id, "completed")).toMatchObject({ attempt: 2, agent_version: 3 });
  },
);

verifies("agent-versions.of-usage", "the steps of a team record their agents' versions", async () => {
  const { id } = await createAgent(api);
  await change(id, { system_prompt: "Two." });
  const steps = [{ agent_id: id, instructions: QUICK }];
  const team = await createTeam(api, { config: { steps } });
  const run = await runIn(api, (await startRun(api, team.id)).id, "completed");
  const fork = await library.post(`/runs/${run.id}/fork`, { from_step: 0, changes: { model: "demo" } });
  const forked = await runIn(api, String(fieldsOf(fork)["id"]), "completed");
  const used = async (runId: string) =>
    (await rawTable(service)("GET", `/usage_records?team_run_id=eq.${runId}&select=agent_id,agent_version`)).body;
  expect(await used(run.id)).toEqual([{ agent_id: id, agent_version: 2 }]);
  expect(await used(forked.id)).toEqual([{ agent_id: id, agent_version: null }]);
});

verifies("agent-versions.diff", "versions are compared field by field and line by line", async () => {
  const { id } = await createAgent(api, { system_prompt: "Be brief.\nBe kind.\nBe right." });
  await change(id, { system_prompt: "Be brief.\nBe bold.\nBe right.", temperature: 0 });
  await change(id, { temperature: 1, tools: ["wait"] });
  const diff = async (path: string) => (await library.get(`/agents/${id}/versions/${path}`)).body;
  expect(await diff("2/diff")).toEqual({
    from: 1,
    to: 2,
    changes: [
      {
        field: "system_prompt",
        before: "Be brief.\nBe kind.\nBe right.",
        after: "Be brief.\nBe bold.\nBe right.",
        lines: [
          { change: "kept", line: "Be brief." },
          { change: "removed", line: "Be kind." },
          { change: "added", line: "Be bold." },
          { change: "kept", line: "Be right." },
        ],
      },
      { field: "temperature", before: 0.7, after: 0 },
    ],
  });
  expect(await diff("1/diff?against=3")).toMatchObject({
    from: 3,
    to: 1,
    changes: [{ field: "system_prompt" }, { field: "temperature", before: 1, after: 0.7 }, { field: "tools" }],
  });
  expect(await diff("1/diff")).toEqual({ from: 1, to: 1, changes: [] });
  expect(refusal(await library.get(`/agents/${id}/versions/2/diff?against=9`))).toMatchObject({ status: 404 });
  expect(refusal(await library.get(`/agents/${id}/versions/2/diff?against=x`))).toMatchObject({ paths: ["against"] });
});

verifies("agent-versions.restore", "a version is restored as a new one, without deleted references", async () => {
  const voice = String(fieldsOf(await library.post("/voice-profiles", { name: "V", tone: "Formal" }))["id"]);
  const { id } = await createAgent(api, { system_prompt: "One.", voice_profile_id: voice });
  await change(id, { system_prompt: "Two.", model: "gpt-4o", description: "Kept." });
  await library.delete(`/voice-profiles/${voice}`);
  expect(await versionsOf(id)).toMatchObject([{ version: 3, changed: ["voice_profile_id"] }, {}, {}]);
  const restored = await library.post(`/agents/${id}/versions/1/restore`, {});
  expect(restored).toMatchObject({
    status: 200,
    body: {
      version: 4,
      system_prompt: "One.",
      model: "demo",
      provider: "demo",
      voice_profile_id: null,
      description: "Kept.",
    },
  });
  expect((await library.post(`/agents/${id}/versions/4/restore`, {})).body).toMatchObject({ version: 4 });
  expect(refusal(await library.post(`/agents/${id}/versions/9/restore`, {}))).toMatchObject({ status: 404 });
  const viewer = await addMember(service.databaseUrl, me.workspace_id, "viewer");
  const asViewer = consoleOf(service, viewer.key);
  expect(refusal(await asViewer.post(`/agents/${id}/versions/1/restore`, {}))).toMatchObject({ status: 403 });
  expect((await versionsOf(id, asViewer)).length).toBe(4);
});

verifies("agent-versions.restore", "a version that is no longer valid is rejected", async () => {
  const { id } = await createAgent(api);
  await sql(service.databaseUrl, "update agent_versions set fields = (fields::jsonb || $2)::json where agent_id = $1", [
    id,
    { temperature: 3 },
  ]);
  expect(refusal(await library.post(`/agents/${id}/versions/1/restore`, {}))).toMatchObject({
    status: 409,
    paths: ["temperature"],
  });
});

verifies("agent-versions.deleted", "versions are deleted with their agent", async () => {
  const { id } = await createAgent(api);
  await api.delete(`/api-agents?id=${id}`);
  expect(await sql(service.databaseUrl, "select from agent_versions where agent_id = $1", [id])).toEqual([]);
  expect(refusal(await library.get(`/agents/${id}/versions`))).toMatchObject({ status: 404 });
});
