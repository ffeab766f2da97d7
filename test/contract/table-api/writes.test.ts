import { beforeAll, expect, test } from "vitest";
import { newId } from "#lib/ids.ts";
import { apiOf } from "../../support/api.ts";
import { inDeadlock } from "../../support/database/deadlock.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { idOf, rawTable, tableClient, tableRefusal } from "../../support/table-api.ts";
import type { TableClient } from "../../support/table-api.ts";
import { verifies } from "../../support/verifies.ts";

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

function agent(name: string, fields: Readonly<Record<string, unknown>> = {}) {
  return { name, model: "demo", provider: "demo", system_prompt: "Work.", tools: ["wait"], workspace_id, ...fields };
}

async function agentId(name: string): Promise<string> {
  const { data } = await db.from("agents").insert(agent(name)).select("id").single().throwOnError();
  return idOf(data);
}

async function namesLike(pattern: string): Promise<unknown> {
  const { data } = await db.from("agents").select("name").like("name", pattern).order("name").throwOnError();
  return data.map(({ name }) => name);
}

verifies(["table-api.agents.create", "table-api.client-library"], "an agent is created with its defaults", async () => {
  const made = await db
    .from("agents")
    .insert(agent("Fresh", { status: "idle" }))
    .select()
    .single();
  expect(made).toMatchObject({ status: 201, error: null });
  expect(made.data).toMatchObject({ name: "Fresh", status: "idle", temperature: 0.7, tags: [], workspace_id });
  const record = await apiOf(service, service.keys.api).get(`/api-agents?id=${idOf(made.data)}`);
  expect(record.body).toMatchObject({ name: "Fresh", model: "demo", provider: "demo", system_prompt: "Work." });
});

verifies("table-api.agents.change", "PATCH changes the rows that the filter names", async () => {
  const id = await agentId("Before");
  const changed = await db
    .from("agents")
    .update({ name: "After", tags: ["a"] })
    .eq("id", id)
    .select("name,tags");
  expect(changed).toMatchObject({ status: 200, data: [{ name: "After", tags: ["a"] }] });
  expect(await namesLike("Before")).toEqual([]);
});

verifies(
  "table-api.agents.change",
  "the settings of an agent's models are columns, checked as in the API",
  async () => {
    const output_schema = { type: "object", properties: { z: {}, a: {} } };
    const given = { temperature: null, fallback_models: ["gpt-4o", "claude-haiku-4-5"], prompt_caching: false };
    const set = { ...given, reasoning: { effort: null, show: true }, output_schema };
    const id = await agentId("Settings");
    const columns = "temperature,fallback_model,fallback_models,prompt_caching,reasoning,output_schema";
    const changed = await db.from("agents").update(set).eq("id", id).select(columns);
    expect(changed).toMatchObject({ status: 200, data: [{ ...set, fallback_model: "gpt-4o" }] });
    const first = await db.from("agents").update({ fallback_model: null }).eq("id", id).select(columns);
    expect(first).toMatchObject({ data: [{ fallback_model: null, fallback_models: [] }] });
    for (const wrong of [
      { output_schema: { type: 5 } },
      { reasoning: { effort: "high" } },
      { fallback_models: ["demo"] },
    ]) {
      const { status, error } = await db.from("agents").update(wrong).eq("id", id);
      const [column = ""] = Object.keys(wrong);
      expect([status, error?.code, error?.message]).toEqual([
        422,
        "23514",
        expect.stringContaining(`agents_${column}_check`),
      ]);
    }
  },
);

verifies("table-api.agents.delete", "DELETE removes the rows that the filter names", async () => {
  const id = await agentId("Gone");
  expect(await db.from("agents").delete().eq("id", id)).toMatchObject({ status: 204, error: null });
  expect(await namesLike("Gone")).toEqual([]);
});

verifies("table-api.prefer.return", "return chooses between nothing, headers and the rows", async () => {
  const body = agent("Returned");
  const minimal = await raw("POST", "/agents", { body });
  expect([minimal.status, minimal.text]).toEqual([201, ""]);
  const headers = await raw("POST", "/agents", { body, headers: { prefer: "return=headers-only" } });
  expect([headers.status, headers.text]).toEqual([201, ""]);
  expect(headers.headers.get("location")).toMatch(/^\/rest\/v1\/agents\?id=eq\.[0-9a-f-]{36}$/);
  const rows = await raw("POST", "/agents?select=name", { body, headers: { prefer: "return=representation" } });
  expect([rows.status, rows.body]).toEqual([201, [{ name: "Returned" }]]);
  expect(rows.headers.get("preference-applied")).toBe("return=representation");
  const changed = await raw("PATCH", "/agents?name=eq.Returned", {
    body: {},
    headers: { prefer: "return=representation" },
  });
  expect([changed.status, changed.body]).toEqual([200, []]);
  const gone = await raw("DELETE", "/agents?name=eq.Returned&select=name", {
    headers: { prefer: "return=representation, count=exact" },
  });
  expect([gone.status, gone.body, gone.headers.get("content-range")]).toEqual([
    200,
    [{ name: "Returned" }, { name: "Returned" }, { name: "Returned" }],
    "*/3",
  ]);
});

verifies("table-api.isolation.no-match-204", "a change that matches nothing is 204, or an empty list", async () => {
  const nowhere = `/agents?id=eq.${newId()}`;
  const representation = { prefer: "return=representation" };
  expect((await raw("PATCH", nowhere, { body: { name: "x" } })).status).toBe(204);
  expect((await raw("DELETE", nowhere)).status).toBe(204);
  for (const [method, body] of [
    ["PATCH", { name: "x" }],
    ["DELETE", undefined],
  ] as const) {
    const { status, body: rows } = await raw(method, nowhere, { body, headers: representation });
    expect([status, rows]).toEqual([200, []]);
  }
});

verifies("table-api.bulk-insert", "a list inserts all rows or none; columns names those that count", async () => {
  const made = await db
    .from("agents")
    .insert([agent("Bulk A"), agent("Bulk B", { tags: ["b"] })].map((row) => ({ tags: [], ...row })));
  expect(made).toMatchObject({ status: 201, error: null });
  const broken = await db.from("agents").insert([agent("Bulk C"), agent("Bulk D", { model: "unknown" })]);
  expect(broken).toMatchObject({ status: 422, error: { code: "23514" } });
  expect(await namesLike("Bulk%")).toEqual(["Bulk A", "Bulk B"]);
  const query = "/agents?columns=name,model,workspace_id,tags&select=name,tags,description";
  const body = [{ ...agent("Bulk E"), description: "left out", nothing: 1, tags: ["e"] }];
  const chosen = await raw("POST", query, { body, headers: { prefer: "return=representation" } });
  expect(chosen.body).toEqual([{ name: "Bulk E", tags: ["e"], description: "" }]);
  const uneven = [agent("Bulk F", { tags: ["f"] }), agent("Bulk G")];
  const refused = await db.from("agents").insert(uneven);
  expect(refused).toMatchObject({ status: 422, error: { code: "23502" } });
  const filled = await db.from("agents").insert(uneven, { defaultToNull: false }).select("name,tags");
  expect(filled.data).toEqual([
    { name: "Bulk F", tags: ["f"] },
    { name: "Bulk G", tags: [] },
  ]);
});

verifies("table-api.bulk-insert", "CSV inserts rows as well", async () => {
  const csv = `name,model,tags,temperature,max_tokens,is_marketplace,config,workspace_id\r\n"C, 1",demo,"{a,""b c""}",0.5,NULL,true,"{""k"":1}",${workspace_id}\r\nC2,demo,{},1,20,f,{},${workspace_id}\r\n\r\n`;
  const answer = await raw("POST", "/agents?select=name,tags,temperature,max_tokens,is_marketplace,config", {
    body: csv,
    headers: { "content-type": "text/csv", prefer: "return=representation" },
  });
  expect(answer.body).toEqual([
    { name: "C, 1", tags: ["a", "b c"], temperature: 0.5, max_tokens: null, is_marketplace: true, config: { k: 1 } },
    { name: "C2", tags: [], temperature: 1, max_tokens: 20, is_marketplace: false, config: {} },
  ]);
});

verifies("table-api.prefer.resolution", "duplicates are merged or ignored, and new rows created", async () => {
  const id = await agentId("Once");
  const row = agent("Twice", { id });
  const merged = await db.from("agents").upsert(row, { onConflict: "id" }).select("id,name");
  expect(merged).toMatchObject({ status: 200, data: [{ id, name: "Twice" }] });
  const created = await db.from("agents").upsert(agent("New")).select("name");
  expect(created).toMatchObject({ status: 201, data: [{ name: "New" }] });
  const rows = [{ ...row, name: "Ignored" }, agent("New beside")];
  const ignored = await db.from("agents").upsert(rows, { ignoreDuplicates: true, defaultToNull: false }).select("name");
  expect(ignored).toMatchObject({ status: 201, data: [{ name: "New beside" }] });
  expect(await namesLike("Ignored")).toEqual([]);
  const byName = await db.from("agents").upsert(row, { onConflict: "name" });
  expect(byName).toMatchObject({ status: 400, error: { code: "42P10" } });
});

test("max-affected rejects a change of more rows", async () => {
  await db.from("agents").insert([agent("Many 1"), agent("Many 2")]);
  const prefer = "handling=strict, max-affected=1";
  const limited = await raw("DELETE", "/agents?name=like.Many*", { headers: { prefer } });
  expect(tableRefusal(limited)).toMatchObject({ status: 400, code: "PGRST124" });
  expect(await namesLike("Many%")).toEqual(["Many 1", "Many 2"]);
});

test("a change that should be of one row changes nothing when it is of several", async () => {
  await db.from("agents").insert([agent("Single 1"), agent("Single 2")]);
  const several = await db.from("agents").update({ name: "Single 3" }).like("name", "Single%").select().single();
  expect(several).toMatchObject({ status: 406, error: { code: "PGRST116" } });
  expect(await namesLike("Single%")).toEqual(["Single 1", "Single 2"]);
});

verifies("table-api.accept.profile", "a write names its schema as well", async () => {
  const foreign = await raw("POST", "/agents", { body: agent("x"), headers: { "content-profile": "private" } });
  expect(tableRefusal(foreign)).toMatchObject({ status: 406, code: "PGRST106" });
  const own = await raw("POST", "/agents", { body: agent("Profiled"), headers: { "content-profile": "public" } });
  expect(own.status).toBe(201);
});

test.concurrent.each([
  ["the table API", (id: string) => raw("DELETE", `/agents?id=eq.${id}`)],
  ["the envelope API", (id: string) => apiOf(service, service.keys.api).delete(`/api-agents?id=${id}`)],
])("what %s does is done again when it was undone to end a deadlock", async (name, remove) => {
  const agent_id = await agentId(name);
  const row = { title: "Later", agent_id, scheduled_for: "2090-01-01T00:00:00Z", workspace_id };
  const { data: task } = await db.from("tasks").insert(row).select("id").single().throwOnError();
  const held = ["select from tasks where id = $1 for update", idOf(task)] as const;
  const wanted = ["select from agents where id = $1 for update", agent_id] as const;
  const removed = await inDeadlock(service.databaseUrl, { held, wanted }, () => remove(agent_id));
  expect(removed.status).toBe(204);
});
