import { beforeAll, expect, test } from "vitest";
import { newId } from "#lib/ids.ts";
import { apiOf, consoleOf, fieldsOf } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { idOf, rawTable, tableClient, tableRefusal } from "../../support/table-api.ts";
import type { TableClient } from "../../support/table-api.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, QUICK, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

let service: SharedService;
let db: TableClient;
let raw: ReturnType<typeof rawTable>;
let workspace_id: string;

beforeAll(async () => {
  service = await useSharedService();
  db = tableClient(service);
  raw = rawTable(service);
  workspace_id = service.workspaceId;
});

async function agentId(name: string, fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const agent = { name, model: "demo", provider: "demo", system_prompt: "Work.", tools: ["wait"], workspace_id };
  const { data } = await db
    .from("agents")
    .insert({ ...agent, ...fields })
    .select("id")
    .single()
    .throwOnError();
  return idOf(data);
}

verifies(
  ["table-api.tasks.create", "table-api.tasks.create-dispatches", "table-api.tasks.agent-id"],
  "a task with an agent_id runs; one without waits",
  async () => {
    const worker = await agentId("Runner");
    const task = { title: "Run", description: QUICK, priority: "high", workspace_id };
    const { data } = await db
      .from("tasks")
      .insert({ ...task, agent_id: worker })
      .select()
      .single()
      .throwOnError();
    expect(data).toMatchObject({ agent_id: worker, status: "dispatched", priority: "high" });
    await taskIn(apiOf(service, service.keys.api), idOf(data), "completed");
    const { data: waiting } = await db.from("tasks").insert(task).select("status,agent_id").single();
    expect(waiting).toEqual({ status: "pending", agent_id: null });
  },
);

test("a bulk of tasks is dispatched together, and its states change by the rules", async () => {
  const api = apiOf(service, service.keys.api);
  const worker = await agentId("Crew");
  const tasks = ["bulk 1", "bulk 2"].map((title) => ({ title, description: ENDLESS, agent_id: worker, workspace_id }));
  const { data } = await db.from("tasks").insert(tasks).select("id").throwOnError();
  for (const each of data) await taskIn(api, idOf(each), "running");
  const illegal = await db.from("tasks").update({ status: "completed" }).like("title", "bulk%");
  expect(illegal).toMatchObject({ status: 409, error: { code: "PT409" } });
  const cancelled = await db.from("tasks").update({ status: "cancelled" }).like("title", "bulk%").select("status");
  expect(cancelled.data).toEqual([{ status: "cancelled" }, { status: "cancelled" }]);
  const rerun = await db.from("tasks").update({ status: "dispatched" }).eq("id", idOf(data[0])).select("attempt");
  expect(rerun.data).toEqual([{ attempt: 2 }]);
  const deleted = await db.from("tasks").delete().like("title", "bulk%").select("id");
  expect(deleted.data).toHaveLength(2);
});

verifies("table-api.teams.create", "a team is created, changed and deleted by its rules", async () => {
  const worker = await agentId("Member");
  const made = await db
    .from("teams")
    .insert({ name: "Crew", description: "", mode: "pipeline", workspace_id })
    .select()
    .single();
  expect(made).toMatchObject({ status: 201, data: { name: "Crew", mode: "pipeline", workspace_id } });
  const id = idOf(made.data);
  const config = {
    steps: [{ agent_id: worker, step_name: "One", instructions: "Do", expected_output: "x" }],
    auto_handoff: true,
  };
  const { data } = await db
    .from("teams")
    .update({ config })
    .eq("id", id)
    .select("name,team_members(agent_id)")
    .single();
  expect(data).toEqual({ name: "Crew", team_members: [{ agent_id: worker }] });
  const unknown = { steps: [{ ...config.steps[0], agent_id: newId() }] };
  const refused = await db.from("teams").update({ config: unknown }).eq("id", id);
  expect(refused).toMatchObject({
    status: 422,
    error: { code: "23514", message: expect.stringContaining("teams_config_check") },
  });
  const run = await db
    .from("team_runs")
    .insert({ team_id: id, input_task: "Go", workspace_id })
    .select("id,status,input_task")
    .single();
  expect(run.data).toMatchObject({ status: "pending", input_task: "Go" });
  expect(await db.from("teams").delete().eq("id", id)).toMatchObject({ status: 204, error: null });
  const nowhere = await db.from("team_runs").insert({ team_id: id, input_task: "Go", workspace_id });
  expect(nowhere).toMatchObject({ status: 409, error: { code: "23503" } });
});

verifies("table-api.rpc.install", "rpc/increment_install_count installs a listed agent", async () => {
  const listed = await agentId("Listed", { is_marketplace: true });
  const installed = await db.rpc("increment_install_count", { agent_row_id: listed });
  expect(installed).toMatchObject({ status: 200, data: { install_count: 1, agent_id: expect.any(String) } });
  expect((await db.from("agents").select("name").like("name", "Listed%")).data).toHaveLength(2);
  const call = (body: unknown) => raw("POST", "/rpc/increment_install_count", { body });
  expect(tableRefusal(await call({ agent_row_id: newId() }))).toMatchObject({ status: 404, code: "PT404" });
  expect(tableRefusal(await call({ agent_row_id: "x" }))).toMatchObject({ status: 422, code: "22P02" });
  expect(tableRefusal(await call({ other: 1 }))).toMatchObject({ status: 404, code: "PGRST202" });
  expect(tableRefusal(await raw("GET", "/rpc/increment_install_count"))).toMatchObject({ status: 405, code: "25006" });
});

test("a webhook subscription is shown without its secret, and ended", async () => {
  const api = apiOf(service, service.keys.api);
  await api.post("/api-hooks", { target_url: "https://example.com/hook", event: "task_completed" });
  const hooks = await db.from("webhook_subscriptions").select();
  expect(hooks.data).toMatchObject([
    { target_url: "https://example.com/hook", event: "task_completed", is_active: true },
  ]);
  expect(JSON.stringify(hooks.data)).not.toContain("secret");
  expect(await db.from("webhook_subscriptions").delete().eq("id", idOf(hooks.data?.[0]))).toMatchObject({
    status: 204,
  });
  expect((await db.from("webhook_subscriptions").select()).data).toEqual([]);
});

verifies("table-api.routes-written", "a webhook subscription is created by the rules of its API", async () => {
  const hooks = db.from("webhook_subscriptions");
  const hook = { target_url: "https://example.com/x", event: "task.failed", workspace_id };
  const made = await hooks.insert(hook).select().single();
  expect(made).toMatchObject({ status: 201, data: { event: "task_failed", is_active: true } });
  expect(JSON.stringify(made.data)).not.toContain("secret");
  const rotated = await consoleOf(service, service.keys.api).post(`/hooks/${idOf(made.data)}/rotate`, {});
  expect(fieldsOf(rotated)).toMatchObject({ secret: expect.stringMatching(/^whsec_/) });
  for (const [fields, status, code] of [
    [{ target_url: "https://169.254.169.254/" }, 422, "23514"],
    [{ target_url: "http://example.com/" }, 422, "23514"],
    [{ event: "task_paused" }, 422, "23514"],
    [{ target_url: undefined }, 422, "23502"],
    [{ agent_id: newId() }, 409, "23503"],
    [{ secret: "mine" }, 422, "PGRST204"],
    [{ is_active: false }, 403, "42501"],
  ] as const) {
    expect([fields, await hooks.insert({ ...hook, ...fields })]).toMatchObject([fields, { status, error: { code } }]);
  }
  expect(await hooks.delete().eq("id", idOf(made.data))).toMatchObject({ status: 204 });
});

verifies(
  ["table-api.routes-written", "table-api.tables"],
  "output routes are written by the rules of the console's API, and their secrets never read",
  async () => {
    const routes = db.from("output_routes");
    const config = { url: "https://example.com/results", secret: "a-long-secret-1" };
    const route = { name: "Results", type: "http", config, events: "{task.failed}", workspace_id };
    const made = await routes
      .insert({ ...route, retry_delays: "{5,60}" })
      .select()
      .single();
    const shown = { ...config, secret: "••••et-1" };
    expect(made).toMatchObject({ status: 201, data: { ...route, events: ["task.failed"], config: shown } });
    expect(made.data).toMatchObject({ retry_delays: [5, 60], health: "healthy", is_active: true });
    const id = idOf(made.data);

    const url = "https://example.com/other";
    const changed = await routes
      .update({ is_active: false, config: { ...shown, url } })
      .eq("id", id)
      .select()
      .single();
    expect(changed.data).toMatchObject({ is_active: false, config: { url, secret: "••••et-1" } });
    const [stored] = await sql<{ secrets_ciphertext: string }>(
      service.databaseUrl,
      "select secrets_ciphertext from output_routes where id = $1",
      [id],
    );
    expect(stored?.secrets_ciphertext).not.toContain("a-long-secret-1");

    for (const [fields, status, code] of [
      [{ config: { url: "https://10.0.0.1/" } }, 422, "23514"],
      [{ config: { url, extra: 1 } }, 422, "23514"],
      [{ config: {} }, 422, "23514"],
      [{ type: "fax" }, 422, "23514"],
      [{ events: ["task.paused"] }, 422, "23514"],
      [{ name: undefined }, 422, "23502"],
      [{ health: "healthy" }, 403, "42501"],
      [{ secrets_ciphertext: "x" }, 422, "PGRST204"],
    ] as const) {
      const rejected = await routes.insert({ ...route, ...fields });
      expect([fields, rejected]).toMatchObject([fields, { status, error: { code } }]);
    }
    expect(await routes.update({ type: "slack" }).eq("id", id)).toMatchObject({
      status: 403,
      error: { code: "42501" },
    });
    expect(await routes.delete().eq("id", id)).toMatchObject({ status: 204 });
    expect((await routes.select().eq("id", id)).data).toEqual([]);
    for (const table of ["delivery_logs", "remote_agents"]) {
      expect(await db.from(table).select()).toMatchObject({ status: 200, data: [] });
      expect((await db.from(table).insert({ workspace_id })).status).toBe(403);
    }
  },
);

test("saved voices and templates are written as rows", async () => {
  const voices = db.from("voice_profiles");
  const { data } = await voices.insert({ name: "Calm", tone: "Formal", workspace_id }).select().single();
  expect(data).toMatchObject({ name: "Calm", custom_instructions: "", workspace_id });
  const changed = await voices.update({ tone: "Technical" }).eq("id", idOf(data)).select("tone,name");
  expect(changed.data).toEqual([{ tone: "Technical", name: "Calm" }]);
  expect(await voices.update({ tone: "Loud" }).eq("id", idOf(data))).toMatchObject({
    status: 422,
    error: { code: "23514" },
  });
  const templates = db.from("output_templates");
  const template = { name: "Page", type: "HTML", body: "<p>{{task_result}}</p>", workspace_id };
  expect((await templates.insert(template).select("name")).data).toEqual([{ name: "Page" }]);
  expect(await templates.delete().eq("name", "Page")).toMatchObject({ status: 204 });
  expect(await voices.delete().eq("name", "Calm")).toMatchObject({ status: 204 });
});
