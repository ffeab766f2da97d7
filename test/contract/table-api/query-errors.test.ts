import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { useSharedService } from "../../support/shared-service.ts";
import { rawTable, tableRefusal } from "../../support/table-api.ts";
import { verifies } from "../../support/verifies.ts";

let raw: ReturnType<typeof rawTable>;
let workspace_id: string;

beforeAll(async () => {
  const service = await useSharedService();
  raw = rawTable(service);
  workspace_id = service.workspaceId;
});

const agent = (fields: Readonly<Record<string, unknown>> = {}) => ({
  name: "A",
  model: "demo",
  workspace_id,
  ...fields,
});

async function post(path: string, body: unknown) {
  return tableRefusal(await raw("POST", path, { body }));
}

async function get(path: string) {
  return tableRefusal(await raw("GET", path));
}

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

test("no query causes an error of the service", { tags: "slow" }, async () => {
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
