import { beforeAll, expect } from "vitest";
import { newId } from "#lib/ids.ts";
import { idOf, tableRefusal } from "../../support/table-api.ts";
import { openTableScene } from "../../support/table-scene.ts";
import type { TableScene } from "../../support/table-scene.ts";
import { verifies } from "../../support/verifies.ts";

let service: TableScene["service"];
let db: TableScene["db"];
let raw: TableScene["raw"];
let alphaId: TableScene["alphaId"];
let betaId: TableScene["betaId"];
let gammaId: TableScene["gammaId"];
let teamId: TableScene["teamId"];
let runId: TableScene["runId"];
let rows: TableScene["rows"];

beforeAll(async () => {
  ({ service, db, raw, alphaId, betaId, gammaId, teamId, runId, rows } = await openTableScene());
});

verifies("table-api.agents.list", "agents are listed, and filtered by is_marketplace", async () => {
  const all = await db.from("agents").select();
  expect(all).toMatchObject({ status: 200, error: null });
  expect(all.data).toHaveLength(3);
  expect(all.data?.[0]).toMatchObject({
    workspace_id: service.workspaceId,
    status: expect.stringMatching(/idle|failed/),
  });
  const listed = db.from("agents").select("name").eq("is_marketplace", true).eq("workspace_id", service.workspaceId);
  expect((await listed).data).toEqual([{ name: "Alpha" }]);
});

verifies(
  ["table-api.tasks.list", "table-api.tasks.agent-id"],
  "tasks are filtered by status, priority, agent_id and id, and ordered",
  async () => {
    const list = () => db.from("tasks").select("title");
    expect((await list().eq("status", "failed")).data).toEqual([{ title: "two" }]);
    expect((await list().eq("priority", "low").order("title")).data).toEqual([{ title: "three" }, { title: "two" }]);
    expect((await list().eq("agent_id", alphaId)).data).toEqual([{ title: "one" }]);
    const { data: one } = await db.from("tasks").select("id,agent_id").eq("title", "one").single();
    expect(one).toMatchObject({ agent_id: alphaId });
    expect((await list().eq("id", idOf(one))).data).toEqual([{ title: "one" }]);
    const newest = await list().order("created_at", { ascending: false });
    expect(newest.data?.map(({ title }) => title)).toEqual(["three", "two", "one"]);
  },
);

verifies(
  ["table-api.teams.list", "table-api.team-runs.list", "table-api.usage-records.list", "usage.listed"],
  "teams, runs of a team and usage since a day are listed",
  async () => {
    expect((await db.from("teams").select()).data).toMatchObject([{ id: teamId, name: "Crew", mode: "pipeline" }]);
    const runs = await db.from("team_runs").select("id,input_task").eq("team_id", teamId).order("created_at");
    expect(runs.data).toEqual([{ id: runId, input_task: "Go" }]);
    const usage = await db
      .from("usage_records")
      .select(
        "task_id,agent_id,provider,model,prompt_tokens,completion_tokens,estimated_cost_usd,billing_model,created_at",
      )
      .gte("created_at", "2026-02-02")
      .order("created_at");
    expect(usage.data).toEqual([
      {
        task_id: expect.any(String),
        agent_id: betaId,
        provider: "demo",
        model: "demo",
        prompt_tokens: 10,
        completion_tokens: 5,
        estimated_cost_usd: 0.25,
        billing_model: "per-token",
        created_at: "2026-02-02T09:00:00+00:00",
      },
    ]);
  },
);

verifies("table-api.prefer.count", "count=exact, planned and estimated count into Content-Range", async () => {
  for (const count of ["exact", "estimated"] as const) {
    expect(await db.from("agents").select("*", { count, head: true })).toMatchObject({ count: 3, data: null });
  }
  const planned = await db.from("agents").select("*", { count: "planned", head: true });
  expect(planned.count).toBeGreaterThan(0);
  const inner = await db.from("agents").select("name,tasks!inner(id)", { count: "exact" }).limit(1);
  expect(inner).toMatchObject({ count: 2, status: 206 });
  const answer = await raw("GET", "/agents", { headers: { prefer: "count=exact" } });
  expect([answer.status, answer.headers.get("content-range")]).toEqual([200, "0-2/3"]);
  expect(answer.headers.get("preference-applied")).toBe("count=exact");
});

verifies(["table-api.accept.object", "table-api.error.406"], "one object is returned for exactly one row", async () => {
  expect(await db.from("agents").select("name").eq("id", gammaId).single()).toMatchObject({ data: { name: "gamma" } });
  expect(await db.from("agents").select("name").eq("id", newId()).maybeSingle()).toMatchObject({
    data: null,
    error: null,
  });
  const several = await raw("GET", "/agents", { headers: { accept: "application/vnd.pgrst.object+json" } });
  expect(tableRefusal(several)).toEqual({
    status: 406,
    code: "PGRST116",
    message: "Cannot coerce the result to a single JSON object",
    details: "The result contains 3 rows",
    hint: null,
  });
  const stripped = "application/vnd.pgrst.object+json;nulls=stripped";
  const one = await raw("GET", `/agents?select=name,fallback_model&id=eq.${gammaId}`, {
    headers: { accept: stripped },
  });
  expect([one.body, one.headers.get("content-type")]).toEqual([
    { name: "gamma" },
    "application/vnd.pgrst.object+json;nulls=stripped; charset=utf-8",
  ]);
});

verifies("table-api.accept.csv", "rows are answered as CSV", async () => {
  const { data, error } = await db.from("agents").select("name,tags,max_tokens").order("name").csv();
  expect(error).toBeNull();
  expect(data).toBe('name,tags,max_tokens\nAlpha,"{news,daily}",100\n"Beta, the ""second""",{daily},\ngamma,{},200');
});

verifies(
  ["table-api.accept.profile", "table-api.head-and-options"],
  "HEAD, OPTIONS and the schema public are answered",
  async () => {
    const head = await raw("HEAD", "/agents", { headers: { "accept-profile": "public" } });
    expect([head.status, head.text, head.headers.get("content-range")]).toEqual([200, "", "0-2/*"]);
    const options = await fetch(`${service.url}/rest/v1/agents`, { method: "OPTIONS" });
    expect(options.status).toBe(204);
    const allowed = options.headers.get("access-control-allow-headers")?.toLowerCase().split(", ");
    const sent = [
      "apikey",
      "authorization",
      "x-client-info",
      "x-retry-count",
      "accept-profile",
      "content-profile",
      "prefer",
      "range",
      "range-unit",
    ];
    expect(allowed).toEqual(expect.arrayContaining(sent));
    const other = await raw("GET", "/agents", { headers: { "accept-profile": "private" } });
    expect(tableRefusal(other)).toMatchObject({ status: 406, code: "PGRST106" });
  },
);

verifies("table-api.secrets-hidden", "no secret can be selected, filtered or ordered by", async () => {
  const { data } = await rows("/webhook_subscriptions");
  expect(data).toMatchObject([{ target_url: "https://example.com/hook" }]);
  expect(JSON.stringify(data)).not.toContain("sealed");
  for (const query of ["select=secret_ciphertext", "secret_ciphertext=eq.sealed", "order=secret_ciphertext"]) {
    expect((await rows(`/webhook_subscriptions?${query}`)).error).toMatchObject({ status: 400, code: "42703" });
  }
  for (const table of ["users", "members", "api_keys", "provider_keys", "instance_settings", "task_events"]) {
    expect((await rows(`/${table}`)).error).toMatchObject({ status: 404, code: "PGRST205" });
  }
});

verifies("table-api.isolation.reads", "no read shows a row of another workspace", async () => {
  const tables = ["agents", "tasks", "usage_records", "teams", "team_members", "team_runs", "team_messages"];
  for (const table of [...tables, "team_delegations", "voice_profiles", "output_templates", "webhook_subscriptions"]) {
    const { data } = await rows(`/${table}?select=workspace_id`);
    expect([table, data?.length]).not.toEqual([table, 0]);
    expect([table, new Set(data?.map(({ workspace_id }) => workspace_id))]).toEqual([
      table,
      new Set([service.workspaceId]),
    ]);
    expect([table, (await rows(`/${table}?workspace_id=neq.${service.workspaceId}`)).data]).toEqual([table, []]);
  }
  const { data } = await rows("/agents?select=tasks(workspace_id),usage_records(workspace_id)");
  expect(new Set(JSON.stringify(data).match(/[0-9a-f-]{36}/g))).toEqual(new Set([service.workspaceId]));
});
