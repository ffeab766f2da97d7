import { afterAll, beforeAll, expect } from "vitest";
import { newId } from "#lib/ids.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { rawTable, tableClient, tableRefusal } from "../../support/table-api.ts";
import type { TableClient } from "../../support/table-api.ts";
import { verifies } from "../../support/verifies.ts";
import { addWorkspace, sql } from "../../support/workspace.ts";

let service: TestService;
let db: TableClient;
let raw: ReturnType<typeof rawTable>;

const [adaId, bobId] = [newId(), newId()];

beforeAll(async () => {
  service = await startService({ env: { TABLE_MAX_ROWS: "3" } });
  db = tableClient(service);
  raw = rawTable(service);
  const [own] = await sql<{ id: string }>(service.databaseUrl, "select id from workspaces");
  await fill(own?.id ?? "", [adaId, bobId]);
  const other = await addWorkspace(service.databaseUrl);
  await fill(other.workspaceId, [newId(), newId()]);
});
afterAll(() => service.stop());

/** Two agents in one team, Ada in a second one as well, with a run of the first. */
async function fill(workspaceId: string, [ada, bob]: readonly [string, string]): Promise<void> {
  const [news, night, run] = [newId(), newId(), newId()];
  const values = [ada, bob, workspaceId];
  await sql(
    service.databaseUrl,
    `insert into agents (id, workspace_id, name, model, provider, tags, config)
     values ($1, $3, 'Ada', 'demo', 'demo', '{news,daily}', '{"content-type":"a","@id":"b","x y":"c","10%":"d"}'),
            ($2, $3, 'Bob', 'demo', 'demo', '{}', '{}')`,
    values,
  );
  await sql(
    service.databaseUrl,
    `insert into teams (id, workspace_id, name, mode, config)
     values ($1, $3, 'News', 'pipeline', '{"steps":[]}'), ($2, $3, 'Night', 'pipeline', '{"steps":[]}')`,
    [news, night, workspaceId],
  );
  await sql(
    service.databaseUrl,
    `insert into team_members (id, workspace_id, team_id, agent_id, role, position)
     select gen_random_uuid(), $3, x.team, x.agent, 'worker', x.position
     from (values ($4::uuid, $1::uuid, 0), ($4, $2::uuid, 1), ($5::uuid, $1, 0)) x (team, agent, position)`,
    [...values, news, night],
  );
  await sql(
    service.databaseUrl,
    `insert into team_runs (id, workspace_id, team_id, status, input_task) values ($1, $2, $3, 'completed', 'Go')`,
    [run, workspaceId, news],
  );
  await sql(
    service.databaseUrl,
    `insert into tasks (id, workspace_id, title, status, assigned_agent_id)
     select gen_random_uuid(), $2, 'T' || n, 'completed', $1 from generate_series(1, 5) n`,
    [ada, workspaceId],
  );
}

async function get(path: string) {
  return tableRefusal(await raw("GET", path));
}

async function body(path: string): Promise<unknown> {
  return (await raw("GET", path)).body;
}

verifies("table-api.embed.many-to-many", "teams and agents are embedded in each other by their members", async () => {
  const teams = await db.from("teams").select("name,agents!team_members(name)").order("name");
  expect(teams).toMatchObject({ error: null });
  expect(teams.data).toEqual([
    { name: "News", agents: expect.arrayContaining([{ name: "Ada" }, { name: "Bob" }]) },
    { name: "Night", agents: [{ name: "Ada" }] },
  ]);
  expect(await body("/agents?select=name,teams(name)&name=eq.Bob")).toEqual([
    { name: "Bob", teams: [{ name: "News" }] },
  ]);
  const ordered = await db
    .from("teams")
    .select("crew:agents(name)")
    .eq("name", "News")
    .order("name", { referencedTable: "crew", ascending: false })
    .limit(1, { referencedTable: "crew" })
    .single();
  expect(ordered.data).toEqual({ crew: [{ name: "Bob" }] });
  const inner = await db.from("teams").select("name,agents!inner(name)").eq("agents.name", "Bob");
  expect(inner.data).toEqual([{ name: "News", agents: [{ name: "Bob" }] }]);
  expect(await body("/teams?select=name&agents=is.null")).toMatchObject({ code: "42703" });
  expect(await body("/agents?select=name,teams()&teams=not.is.null&order=name")).toEqual([
    { name: "Ada" },
    { name: "Bob" },
  ]);
});

verifies("table-api.embed.levels", "embedded tables embed others, with filters and orders of their own", async () => {
  const { data } = await db
    .from("teams")
    .select("name,team_members(position,agents(name))")
    .order("name")
    .order("position", { referencedTable: "team_members", ascending: false });
  expect(data).toEqual([
    {
      name: "News",
      team_members: [
        { position: 1, agents: { name: "Bob" } },
        { position: 0, agents: { name: "Ada" } },
      ],
    },
    { name: "Night", team_members: [{ position: 0, agents: { name: "Ada" } }] },
  ]);
  const three = "/team_runs?select=teams(team_members(agents(name)))&teams.team_members.order=position";
  expect(await body(three)).toEqual([
    { teams: { team_members: [{ agents: { name: "Ada" } }, { agents: { name: "Bob" } }] } },
  ]);
  const inner = "select=name,team_members!inner(agents!inner(name))&team_members.agents.name=eq.Bob";
  expect(await body(`/teams?${inner}`)).toEqual([{ name: "News", team_members: [{ agents: { name: "Bob" } }] }]);
  const byAgent = "select=team_members(agents(name))&name=eq.News&team_members.order=agents(name).desc";
  expect(await body(`/teams?${byAgent}`)).toEqual([
    { team_members: [{ agents: { name: "Bob" } }, { agents: { name: "Ada" } }] },
  ]);
  const counted = await raw("GET", `/teams?${inner}`, { headers: { prefer: "count=exact" } });
  expect(counted.headers.get("content-range")).toBe("0-0/1");
});

verifies("table-api.embed.levels", "lists at every level are bounded by the row cap, and levels by three", async () => {
  const deep = await raw("GET", "/teams?select=team_members(agents(name,tasks(title)))&name=eq.Night");
  expect(deep.body).toEqual([
    { team_members: [{ agents: { name: "Ada", tasks: [expect.anything(), expect.anything(), expect.anything()] } }] },
  ]);
  expect(await get("/teams?select=team_members(agents(tasks(agents(name))))")).toMatchObject({
    status: 400,
    code: "PGRST100",
    message: "Embedding goes at most 3 levels deep.",
  });
  const wide = Array.from({ length: 11 }, (_, n) => `a${n}:agents(name)`).join(",");
  expect(await get(`/teams?select=${wide}`)).toMatchObject({ message: "A query embeds at most 10 tables." });
  const key = `${"a.".repeat(5_000)}id`;
  expect(await get(`/teams?${key}=eq.1`)).toMatchObject({ status: 400, code: "PGRST100" });
});

verifies("table-api.embed.addressed", "an embedded table with an alias is addressed by its own name too", async () => {
  const byName = await db.from("agents").select("name,work:tasks(title)").eq("name", "Ada").eq("tasks.title", "T2");
  expect(byName).toMatchObject({ error: null, data: [{ name: "Ada", work: [{ title: "T2" }] }] });
  const path = "/agents?select=work:tasks(title)&name=eq.Ada&work.order=title.desc&tasks.limit=1";
  expect(await body(path)).toEqual([{ work: [{ title: "T5" }] }]);
  expect(await body("/tasks?select=title,worker:agents(name)&order=agents(name),title&limit=1")).toMatchObject([
    { title: "T1" },
  ]);
  expect(await get("/agents?select=work:tasks(title)&job.title=eq.x")).toMatchObject({ code: "PGRST108" });
});

verifies("table-api.filter.logic", "blanks are allowed around the brackets and commas of a logic tree", async () => {
  const names = async (or: string) => (await db.from("agents").select("name").or(or).order("name")).data;
  expect(await names("name.eq.Bob, and(name.eq.Ada, tags.cs.{news})")).toEqual([{ name: "Ada" }, { name: "Bob" }]);
  expect(await names(' and( name.eq."Ada" , or( tags.cs.{x}, not.and (tags.cs.{x}) ) )')).toEqual([{ name: "Ada" }]);
});

verifies("table-api.select.columns", "arrays have elements, and JSON keys may hold signs", async () => {
  expect(await body("/agents?select=first:tags->0,second:tags->>1,none:name->x&name=eq.Ada")).toEqual([
    { first: "news", second: "daily", none: null },
  ]);
  expect(await body("/agents?select=name&tags->>0=eq.news")).toEqual([{ name: "Ada" }]);
  const keys = "config->>content-type,config->>@id,config->x y,percent:config->>10%25";
  expect(await body(`/agents?select=${encodeURI(keys).replaceAll("%2525", "%25")}&name=eq.Ada`)).toEqual([
    { "content-type": "a", "@id": "b", "x y": "c", percent: "d" },
  ]);
  expect(await body("/agents?select=name&config->>@id=eq.b&order=config->>@id.desc")).toEqual([{ name: "Ada" }]);
  expect(await get("/agents?select=config->>a->b")).toMatchObject({ status: 400, code: "42883" });
});

verifies("table-api.error.400-query", "counting without brackets is an aggregate too", async () => {
  for (const path of ["/agents?select=name,tasks(count)", "/agents?select=count", "/agents?select=tasks(id.count())"]) {
    expect(await get(path)).toMatchObject({
      status: 400,
      code: "PGRST123",
      message: "Use of aggregate functions is not allowed",
    });
  }
});

verifies("table-api.error.416", "a range beyond the last row returns the number of rows", async () => {
  for (const count of ["exact", "planned", "estimated"]) {
    const answer = await raw("GET", "/agents?offset=7", { headers: { prefer: `count=${count}` } });
    expect([answer.status, answer.headers.get("content-range")]).toEqual([416, "*/2"]);
  }
  const backwards = await raw("GET", "/agents", { headers: { range: "5-2" } });
  expect([backwards.status, backwards.headers.get("content-range")]).toEqual([416, null]);
});

verifies("table-api.accept.object", "answers without nulls, and media types by their short names", async () => {
  for (const [accept, type] of [
    [
      "application/vnd.pgrst.object+json;nulls=stripped",
      "application/vnd.pgrst.object+json;nulls=stripped; charset=utf-8",
    ],
    ["application/vnd.pgrst.object; nulls=stripped", "application/vnd.pgrst.object+json;nulls=stripped; charset=utf-8"],
    [
      "application/vnd.pgrst.array+json;nulls=stripped",
      "application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8",
    ],
    ["application/vnd.pgrst.object", "application/vnd.pgrst.object+json; charset=utf-8"],
  ] as const) {
    const answer = await raw("GET", "/agents?select=name,max_tokens&name=eq.Ada", { headers: { accept } });
    expect([accept, answer.status, answer.headers.get("content-type")]).toEqual([accept, 200, type]);
    expect(answer.text.includes("max_tokens")).toBe(!accept.includes("stripped"));
  }
});

verifies("table-api.options-allow", "OPTIONS lists the available methods", async () => {
  for (const [path, allow] of [
    ["/agents", "GET, HEAD, POST, PATCH, DELETE, OPTIONS"],
    ["/team_runs", "GET, HEAD, POST, PATCH, OPTIONS"],
    ["/usage_records", "GET, HEAD, OPTIONS"],
    ["/rpc/increment_install_count", "POST, OPTIONS"],
    ["/", "GET, HEAD, OPTIONS"],
    ["/nope", null],
  ] as const) {
    const answer = await fetch(`${service.url}/rest/v1${path}`, { method: "OPTIONS" });
    expect([path, answer.status, answer.headers.get("allow")]).toEqual([path, 204, allow]);
  }
  const put = await raw("PUT", "/usage_records", { body: {} });
  expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
});
