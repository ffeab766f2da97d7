import { beforeAll, expect } from "vitest";
import { generateKey } from "#domain/access/api-key.ts";
import { newId } from "#lib/ids.ts";
import { send } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { rawTable, tableHeaders, tableRefusal } from "../../support/table-api.ts";
import { verifies } from "../../support/verifies.ts";
import { addKey, addWorkspace } from "../../support/workspace.ts";

let service: SharedService;
let raw: ReturnType<typeof rawTable>;
let workspace_id: string;
let foreign: { readonly workspaceId: string; readonly key: string };

beforeAll(async () => {
  service = await useSharedService();
  raw = rawTable(service);
  workspace_id = service.workspaceId;
  const other = await addWorkspace(service.databaseUrl);
  foreign = { workspaceId: other.workspaceId, key: await addKey(service.databaseUrl, { ...other, kind: "table" }) };
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
    ownerId: service.ownerId,
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
