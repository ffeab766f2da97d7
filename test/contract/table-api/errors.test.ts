import { beforeAll, expect } from "vitest";
import { newId } from "#lib/ids.ts";
import { listOf } from "../../support/api.ts";
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

/** An object that is nested so deeply. */
function deep(levels: number): object {
  return levels === 0 ? {} : { inner: deep(levels - 1) };
}

async function get(path: string) {
  return tableRefusal(await raw("GET", path));
}

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
