import { beforeAll, expect } from "vitest";
import { BETA, openTableScene } from "../../support/table-scene.ts";
import type { TableScene } from "../../support/table-scene.ts";
import { verifies } from "../../support/verifies.ts";

let db: TableScene["db"];
let alphaId: TableScene["alphaId"];
let runId: TableScene["runId"];
let rows: TableScene["rows"];

beforeAll(async () => {
  ({ db, alphaId, runId, rows } = await openTableScene());
});

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
