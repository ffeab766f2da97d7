import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { postAuth } from "../../support/accounts.ts";
import { consoleOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, createAgent, createTask, stopTask, taskIn } from "../../support/work.ts";
import { addMember, openWorkspace, sql } from "../../support/workspace.ts";

const SECRET = "sk-the-secret-of-the-test";
const ASKING = '[[tool:request_input {"title":"Which one?"}]]';

/** What the log shows of a changed agent: of its prompt and its schema only that they changed. */
const EDITED = {
  name: ["Writer", "Editor"],
  system_prompt: null,
  fallback_models: [[], ["gpt-4o"]],
  reasoning: [
    { effort: null, show: false },
    { effort: null, show: true },
  ],
  output_schema: null,
};

const entry = z.looseObject({
  id: z.uuid(),
  actor: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  key: z.object({ id: z.uuid(), label: z.string().nullable() }).nullable(),
  action: z.string(),
  subject: z.object({ kind: z.string(), id: z.uuid().nullable(), name: z.string().nullable() }),
  changes: z.record(z.string(), z.array(z.unknown()).nullable()),
});
const page = z.object({ items: z.array(entry), next_cursor: z.string().nullable() });

let service: SharedService;

beforeAll(async () => {
  ({ service } = await useScriptedService());
});

async function read(console: Api, query = "") {
  const answer = await console.get(`/audit${query}`);
  expect(answer.status, answer.text).toBe(200);
  return page.parse(answer.body);
}

async function entriesOf(console: Api, kind: string) {
  const { items } = await read(console, `?kind=${kind}`);
  return items.toReversed().map(({ action, subject, changes }) => ({ action, name: subject.name, changes }));
}

function idIn(answer: { readonly body: unknown }): string {
  return z.looseObject({ id: z.uuid() }).parse(answer.body).id;
}

verifies(["audit.connections", "audit.secrets"], "what connects a workspace to elsewhere is in the log", async () => {
  const { api, console } = await openWorkspace(service);
  const { id: agentId } = await createAgent(api);
  const url = (path: string) => `https://tools.example.com/${path}?key=${SECRET}`;
  const headers = { authorization: `Bearer ${SECRET}` };
  const fields = { name: "forecast", description: "Tells the weather.", url: url("now"), headers };
  const tool = idIn(await console.post("/tools", fields));
  await console.patch(`/tools/${tool}`, { url: url("elsewhere") });
  await console.delete(`/tools/${tool}`);
  const target = { assigned_agent_id: agentId, title: "Work" };
  const trigger = idIn(await console.post("/triggers", { ...target, name: "Builds" }));
  await console.post(`/triggers/${trigger}/rotate`, {});
  await console.patch(`/triggers/${trigger}`, { secret: SECRET });
  const schedule = idIn(await console.post("/schedules", { ...target, name: "Daily", cron: "0 9 * * *" }));
  await console.delete(`/schedules/${schedule}`);
  await console.post("/trello-channels", { name: "Board", secret: SECRET, assigned_agent_id: agentId });
  const team = await createTeam(api, { name: "Writers" });
  await api.post("/api-hooks", { target_url: url("hook"), event: "task_completed" });
  for (const path of [`/agents/${agentId}/export`, `/teams/${team.id}/export`]) {
    expect((await console.get(path)).status).toBe(200);
  }

  expect(await entriesOf(console, "custom_tool")).toMatchObject([
    { action: "custom_tool.created", name: "forecast", changes: { url: [null, "https://tools.example.com/now"] } },
    { changes: { url: ["https://tools.example.com/now", "https://tools.example.com/elsewhere"] } },
    { action: "custom_tool.deleted", name: "forecast" },
  ]);
  expect(await entriesOf(console, "trigger")).toMatchObject([
    { action: "trigger.created", name: "Builds" },
    { action: "trigger.changed", changes: { token: null } },
    { action: "trigger.changed", changes: { secret: null } },
  ]);
  expect(await entriesOf(console, "schedule")).toMatchObject([
    { action: "schedule.created", changes: { cron: [null, "0 9 * * *"] } },
    { action: "schedule.deleted" },
  ]);
  expect(await entriesOf(console, "trello_channel")).toMatchObject([{ action: "trello_channel.created" }]);
  expect(await entriesOf(console, "team")).toMatchObject([
    { action: "team.created", name: "Writers" },
    { action: "team.exported", name: "Writers", changes: {} },
  ]);
  expect((await entriesOf(console, "agent")).at(-1)).toMatchObject({ action: "agent.exported", name: "Worker" });
  const hook = "https://tools.example.com/hook";
  expect(await entriesOf(console, "webhook")).toMatchObject([{ name: hook, changes: { target_url: [null, hook] } }]);
  expect((await console.get("/audit?limit=200")).text).not.toContain(SECRET);
});

verifies(["audit.changes", "audit.secrets"], "each change records its author, the key, and the change", async () => {
  const { workspaceId, api, console } = await openWorkspace(service);
  const made = await console.post("/keys", { label: "Build", kind: "envelope", scopes: ["read"] });
  const keyId = idIn(made);
  await console.patch(`/keys/${keyId}`, { label: "Build server" });
  const rotated = idIn(await console.post(`/keys/${keyId}/rotate`, { overlap_seconds: 60 }));
  await console.delete(`/keys/${rotated}`);
  const budgetId = idIn(await console.post("/budgets", { scope: "workspace", period: "month", max_usd: 20 }));
  await console.patch(`/budgets/${budgetId}`, { max_usd: 30 });
  await console.delete(`/budgets/${budgetId}`);
  const { id: agentId } = await createAgent(api, { name: "Writer" });
  await console.post("/budgets", { scope: "agent", target_id: agentId, period: "day", max_usd: 5 });
  await api.patch(`/api-agents?id=${agentId}`, {
    name: "Editor",
    system_prompt: "Long words.",
    fallback_model: "gpt-4o",
    reasoning: { show: true },
    output_schema: { type: "object" },
  });
  await api.delete(`/api-agents?id=${agentId}`);
  const member = await addMember(service.databaseUrl, workspaceId, "viewer");
  await console.patch(`/members/${member.userId}`, { role: "member" });
  await console.delete(`/members/${member.userId}`);
  const ended = (await read(console, "?kind=key&action=key.deleted&limit=1")).items[0];
  expect(ended).toMatchObject({ actor: { name: expect.any(String) }, subject: { name: "Test key" } });
  await console.call("PUT", "/provider-keys/openai", { body: { api_key: SECRET } });
  await console.patch("/workspace", { name: "Renamed" });

  expect(await entriesOf(console, "key")).toMatchObject([
    {},
    { action: "key.created", name: "Build", changes: { label: [null, "Build"], scopes: [null, ["read"]] } },
    { action: "key.changed", name: "Build server", changes: { label: ["Build", "Build server"] } },
    { action: "key.created", name: "Build server" },
    { action: "key.rotated", name: "Build server", changes: { replaced_by: null } },
    { action: "key.deleted", name: "Build server" },
    {},
    {},
  ]);
  expect(await entriesOf(console, "budget")).toMatchObject([
    { action: "budget.created", name: "workspace", changes: { period: [null, "month"], max_usd: [null, 20] } },
    { action: "budget.changed", changes: { max_usd: [20, 30] } },
    { action: "budget.deleted", changes: { max_usd: [30, null] } },
    { action: "budget.created", name: "Writer", changes: { scope: [null, "agent"], max_usd: [null, 5] } },
    { action: "budget.deleted", name: "agent" },
  ]);
  expect(await entriesOf(console, "agent")).toMatchObject([
    { action: "agent.created", name: "Writer" },
    { action: "agent.changed", name: "Editor", changes: EDITED },
    { action: "agent.deleted", name: "Editor" },
  ]);
  expect((await entriesOf(console, "member")).slice(-3)).toMatchObject([
    { action: "member.created", changes: { role: [null, "viewer"] } },
    { action: "member.changed", changes: { role: ["viewer", "member"] } },
    { action: "member.deleted", changes: { role: ["member", null] } },
  ]);
  expect(await entriesOf(console, "provider_key")).toMatchObject([{ action: "provider_key.created", name: "openai" }]);
  expect(await entriesOf(console, "workspace")).toMatchObject([{ changes: { name: [expect.any(String), "Renamed"] } }]);
  const { items } = await read(console, "?action=budget.created");
  expect(items.at(-1)).toMatchObject({ actor: { id: expect.any(String) }, key: { id: expect.any(String) } });
  expect(JSON.stringify(await read(console, "?limit=200"))).not.toMatch(/sk-the|mst_\w{20}|[0-9a-f]{64}/);
});

verifies("audit.runs", "the audit log records who answered, who cancelled and who deleted", async () => {
  const { api, console } = await openWorkspace(service);
  const { id: agentId } = await createAgent(api, { tools: ["request_input", "wait"] });
  const { id: endless } = await createTask(api, { assigned_agent_id: agentId, title: "Endless", description: ENDLESS });
  await taskIn(api, endless, "running");
  await stopTask(api, endless);
  const { id: asking } = await createTask(api, { assigned_agent_id: agentId, title: "Asks", description: ASKING });
  await taskIn(api, asking, "waiting_for_input");
  const { items } = z
    .object({ items: z.array(z.looseObject({ id: z.uuid() })) })
    .parse((await console.get("/questions?state=open")).body);
  const body = { interactionId: items[0]?.id, text: "Both" };
  const answered = await console.post(`/tasks/${asking}/answer`, body);
  expect(answered.status, answered.text).toBe(200);
  const team = await createTeam(api);
  const lone = await startRun(api, team.id, "Once");
  await runIn(api, lone.id, "completed");
  for (const id of [lone.id, endless]) expect((await console.delete(`/runs/${id}`)).status).toBe(204);
  expect((await read(console, "?kind=run")).items).toMatchObject([
    { action: "run.deleted", subject: { id: endless, name: "Endless" } },
    {
      action: "run.deleted",
      actor: {},
      subject: { id: lone.id, name: "Once" },
      changes: { status: ["completed", null] },
    },
    { action: "question.answered", actor: {}, subject: { id: asking, name: "Asks" } },
    { action: "run.cancelled", actor: {}, subject: { id: endless, name: "Endless" } },
  ]);
});

verifies("audit.same-transaction", "a change that fails leaves no entry", async () => {
  const { console } = await openWorkspace(service);
  const owner = z.array(z.looseObject({ user_id: z.uuid() })).parse((await console.get("/members")).body)[0]?.user_id;
  const before = await read(console);
  expect((await console.delete(`/members/${owner}`)).status).toBe(409);
  expect((await console.post("/budgets", { scope: "workspace", period: "day" })).status).toBe(400);
  expect(await read(console)).toEqual(before);
});

verifies("audit.append-only", "no role of a request can write to the log", async () => {
  const { workspaceId } = await openWorkspace(service);
  const rights = await sql<{ rights: string }>(
    service.databaseUrl,
    `select distinct g.privilege_type as rights from information_schema.role_table_grants g
     where g.table_name = 'audit_log' and g.grantee like 'muster\\_%'`,
  );
  expect(rights).toEqual([{ rights: "SELECT" }]);
  expect(await sql(service.databaseUrl, "select from audit_log where workspace_id = $1", [workspaceId])).not.toEqual(
    [],
  );
});

verifies(["audit.filters", "audit.admins"], "admins find entries by person, kind and time, in pages", async () => {
  const { workspaceId, api, console } = await openWorkspace(service);
  for (const name of ["One", "Two", "Three"]) await createAgent(api, { name });
  const names: (string | null)[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const found = await read(console, `?kind=agent&limit=1${cursor && `&cursor=${cursor}`}`);
    names.push(...found.items.map(({ subject }) => subject.name));
    cursor = found.next_cursor;
  }
  expect(names).toEqual(["Three", "Two", "One"]);
  const actor = (await read(console, "?kind=agent")).items[0]?.actor?.id;
  expect((await read(console, `?actor=${actor}&action=agent.created`)).items).toHaveLength(3);
  expect((await read(console, `?actor=${workspaceId}`)).items).toEqual([]);
  expect((await read(console, "?until=2020-01-01T00:00:00Z")).items).toEqual([]);
  expect((await read(console, "?kind=agent&since=2020-01-01T00:00:00Z")).items).toHaveLength(3);
  for (const [query, path] of [
    ["kind=x", "kind"],
    ["action=x", "action"],
    ["actor=x", "actor"],
    ["cursor=x", "cursor"],
    ["since=x", "since"],
  ] as const) {
    expect(refusal(await console.get(`/audit?${query}`))).toMatchObject({ status: 400, paths: [path] });
  }
  const member = await addMember(service.databaseUrl, workspaceId, "member");
  expect((await consoleOf(service, member.key).get("/audit")).status).toBe(403);
  expect((await read((await openWorkspace(service)).console, "?kind=agent")).items).toEqual([]);
});

verifies("audit.sign-in-failures", "a wrong password is in the log of the account's workspace", async () => {
  const { ownerId, console } = await openWorkspace(service);
  const email = `${ownerId}@localhost.localdomain`;
  expect((await postAuth(service, "sign-in", { email, password: "wrong" })).status).toBe(401);
  const { items } = await read(console, "?action=session.rejected");
  expect(items).toMatchObject([{ actor: null, key: null, subject: { kind: "session", name: email } }]);
});

verifies("audit.ndjson", "the whole log is read as one entry in each line", async () => {
  const { workspaceId, console } = await openWorkspace(service);
  await sql(
    service.databaseUrl,
    `insert into audit_log (workspace_id, action, subject_kind, subject_name, at)
     select $1, 'agent.created', 'agent', 'Agent ' || n, now() - n * interval '1 s' from generate_series(1, 250) n`,
    [workspaceId],
  );
  const answer = await console.get("/audit?format=ndjson&kind=agent");
  expect(answer.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
  const lines = answer.text.trimEnd().split("\n");
  expect(lines.map((line) => entry.parse(JSON.parse(line)).subject.name)).toEqual(
    Array.from({ length: 250 }, (_, index) => `Agent ${index + 1}`),
  );
  expect(refusal(await console.get("/audit?format=xml"))).toMatchObject({ status: 400, paths: ["format"] });
});
