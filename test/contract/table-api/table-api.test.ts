import { beforeAll, expect } from "vitest";
import { newId } from "#lib/ids.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { idOf, rawTable, tableClient, tableRefusal } from "../../support/table-api.ts";
import type { TableClient } from "../../support/table-api.ts";
import { verifies } from "../../support/verifies.ts";
import { addWorkspace, sql } from "../../support/workspace.ts";

let service: SharedService;
let db: TableClient;
let raw: ReturnType<typeof rawTable>;
let workspaceId: string;

const [alphaId, betaId, gammaId] = [newId(), newId(), newId()];
const teamId = newId();
const runId = newId();

beforeAll(async () => {
  service = await useSharedService();
  db = tableClient(service);
  raw = rawTable(service);
  workspaceId = service.workspaceId;
  await fill(workspaceId, [alphaId, betaId, gammaId]);
  const other = await addWorkspace(service.databaseUrl);
  await fill(other.workspaceId, [newId(), newId(), newId()]);
  await addRun();
});

/** Three agents, of which the first two have tasks and usage. */
async function fill(workspace: string, [alpha, beta, gamma]: readonly [string, string, string]): Promise<void> {
  await sql(
    service.databaseUrl,
    `insert into agents (id, workspace_id, name, description, model, provider, tags, max_tokens, is_marketplace, config, created_at)
     values ($1, $4, 'Alpha', 'writes the news', 'demo', 'demo', '{news,daily}', 100, true,
             '{"tier":"gold","limits":{"runs":[3,5]}}', '2026-01-01T10:00:00Z'),
            ($2, $4, 'Beta, the "second"', '', 'demo', 'demo', '{daily}', null, false, '{"tier":"tin"}', '2026-01-02T10:00:00Z'),
            ($3, $4, 'gamma', 'rests', 'demo', 'demo', '{}', 200, false, '{}', '2026-01-03T10:00:00Z')`,
    [alpha, beta, gamma, workspace],
  );
  await sql(
    service.databaseUrl,
    `with made as (
       insert into tasks (id, workspace_id, title, priority, status, assigned_agent_id, completed_at, created_at)
       select gen_random_uuid(), $3, t.title, t.priority, t.status, t.agent, t.done, t.made
       from (values
         ('one', 'high', 'completed', $1::uuid, timestamptz '2026-02-01T10:00:00Z', timestamptz '2026-02-01T09:00:00Z'),
         ('two', 'low', 'failed', $2::uuid, timestamptz '2026-02-02T10:00:00Z', timestamptz '2026-02-02T09:00:00Z'),
         ('three', 'low', 'pending', null, null, timestamptz '2026-02-03T09:00:00Z')) t (title, priority, status, agent, done, made)
       returning id, workspace_id, assigned_agent_id, created_at)
     insert into usage_records (id, workspace_id, task_id, agent_id, attempt, step, provider, model, prompt_tokens,
       completion_tokens, estimated_cost_usd, billing_model, created_at)
     select gen_random_uuid(), workspace_id, id, assigned_agent_id, 1, 0, 'demo', 'demo', 10, 5, 0.25, 'per-token', created_at
     from made where assigned_agent_id is not null`,
    [alpha, beta, workspace],
  );
}

async function addRun(): Promise<void> {
  await sql(
    service.databaseUrl,
    `with team as (insert into teams (id, workspace_id, name, mode, config)
         values ($1, $3, 'Crew', 'pipeline', '{"steps":[]}') returning id),
       member as (insert into team_members (id, workspace_id, team_id, agent_id, role, position)
         select gen_random_uuid(), $3, id, $4, 'worker', 0 from team),
       run as (insert into team_runs (id, workspace_id, team_id, status, input_task)
         select $2, $3, id, 'completed', 'Go' from team),
       message as (insert into team_messages (id, workspace_id, run_id, message_type, content)
         select gen_random_uuid(), $3, $2, 'system', 'Done' from team),
       delegation as (insert into team_delegations (id, workspace_id, run_id, attempt, key, version, agent_id,
           instruction, status)
         select gen_random_uuid(), $3, $2, 1, 'd1', 1, $4, 'Work', 'accepted' from team),
       hook as (insert into webhook_subscriptions (id, workspace_id, target_url, event, secret_ciphertext)
         select gen_random_uuid(), $3, 'https://example.com/hook', 'task_completed', 'sealed' from team),
       voice as (insert into voice_profiles (id, workspace_id, name, tone)
         select gen_random_uuid(), $3, 'Plain', 'Casual' from team)
     insert into output_templates (id, workspace_id, name, type, body)
       select gen_random_uuid(), $3, 'Page', 'Markdown', '{{task_result}}' from team`,
    [teamId, runId, workspaceId, alphaId],
  );
}

/** The names of the agents that a query gives, in its order. */
async function names(query: string): Promise<unknown> {
  const { data, error } = await rows(`/agents?select=name&${query}`);
  return error ?? data?.map(({ name }) => name);
}

async function rows(path: string) {
  const answer = await raw("GET", path);
  if (answer.status >= 300) return { error: tableRefusal(answer), data: undefined };
  const data: Record<string, unknown>[] = JSON.parse(answer.text);
  return { error: undefined, data };
}

const BETA = 'Beta, the "second"';

verifies("table-api.agents.list", "agents are listed, and filtered by is_marketplace", async () => {
  const all = await db.from("agents").select();
  expect(all).toMatchObject({ status: 200, error: null });
  expect(all.data).toHaveLength(3);
  expect(all.data?.[0]).toMatchObject({ workspace_id: workspaceId, status: expect.stringMatching(/idle|failed/) });
  expect((await db.from("agents").select("name").eq("is_marketplace", true)).data).toEqual([{ name: "Alpha" }]);
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

verifies("table-api.select.columns", "select takes columns, aliases, casts and places inside of JSON", async () => {
  const { data } = await rows(
    `/agents?select=name,label:description,config->>tier,runs:config->limits->runs->1,max_tokens::text&id=eq.${alphaId}`,
  );
  expect(data).toEqual([{ name: "Alpha", label: "writes the news", tier: "gold", runs: 5, max_tokens: "100" }]);
  expect(Object.keys((await rows("/voice_profiles?select=*,also:name")).data?.[0] ?? {})).toEqual([
    "id",
    "workspace_id",
    "name",
    "tone",
    "custom_instructions",
    "output_format_hints",
    "created_by",
    "created_at",
    "updated_at",
    "also",
  ]);
});

verifies("table-api.select.columns", "tables are embedded from both ends of a reference, one level deep", async () => {
  const tasks = await db.from("tasks").select("title,worker:agents(name,status)").order("title");
  expect(tasks.data).toEqual([
    { title: "one", worker: { name: "Alpha", status: "idle" } },
    { title: "three", worker: null },
    { title: "two", worker: { name: BETA, status: "failed" } },
  ]);
  const agents = await db.from("agents").select("name,tasks(title),usage_records(prompt_tokens)").order("name");
  expect(agents.data).toEqual([
    { name: "Alpha", tasks: [{ title: "one" }], usage_records: [{ prompt_tokens: 10 }] },
    { name: BETA, tasks: [{ title: "two" }], usage_records: [{ prompt_tokens: 10 }] },
    { name: "gamma", tasks: [], usage_records: [] },
  ]);
  expect((await db.from("tasks").select("title,agents!inner(name)").eq("agents.name", "Alpha")).data).toEqual([
    { title: "one", agents: { name: "Alpha" } },
  ]);
  expect((await rows("/tasks?select=title,agents()&agents=is.null")).data).toEqual([{ title: "three" }]);
  expect((await rows("/tasks?select=title,agents!inner()&order=agents(name).desc")).data).toEqual([
    { title: "two" },
    { title: "one" },
  ]);
  expect((await rows("/tasks?select=agent_id(name)&title=eq.one")).data).toEqual([{ agent_id: { name: "Alpha" } }]);
  expect((await rows("/teams?select=team_members(agent_id),team_runs!team_runs_team_fkey(id)")).data).toEqual([
    { team_members: [{ agent_id: alphaId }], team_runs: [{ id: runId }] },
  ]);
});

verifies("table-api.select.columns", "an embedded list has filters, an order and a length of its own", async () => {
  const { data } = await db
    .from("agents")
    .select("name,tasks(title)")
    .eq("tasks.status", "completed")
    .order("title", { referencedTable: "tasks" })
    .limit(1, { referencedTable: "tasks" })
    .order("name");
  expect(data?.map(({ tasks }) => tasks)).toEqual([[{ title: "one" }], [], []]);
  const either = await rows("/agents?select=name,tasks(title)&tasks.or=(title.eq.two,title.eq.x)&order=name.desc");
  expect(either.data?.map(({ tasks }) => tasks)).toEqual([[], [{ title: "two" }], []]);
});

verifies("table-api.filter.comparison", "eq, neq, gt, gte, lt and lte compare", async () => {
  expect(await names("name=eq.Alpha")).toEqual(["Alpha"]);
  expect(await names("name=neq.Alpha&order=name")).toEqual([BETA, "gamma"]);
  expect(await names("max_tokens=gt.100")).toEqual(["gamma"]);
  expect(await names("max_tokens=gte.100&order=max_tokens")).toEqual(["Alpha", "gamma"]);
  expect(await names("max_tokens=lt.200")).toEqual(["Alpha"]);
  expect(await names("max_tokens=lte.200&order=max_tokens.desc")).toEqual(["gamma", "Alpha"]);
  expect(await names("max_tokens=eq(any).{100,7}")).toEqual(["Alpha"]);
  expect(await names("config->>tier=eq.tin")).toEqual([BETA]);
  expect(await names("config->limits->runs->0=gte.3")).toEqual(["Alpha"]);
  expect(await names("status=eq.failed")).toEqual([BETA]);
  expect(await names("max_tokens=isdistinct.100&order=name")).toEqual([BETA, "gamma"]);
});

verifies("table-api.filter.pattern", "like, ilike, match and full-text search find texts", async () => {
  expect(await names("name=like.A*")).toEqual(["Alpha"]);
  expect(await names("name=like.G*")).toEqual([]);
  expect(await names("name=ilike.G%25")).toEqual(["gamma"]);
  expect(await names("name=like(any).{A*,g*}&order=name")).toEqual(["Alpha", "gamma"]);
  expect(await names("name=ilike(all).{*A*,*m*}")).toEqual(["gamma"]);
  expect(await names("name=match.^g.m")).toEqual(["gamma"]);
  expect(await names("name=imatch.^G.M")).toEqual(["gamma"]);
  expect(await names("description=fts(english).news")).toEqual(["Alpha"]);
  expect(await names("description=wfts.writes news")).toEqual(["Alpha"]);
  expect((await db.from("agents").select("name").ilike("name", "%second%")).data).toEqual([{ name: BETA }]);
});

verifies("table-api.filter.sets", "in, is, cs, cd and ov test sets, nulls and containment", async () => {
  expect(await names(`name=in.(Alpha,"Beta, the \\"second\\"")&order=name`)).toEqual(["Alpha", BETA]);
  expect(await names("name=in.()")).toEqual([]);
  expect(await names("max_tokens=is.null")).toEqual([BETA]);
  expect(await names("max_tokens=is.not_null&order=name")).toEqual(["Alpha", "gamma"]);
  expect(await names("is_marketplace=is.true")).toEqual(["Alpha"]);
  expect(await names("tags=cs.{news}")).toEqual(["Alpha"]);
  expect(await names("tags=cd.{daily,x}&order=name")).toEqual([BETA, "gamma"]);
  expect(await names("tags=ov.{news,x}")).toEqual(["Alpha"]);
  expect(await names('config=cs.{"tier":"tin"}')).toEqual([BETA]);
  const { data } = await db
    .from("agents")
    .select("name")
    .contains("tags", ["news", "daily"])
    .in("name", ["Alpha", "a,b"]);
  expect(data).toEqual([{ name: "Alpha" }]);
});

verifies("table-api.filter.logic", "not, and and or combine filters", async () => {
  expect(await names("name=not.eq.Alpha&order=name")).toEqual([BETA, "gamma"]);
  expect(await names("name=not.in.(Alpha,gamma)")).toEqual([BETA]);
  expect(await names("or=(name.eq.Alpha,name.eq.gamma)&order=name")).toEqual(["Alpha", "gamma"]);
  expect(await names("or=(name.eq.Alpha,and(max_tokens.gt.150,max_tokens.lt.250))&order=name")).toEqual([
    "Alpha",
    "gamma",
  ]);
  expect(await names("not.or=(name.eq.Alpha,max_tokens.is.null)")).toEqual(["gamma"]);
  expect(await names("and=(tags.cs.{daily},not.or(name.eq.x,tags.cs.{news}))")).toEqual([BETA]);
  expect(await names(`or=(name.in.("${BETA.replaceAll('"', '\\"')}",x),config->>tier.eq.gold)&order=name`)).toEqual([
    "Alpha",
    BETA,
  ]);
  const { data } = await db.from("agents").select("name").or("name.eq.Alpha,tags.ov.{x,y}").not("tags", "cs", "{z}");
  expect(data).toEqual([{ name: "Alpha" }]);
});

verifies("table-api.order", "order takes directions and the place of nulls", async () => {
  expect(await names("order=max_tokens.asc.nullsfirst")).toEqual([BETA, "Alpha", "gamma"]);
  expect(await names("order=max_tokens.desc.nullslast")).toEqual(["gamma", "Alpha", BETA]);
  expect(await names("order=max_tokens.desc")).toEqual([BETA, "gamma", "Alpha"]);
  expect(await names("order=is_marketplace,name.desc")).toEqual(["gamma", BETA, "Alpha"]);
  expect(await names("order=config->>tier.desc.nullslast")).toEqual([BETA, "Alpha", "gamma"]);
});

verifies("table-api.range", "limit, offset and Range choose rows", async () => {
  expect(await names("order=name&limit=2")).toEqual(["Alpha", BETA]);
  expect(await names("order=name&limit=2&offset=2")).toEqual(["gamma"]);
  const page = await db.from("agents").select("name", { count: "exact" }).order("name").range(1, 1);
  expect(page).toMatchObject({ status: 206, count: 3, data: [{ name: BETA }] });
  const headers = { range: "1-1", "range-unit": "items", prefer: "count=exact" };
  const answer = await raw("GET", "/agents?select=name&order=name", { headers });
  expect([answer.status, answer.headers.get("content-range"), answer.body]).toEqual([206, "1-1/3", [{ name: BETA }]]);
  expect((await raw("GET", "/agents?limit=0")).headers.get("content-range")).toBe("*/*");
});

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
    expect([table, new Set(data?.map(({ workspace_id }) => workspace_id))]).toEqual([table, new Set([workspaceId])]);
    expect([table, (await rows(`/${table}?workspace_id=neq.${workspaceId}`)).data]).toEqual([table, []]);
  }
  const { data } = await rows("/agents?select=tasks(workspace_id),usage_records(workspace_id)");
  expect(new Set(JSON.stringify(data).match(/[0-9a-f-]{36}/g))).toEqual(new Set([workspaceId]));
});
