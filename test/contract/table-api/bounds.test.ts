import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { rawTable, tableRefusal } from "../../support/table-api.ts";
import { verifies } from "../../support/verifies.ts";
import { addKey, addWorkspace, sql } from "../../support/workspace.ts";

let service: TestService;
let raw: ReturnType<typeof rawTable>;
let workspace_id: string;

let foreign: { readonly workspaceId: string; readonly key: string };

beforeAll(async () => {
  service = await startService({ env: { TABLE_STATEMENT_TIMEOUT: "1", TABLE_MAX_ROWS: "5", MAX_BODY_BYTES: "20000" } });
  raw = rawTable(service);
  const [own] = await sql<{ workspace_id: string; user_id: string }>(service.databaseUrl, "select * from members");
  workspace_id = own?.workspace_id ?? "";
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

async function get(path: string) {
  return tableRefusal(await raw("GET", path));
}

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
  const all = await raw("DELETE", "/output_templates?id=not.is.null");
  expect(tableRefusal(all)).toMatchObject({ status: 400, code: "PGRST124" });
  expect((await raw("DELETE", "/output_templates?id=not.is.null&limit=5")).status).toBe(204);
  expect((await raw("DELETE", "/output_templates?id=not.is.null")).status).toBe(204);
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

test("an internal error is logged and not returned", async () => {
  await sql(service.databaseUrl, "alter view table_api.voice_profiles rename to hidden");
  try {
    expect(await get("/voice_profiles")).toMatchObject({ status: 500, code: "XX000", message: "Internal error." });
  } finally {
    await sql(service.databaseUrl, "alter view table_api.hidden rename to voice_profiles");
  }
  expect(service.output().stderr).toContain("table_api.voice_profiles");
});
