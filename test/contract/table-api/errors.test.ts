import fc from "fast-check";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { generateKey } from "#domain/access/api-key.ts";
import { newId } from "#lib/ids.ts";
import { listOf, send } from "../../support/api.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { rawTable, tableHeaders, tableRefusal } from "../../support/table-api.ts";
import { verifies } from "../../support/verifies.ts";
import { addKey, addWorkspace, sql } from "../../support/workspace.ts";

let service: TestService;
let raw: ReturnType<typeof rawTable>;
let workspace_id: string;
let ownerId: string;
let foreign: { readonly workspaceId: string; readonly key: string };

beforeAll(async () => {
  service = await startService({ env: { TABLE_STATEMENT_TIMEOUT: "1", TABLE_MAX_ROWS: "5", MAX_BODY_BYTES: "20000" } });
  raw = rawTable(service);
  const [own] = await sql<{ workspace_id: string; user_id: string }>(service.databaseUrl, "select * from members");
  workspace_id = own?.workspace_id ?? "";
  ownerId = own?.user_id ?? "";
  const other = await addWorkspace(service.databaseUrl);
  foreign = { workspaceId: other.workspaceId, key: await addKey(service.databaseUrl, { ...other, kind: "table" }) };
});
afterAll(() => service.stop());

const agent = (fields: Readonly<Record<string, unknown>> = {}) => ({
  name: "A",
  model: "demo",
  workspace_id,
  ...fields,
});

async function post(path: string, body: unknown) {
  return tableRefusal(await raw("POST", path, { body }));
}

/** An object that is nested so deeply. */
function deep(levels: number): object {
  return levels === 0 ? {} : { inner: deep(levels - 1) };
}

async function get(path: string) {
  return tableRefusal(await raw("GET", path));
}

verifies(
  ["table-api.error.401", "table-api.error.body"],
  "both headers are required, and each is checked",
  async () => {
    const good = tableHeaders(service);
    const { apikey = "", authorization = "" } = good;
    for (const [headers, code] of [
      [{}, "PGRST302"],
      [{ apikey }, "PGRST302"],
      [{ authorization }, "PGRST302"],
      [{ ...good, apikey: generateKey("anon") }, "PGRST301"],
      [{ ...good, authorization: `Bearer ${generateKey("table")}` }, "PGRST301"],
      [{ ...good, authorization: `Bearer ${service.keys.api}` }, "PGRST301"],
      [{ ...good, authorization: service.keys.table }, "PGRST302"],
    ] as const) {
      const answer = await send("GET", `${service.url}/rest/v1/agents`, { headers });
      const hint = "apikey" in headers ? null : expect.stringContaining("table key");
      expect(tableRefusal(answer)).toMatchObject({ status: 401, code, details: null, hint });
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    }
    expect((await send("GET", `${service.url}/rest/v1/agents`, { headers: good })).status).toBe(200);
    const bare = await send("GET", `${service.url}/rest/v1`);
    expect(tableRefusal(bare)).toMatchObject({ status: 401, code: "PGRST302" });
  },
);

verifies("table-api.error.403", "an insert into a table without inserts is 403, whatever its body", async () => {
  for (const body of [{}, { nope: 1 }, []]) {
    expect(await post("/usage_records", body)).toMatchObject({
      status: 403,
      code: "42501",
      message: "permission denied for table usage_records",
    });
  }
});

verifies("auth.wrong-kind.named", "a key of another kind as bearer is named, and the kind that is needed", async () => {
  for (const [key, message] of [
    [service.keys.api, "This is an envelope key; a table key (mst_rest_) is needed here."],
    [service.keys.anon, "This is the anon key; a table key (mst_rest_) is needed here."],
    [generateKey("table"), "Invalid API key."],
  ] as const) {
    const headers = { ...tableHeaders(service), authorization: `Bearer ${key}` };
    expect(tableRefusal(await send("GET", `${service.url}/rest/v1/agents`, { headers }))).toMatchObject({ message });
  }
});

verifies("table-api.error.403", "a row for another workspace is rejected, and one there is not found", async () => {
  expect(await post("/agents", agent({ workspace_id: foreign.workspaceId }))).toEqual({
    status: 403,
    code: "42501",
    message: 'new row violates row-level security policy for table "agents"',
    details: null,
    hint: null,
  });
  const made = await rawTable(service, foreign.key)("POST", "/agents?select=id", {
    body: agent({ workspace_id: foreign.workspaceId }),
    headers: { prefer: "return=representation" },
  });
  const [{ id = "" } = {}]: { id?: string }[] = JSON.parse(made.text);
  const moved = await raw("PATCH", `/agents?id=eq.${id}`, { body: { workspace_id: foreign.workspaceId } });
  expect(tableRefusal(moved)).toMatchObject({ status: 403, code: "42501" });
  for (const method of ["PATCH", "DELETE"]) {
    const options = {
      headers: { prefer: "return=representation" },
      ...(method === "PATCH" && { body: { name: "x" } }),
    };
    const answer = await raw(method, `/agents?id=eq.${id}`, options);
    expect([answer.status, answer.body]).toEqual([200, []]);
  }
  const task = await post("/tasks", { title: "t", workspace_id, agent_id: id });
  const unknown = newId();
  const same = await post("/tasks", { title: "t", workspace_id, agent_id: unknown });
  expect(JSON.stringify(task).replace(id, "")).toBe(JSON.stringify(same).replace(unknown, ""));
});

verifies("table-api.error.403", "a read-only key and a read-only column are rejected", async () => {
  const key = await addKey(service.databaseUrl, {
    workspaceId: workspace_id,
    ownerId,
    kind: "table",
    scopes: ["read"],
  });
  const reader = rawTable(service, key);
  expect((await reader("GET", "/agents")).status).toBe(200);
  for (const [method, body] of [
    ["POST", agent()],
    ["PATCH", { name: "x" }],
    ["DELETE", undefined],
  ] as const) {
    const answer = await reader(method, "/agents?id=is.null", { body });
    expect(tableRefusal(answer)).toMatchObject({
      status: 403,
      code: "42501",
      message: "permission denied for table agents",
    });
  }
  for (const field of ["install_count", "created_at", "created_by"]) {
    expect(await post("/agents", agent({ [field]: null }))).toMatchObject({ status: 403, code: "42501" });
  }
  expect(await post("/usage_records", { workspace_id })).toMatchObject({ status: 403, code: "42501" });
  expect((await raw("POST", "/agents", { body: agent({ name: "Keeps its id" }) })).status).toBe(201);
  const renamed = await raw("PATCH", "/agents?name=eq.Keeps its id", { body: { id: newId() } });
  expect(tableRefusal(renamed)).toMatchObject({ status: 403, code: "42501" });
});

verifies(
  ["table-api.error.404", "table-api.error.wording"],
  "unknown tables, functions and paths are 404 with PostgREST's messages",
  async () => {
    expect(await get("/nope")).toEqual({
      status: 404,
      code: "PGRST205",
      message: "Could not find the table 'public.nope' in the schema cache",
      details: null,
      hint: null,
    });
    expect(await get("/agnets")).toMatchObject({
      code: "PGRST205",
      hint: "Perhaps you meant the table 'public.agents'",
    });
    const hint = 'Perhaps you meant to reference the column "agents.name".';
    expect(await get("/agents?nme=eq.x")).toMatchObject({ code: "42703", hint });
    expect(await post("/rpc/nope", { a: 1 })).toMatchObject({
      status: 404,
      code: "PGRST202",
      message: "Could not find the function public.nope(a) in the schema cache",
    });
    expect((await get("/a/b/c")).code).toBe("PGRST125");
  },
);

verifies("table-api.error.409-duplicate", "an existing id is 409", async () => {
  const prefer = "return=representation";
  const made = await raw("POST", "/agents", { body: agent({}), headers: { prefer } });
  const id = String(listOf(made)[0]?.["id"]);
  expect(await post("/agents", agent({ id }))).toMatchObject({
    status: 409,
    code: "23505",
    message: 'duplicate key value violates unique constraint "agents_pkey"',
    details: `Key (id)=(${id}) already exists.`,
  });
});

verifies("table-api.error.409-reference", "a reference to a missing row is 409", async () => {
  const agent_id = newId();
  expect(await post("/tasks", { title: "t", workspace_id, agent_id })).toMatchObject({
    status: 409,
    code: "23503",
    message: 'insert or update on table "tasks" violates foreign key constraint "tasks_agent_fkey"',
    details: `Key (agent_id)=(${agent_id}) is not present in table "agents".`,
  });
  expect(await post("/agents", agent({ voice_profile_id: agent_id }))).toMatchObject({
    status: 409,
    code: "23503",
    details: `Key (voice_profile_id)=(${agent_id}) is not present in table "voice_profiles".`,
  });
});

verifies(
  ["table-api.error.422", "table-api.error.422-codes", "table-api.error.wording"],
  "a body that breaks a rule is 422 and creates nothing",
  async () => {
    const before = (await raw("GET", "/agents")).text;
    for (const [fields, code, message] of [
      [{ model: undefined }, "23502", 'null value in column "model" of relation "agents" violates not-null constraint'],
      [{ name: null }, "23502", 'null value in column "name" of relation "agents" violates not-null constraint'],
      [
        { workspace_id: undefined },
        "23502",
        'null value in column "workspace_id" of relation "agents" violates not-null constraint',
      ],
      [
        { temperature: 3 },
        "23514",
        'new row for relation "agents" violates check constraint "agents_temperature_check"',
      ],
      [
        { name: "x".repeat(101) },
        "23514",
        'new row for relation "agents" violates check constraint "agents_name_check"',
      ],
      [{ model: "no-such" }, "23514", 'new row for relation "agents" violates check constraint "agents_model_check"'],
      [{ status: "running" }, "23514", 'new row for relation "agents" violates check constraint "agents_status_check"'],
      [{ temperature: "warm" }, "22P02", 'invalid input syntax for type double precision: "warm"'],
      [{ temperature: "Infinity" }, "22P02", 'invalid input syntax for type double precision: "Infinity"'],
      [{ temperature: "0x1" }, "22P02", 'invalid input syntax for type double precision: "0x1"'],
      [{ max_tokens: "many" }, "22P02", 'invalid input syntax for type integer: "many"'],
      [{ id: "x" }, "22P02", 'invalid input syntax for type uuid: "x"'],
      [{ tags: "a,b" }, "22P02", 'malformed array literal: "a,b"'],
      [{ foo: 1 }, "PGRST204", "Could not find the 'foo' column of 'agents' in the schema cache"],
      [{ name: "a\u0000b" }, "22P05", "unsupported Unicode escape sequence"],
      [{ config: deep(70) }, "22P02", "invalid input syntax for type json"],
    ] as const) {
      expect([fields, await post("/agents", agent(fields))]).toMatchObject([fields, { status: 422, code, message }]);
    }
    expect((await post("/agents?columns=name,foo", [agent()])).code).toBe("PGRST204");
    expect((await raw("GET", "/agents")).text).toBe(before);
  },
);

verifies("table-api.error.400-query", "a syntax error in the query or the JSON is 400", async () => {
  expect(await get("/agents?name=bad.x")).toMatchObject({
    status: 400,
    code: "PGRST100",
    message: '"failed to parse filter (bad.x)" (line 1, column 1)',
  });
  for (const [query, code] of [
    ["select=name,,id", "PGRST100"],
    ["select=agents(", "PGRST100"],
    ["select=count()", "PGRST123"],
    ["or=(name.eq.a", "PGRST100"],
    ["or=name.eq.a", "PGRST100"],
    ["order=name.sideways", "PGRST100"],
    ["name=in.1,2", "PGRST100"],
    ["name=is.maybe", "PGRST100"],
    ["name=eq.%00", "PGRST100"],
    [`or=${"(or".repeat(20)}`, "PGRST100"],
    [Array.from({ length: 101 }, (_, n) => `name=neq.${n}`).join("&"), "PGRST100"],
    ["select=tasks(agents(tasks(agents(id))))", "PGRST100"],
    ["nope=eq.1", "42703"],
    ["select=nope", "42703"],
    ["order=nope", "42703"],
    ["select=config->>a->b", "42883"],
    ["select=name::nope", "42704"],
    ["select=nope(id)", "PGRST200"],
    ["tasks.id=is.null", "PGRST108"],
    ["select=tasks(id)&order=tasks(id)", "PGRST118"],
    ["id=eq.x", "22P02"],
    ["id=like.x", "42883"],
    ["name=match.(", "2201B"],
    ["name=fts.a b", "42601"],
  ] as const) {
    expect([query, await get(`/agents?${query}`)]).toMatchObject([query, { status: 400, code }]);
  }
  expect((await get("/agents?name=is.maybe")).details).toMatch(/^unexpected "m" expecting null, /);
  expect((await get("/agents?nope=eq.1")).message).toBe("column agents.nope does not exist");
  expect(await get("/tasks?select=team_runs(id)")).toMatchObject({ status: 300, code: "PGRST201" });
  expect(await get(`/agents?name=eq.${"x".repeat(12_001)}`)).toMatchObject({ status: 414, code: "PT414" });
  for (const body of ["", "{", "5", "[1]", "null"]) {
    expect(await post("/agents", body)).toMatchObject({
      status: 400,
      code: "PGRST102",
      message: "Empty or invalid json",
    });
  }
  expect(await post("/agents", [agent(), { name: "B" }])).toMatchObject({
    code: "PGRST102",
    message: "All object keys must match",
  });
});

verifies("table-api.error.416", "a range beyond the rows is 416, one that is no number 400", async () => {
  await raw("POST", "/voice_profiles", { body: { name: "V", tone: "Casual", workspace_id } });
  const beyond = await raw("GET", "/voice_profiles?offset=5", { headers: { prefer: "count=exact" } });
  expect(tableRefusal(beyond)).toEqual({
    status: 416,
    code: "PGRST103",
    message: "Requested range not satisfiable",
    details: "An offset of 5 was requested, but there are only 1 rows.",
    hint: null,
  });
  expect(await get("/agents?limit=-1")).toMatchObject({ status: 416, code: "PGRST103" });
  for (const range of ["limit=abc", "limit=1e2", "limit=", "offset=1.5", "offset=0x1"]) {
    const [name, text] = range.split("=");
    expect(await get(`/agents?${range}`)).toMatchObject({
      status: 400,
      code: "PGRST100",
      message: `"failed to parse ${name} (${text})" (line 1, column 1)`,
      details: expect.stringMatching(/expecting a whole number$/),
    });
  }
  const backwards = await raw("GET", "/agents", { headers: { range: "5-2" } });
  expect(tableRefusal(backwards)).toMatchObject({ status: 416, code: "PGRST103" });
});

verifies(
  "table-api.error.body",
  "methods, media types, long bodies and strict preferences are rejected in the same form",
  async () => {
    const put = await raw("PUT", "/agents", { body: {} });
    expect(tableRefusal(put)).toMatchObject({ status: 405, code: "PGRST117" });
    expect(put.headers.get("allow")).toBe("GET, HEAD, POST, PATCH, DELETE, OPTIONS");
    const image = await raw("GET", "/agents", { headers: { accept: "image/png" } });
    expect(tableRefusal(image)).toMatchObject({ status: 406, code: "PGRST107" });
    const form = await raw("POST", "/agents", {
      body: "a=b",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect(tableRefusal(form)).toMatchObject({ status: 400, code: "PGRST102" });
    const long = await raw("POST", "/agents", { body: agent({ description: "x".repeat(20_000) }) });
    expect(tableRefusal(long)).toMatchObject({ status: 413, code: "PT413" });
    const strict = await raw("GET", "/agents", { headers: { prefer: "handling=strict, colour=red" } });
    expect(tableRefusal(strict)).toMatchObject({
      status: 400,
      code: "PGRST122",
      details: "Invalid preferences: colour=red",
    });
    for (const prefer of ["colour=red", "constructor=1", "__proto__"]) {
      expect((await raw("GET", "/agents", { headers: { prefer } })).status).toBe(200);
    }
  },
);

verifies("table-api.caps", "answers, bodies and changes have at most as many rows as is set", async () => {
  const rows = (n: number) =>
    Array.from({ length: n }, (_, i) => ({ name: `T${i}`, type: "HTML", body: "x", workspace_id }));
  expect(await post("/output_templates", rows(6))).toMatchObject({ status: 413, code: "PT413" });
  expect((await raw("POST", "/output_templates", { body: rows(5) })).status).toBe(201);
  expect((await raw("POST", "/output_templates", { body: rows(3) })).status).toBe(201);
  const page = await raw("GET", "/output_templates?limit=100", { headers: { prefer: "count=exact" } });
  expect([page.status, page.headers.get("content-range")]).toEqual([206, "0-4/8"]);
  const all = await raw("DELETE", "/output_templates");
  expect(tableRefusal(all)).toMatchObject({ status: 400, code: "PGRST124" });
  expect((await raw("DELETE", "/output_templates?limit=5")).status).toBe(204);
  expect((await raw("DELETE", "/output_templates")).status).toBe(204);
});

verifies(
  "table-api.statement-timeout",
  "a statement that takes too long is aborted and affects no other request",
  async () => {
    const blocker = new Client({ connectionString: service.databaseUrl });
    await blocker.connect();
    try {
      await blocker.query("begin; lock table output_templates in access exclusive mode");
      const blocked = await Promise.all(Array.from({ length: 4 }, () => get("/output_templates")));
      for (const each of blocked) {
        expect(each).toEqual({
          status: 500,
          code: "57014",
          message: "canceling statement due to statement timeout",
          details: null,
          hint: null,
        });
      }
      const slow = Promise.all(Array.from({ length: 6 }, () => raw("GET", "/output_templates")));
      expect((await rawTable(service, foreign.key)("GET", "/agents")).status).toBe(200);
      expect((await slow).map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 500));
    } finally {
      await blocker.end();
    }
  },
);

test("no query causes an error of the service", async () => {
  const column = fc.constantFrom(
    "title",
    "id",
    "metadata",
    "metadata->a",
    "metadata->>a",
    "attempt",
    "created_at",
    "interaction->0",
  );
  const operator = fc.constantFrom(
    "eq",
    "gt",
    "like",
    "match",
    "in",
    "is",
    "cs",
    "cd",
    "ov",
    "fts",
    "eq(any)",
    "ilike(all)",
    "not.lt",
    "isdistinct",
  );
  const value = fc.oneof(
    fc.constantFrom("null", "true", "(1,2)", "{a,b}", "{}", "5", "*a*", "2026-01-01", '{"a":1}', "()"),
    fc.string({ unit: "binary", maxLength: 6 }),
  );
  const select = fc.constantFrom(
    "*",
    "title::integer",
    "metadata->a->0",
    "agents(name,tasks_count:tags)",
    "usage_records!inner(*)",
  );
  const asked = fc.record({ column, operator, value, select, order: column });
  await fc.assert(
    fc.asyncProperty(asked, async ({ column, operator, value, select, order }) => {
      const query = new URLSearchParams({ [column]: `${operator}.${value}`, select, order });
      const { status, text } = await raw("GET", `/tasks?${query.toString()}`);
      expect([query.toString(), text, status < 500]).toEqual([query.toString(), text, true]);
    }),
    { numRuns: 300 },
  );
});

test("an internal error is logged and not returned", async () => {
  await sql(service.databaseUrl, "alter view table_api.voice_profiles rename to hidden");
  try {
    expect(await get("/voice_profiles")).toMatchObject({ status: 500, code: "XX000", message: "Internal error." });
  } finally {
    await sql(service.databaseUrl, "alter view table_api.hidden rename to voice_profiles");
  }
  expect(service.output().stderr).toContain("table_api.voice_profiles");
});
