import { PostgrestClient } from "@supabase/postgrest-js";
import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { generateKey } from "#domain/access/api-key.ts";
import { newId } from "#lib/ids.ts";
import { send } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { idOf, rawTable, tableClient, tableRefusal } from "../../support/table-api.ts";
import type { TableClient } from "../../support/table-api.ts";
import { verifies } from "../../support/verifies.ts";
import { addKey, addWorkspace, sql } from "../../support/workspace.ts";

let service: SharedService;
let db: TableClient;
let raw: ReturnType<typeof rawTable>;
let workspace_id: string;

const OBJECT = { accept: "application/vnd.pgrst.object+json" };

beforeAll(async () => {
  service = await useSharedService();
  db = tableClient(service);
  raw = rawTable(service);
  workspace_id = service.workspaceId;
});

const agent = (name: string, fields: Readonly<Record<string, unknown>> = {}) => ({
  name,
  model: "demo",
  workspace_id,
  ...fields,
});

async function namesLike(pattern: string): Promise<unknown[]> {
  const { data } = await db.from("agents").select("name").like("name", pattern).order("name");
  return data?.map(({ name }) => name) ?? [];
}

verifies("table-api.singular-writes", "a write for one object changes nothing when several rows match", async () => {
  await db.from("agents").insert([agent("Twin 1"), agent("Twin 2")]);
  const path = "/agents?name=like.Twin*";
  for (const accept of [OBJECT.accept, "application/vnd.pgrst.object"]) {
    for (const [method, body] of [
      ["DELETE", undefined],
      ["PATCH", { description: "changed" }],
    ] as const) {
      for (const prefer of ["return=minimal", "return=headers-only", "return=representation"]) {
        const answer = await raw(method, path, { body, headers: { accept, prefer } });
        expect([method, prefer, tableRefusal(answer)]).toMatchObject([
          method,
          prefer,
          { status: 406, code: "PGRST116", details: "The result contains 2 rows" },
        ]);
      }
    }
  }
  const { data } = await db.from("agents").select("description").like("name", "Twin%");
  expect(data).toEqual([{ description: "" }, { description: "" }]);
});

verifies("table-api.singular-writes", "the same applies to no row and to an insert of two", async () => {
  for (const [method, path, body] of [
    ["DELETE", `/agents?id=eq.${newId()}`, undefined],
    ["PATCH", `/agents?id=eq.${newId()}`, { name: "x" }],
    ["POST", "/agents", [agent("Pair 1"), agent("Pair 2")]],
  ] as const) {
    const answer = await raw(method, path, { body, headers: OBJECT });
    expect([method, tableRefusal(answer)]).toMatchObject([method, { status: 406, code: "PGRST116" }]);
  }
  expect(await namesLike("Pair%")).toEqual([]);
  expect((await raw("POST", "/agents", { body: agent("Lone"), headers: OBJECT })).status).toBe(201);
  expect((await raw("PATCH", "/agents?name=eq.Lone", { body: { tags: [] }, headers: OBJECT })).status).toBe(204);
  expect((await raw("DELETE", "/agents?name=eq.Lone", { headers: OBJECT })).status).toBe(204);
});

verifies("table-api.forgotten-filter", "a change without a filter changes nothing; a limit is no filter", async () => {
  const voice = (name: string) => ({ name, tone: "Casual", workspace_id });
  await db.from("voice_profiles").insert([voice("Kept 1"), voice("Kept 2")]);
  const before = (await raw("GET", "/voice_profiles")).body;
  expect(before).toHaveLength(2);
  for (const query of ["", "?limit=1", "?order=name&offset=1", "?select=name", "?columns=tone"]) {
    for (const [method, body] of [
      ["DELETE", undefined],
      ["PATCH", { tone: "Formal" }],
    ] as const) {
      const answer = await raw(method, `/voice_profiles${query}`, {
        body,
        headers: { prefer: "return=representation" },
      });
      expect([method, query, tableRefusal(answer)]).toMatchObject([method, query, { status: 400, code: "21000" }]);
    }
  }
  expect((await raw("GET", "/voice_profiles")).body).toEqual(before);
  // Embedded tables have filters of their own.
  const embedded = await raw("DELETE", "/agents?select=name,tasks(title)&tasks.title=eq.x");
  expect(tableRefusal(embedded)).toMatchObject({ status: 400, code: "21000" });
  expect((await raw("PATCH", "/voice_profiles?id=not.is.null", { body: { tone: "Formal" } })).status).toBe(204);
  expect((await raw("DELETE", "/voice_profiles?id=not.is.null")).status).toBe(204);
  expect((await raw("GET", "/voice_profiles")).body).toEqual([]);
});

verifies("table-api.count-is-own", "planned counts reveal neither other workspaces nor statistics", async () => {
  const busy = await addWorkspace(service.databaseUrl);
  const empty = await addWorkspace(service.databaseUrl);
  await sql(
    service.databaseUrl,
    `insert into teams (id, workspace_id, name, mode, config)
     select gen_random_uuid(), $1, 'secret', 'pipeline', '{"steps":[]}' from generate_series(1, 500)`,
    [busy.workspaceId],
  );
  await sql(service.databaseUrl, "analyze teams");
  const key = await addKey(service.databaseUrl, { ...empty, kind: "table" });
  for (const count of ["planned", "estimated", "exact"] as const) {
    for (const query of [db, tableClient(service, key)].map((client) => client.from("teams"))) {
      expect(await query.select("*", { count, head: true }).eq("name", "secret")).toMatchObject({
        count: 0,
        error: null,
      });
    }
  }
  const busyKey = await addKey(service.databaseUrl, { ...busy, kind: "table" });
  const page = await tableClient(service, busyKey).from("teams").select("name", { count: "planned" }).range(490, 599);
  expect([page.count, page.data?.length, page.status]).toEqual([500, 10, 206]);
});

verifies("table-api.linear-time", "a hostile list literal does not stop the process", async () => {
  const begin = performance.now();
  for (const tags of [`{${" ".repeat(100_000)}\\}`, `{a${" ".repeat(100_000)}x"}`, `{${"}".repeat(100_000)}x`]) {
    const answer = await raw("POST", "/agents", { body: agent("Slow", { tags }) });
    expect([answer.status, z.object({ code: z.string() }).parse(answer.body).code]).toEqual([422, "22P02"]);
  }
  expect(performance.now() - begin).toBeLessThan(10_000);
});

verifies("table-api.private-answers", "answers and errors are not stored and not sniffed", async () => {
  for (const answer of [
    await raw("GET", "/agents"),
    await raw("GET", "/nope"),
    await send("GET", `${service.url}/rest/v1/agents`),
  ]) {
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  }
});

verifies("table-api.csv-formulas", "formulas in CSV are escaped when a client prefers it", async () => {
  const description = '=HYPERLINK("http://evil.example")';
  await db.from("agents").insert(agent("+Sheet", { description, temperature: 0.5, tags: ["=x"] }));
  const path = "/agents?select=name,description,temperature,tags&name=eq.%2BSheet";
  const plain = await raw("GET", path, { headers: { accept: "text/csv" } });
  const quoted = description.replaceAll('"', '""');
  expect(plain.text).toBe(`name,description,temperature,tags\n+Sheet,"${quoted}",0.5,{=x}`);
  const headers = { accept: "text/csv", prefer: "csv-formulas=escaped" };
  const escaped = await raw("GET", path, { headers });
  expect(escaped.text).toBe(`name,description,temperature,tags\n'+Sheet,"'${quoted}",0.5,{=x}`);
  expect(escaped.headers.get("preference-applied")).toBe("csv-formulas=escaped");
});

verifies(
  "table-api.accept.csv",
  "special characters are unchanged in a row that is read and sent back as CSV",
  async () => {
    const special = { description: 'C:\\new, "a"\nb \\\\', tags: ['a"b', "c\\d"], config: { text: 'e"\\\nf' } };
    const columns = "id,workspace_id,name,description,model,tags,config";
    const made = await db.from("agents").insert(agent("Special", special)).select(columns).single();
    const { data: csv } = await db.from("agents").select(columns).eq("name", "Special").csv();
    const back = await raw("POST", `/agents?select=${columns}`, {
      body: csv ?? "",
      headers: { "content-type": "text/csv", prefer: "resolution=merge-duplicates,return=representation" },
    });
    expect(made.data).toMatchObject(special);
    expect([back.status, back.body]).toEqual([200, [made.data]]);
  },
);

verifies("table-api.write.unchanged", "a row that was read is sent back with one field changed", async () => {
  const made = await db
    .from("agents")
    .insert(agent("Whole", { config: { a: [1] }, tags: ["x"] }))
    .select()
    .single();
  const id = idOf(made.data);
  const row = { ...made.data };
  const updated = await db
    .from("agents")
    .update({ ...row, description: "new" })
    .eq("id", id)
    .select()
    .single();
  expect(updated).toMatchObject({ status: 200, error: null, data: { id, description: "new", config: { a: [1] } } });
  const again = await db
    .from("agents")
    .upsert({ ...updated.data, name: "Whole 2" })
    .select()
    .single();
  expect(again).toMatchObject({ status: 200, error: null, data: { id, name: "Whole 2", description: "new" } });
  const other = await db
    .from("agents")
    .update({ ...again.data, created_at: "2020-01-01T00:00:00Z" })
    .eq("id", id);
  expect(other).toMatchObject({
    status: 403,
    error: { code: "42501", details: 'The column "created_at" cannot be written.' },
  });
  const moved = await db
    .from("agents")
    .update({ ...again.data, id: newId() })
    .eq("id", id);
  expect(moved).toMatchObject({ status: 403, error: { code: "42501" } });
  expect(await db.from("agents").update({ created_at: "soon" }).eq("id", id)).toMatchObject({
    status: 422,
    error: { code: "22007" },
  });
});

verifies("table-api.write.unchanged", "only the metadata of a finished task that is sent back changes", async () => {
  const [task] = await sql<{ id: string }>(
    service.databaseUrl,
    `insert into tasks (id, workspace_id, title, status, result) values (gen_random_uuid(), $1, 'Pending', 'pending', null)
     returning id`,
    [workspace_id],
  );
  const { data } = await db.from("tasks").select().eq("id", idOf(task)).single();
  const changed = await db
    .from("tasks")
    .update({ ...data, metadata: { seen: true } })
    .eq("id", idOf(task))
    .select()
    .single();
  expect(changed).toMatchObject({ error: null, data: { status: "pending", metadata: { seen: true } } });
  const nothing = await db
    .from("tasks")
    .update({ ...changed.data })
    .eq("id", idOf(task))
    .select()
    .single();
  expect(nothing.data).toEqual(changed.data);
});

verifies("table-api.apikey.table-key", "a client with one key connects with it", async () => {
  const key = service.keys.table;
  const headers = { apikey: key, Authorization: `Bearer ${key}` };
  const one = new PostgrestClient(`${service.url}/rest/v1`, { headers });
  expect(await one.from("agents").select("id").limit(1)).toMatchObject({ status: 200, error: null });
  for (const apikey of [generateKey("table"), service.keys.api, "", "x.y.z"]) {
    const answer = await send("GET", `${service.url}/rest/v1/agents`, { headers: { ...headers, apikey } });
    expect(tableRefusal(answer)).toMatchObject({ status: 401 });
  }
  const alone = await send("GET", `${service.url}/rest/v1/agents`, { headers: { apikey: key } });
  expect(tableRefusal(alone)).toMatchObject({ status: 401, code: "PGRST302" });
});

const openApi = z.object({
  swagger: z.literal("2.0"),
  basePath: z.string(),
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({}))),
  definitions: z.record(
    z.string(),
    z.object({ properties: z.record(z.string(), z.looseObject({ type: z.string().optional(), format: z.string() })) }),
  ),
});

verifies("table-api.openapi", "the root describes tables, columns and functions", async () => {
  for (const path of ["/", ""]) {
    const answer = await raw("GET", path, { headers: { accept: "application/openapi+json, application/json" } });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      "application/openapi+json; charset=utf-8",
    ]);
    const { paths, definitions, basePath } = openApi.parse(answer.body);
    expect(basePath).toBe("/rest/v1");
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(["/", "/agents", "/tasks", "/usage_records", "/rpc/increment_install_count"]),
    );
    expect(Object.keys(paths["/agents"] ?? {})).toEqual(["get", "post", "patch", "delete"]);
    expect(Object.keys(paths["/usage_records"] ?? {})).toEqual(["get"]);
    expect(definitions["agents"]?.properties).toMatchObject({
      id: { type: "string", format: "uuid", description: expect.stringContaining("<pk/>") },
      temperature: { type: "number" },
      tags: { type: "array" },
      created_at: { readOnly: true },
    });
    const [row] = (await db.from("tasks").select().limit(1)).data ?? [];
    expect(Object.keys(definitions["tasks"]?.properties ?? {}).toSorted()).toEqual(Object.keys(row ?? {}).toSorted());
  }
  expect(tableRefusal(await send("GET", `${service.url}/rest/v1/`))).toMatchObject({ status: 401 });
  expect(tableRefusal(await raw("GET", "/", { headers: { accept: "text/csv" } }))).toMatchObject({ status: 406 });
  expect((await raw("HEAD", "/")).status).toBe(200);
});
