import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "#db/open-database.ts";
import type { Database } from "#db/database.ts";
import { Statement } from "#db/statement.ts";
import { openLine } from "../../support/database/database-line.ts";
import { eventually } from "../../support/eventually.ts";
import { createDatabase } from "../../support/service.ts";
import type { TestDatabase } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

const TENANT = { workspaceId: "00000000-0000-4000-8000-000000000001", role: "member" } as const;
const WHERE = new Statement({
  name: "where-am-i",
  text: `select current_user::text as role, current_setting('muster.workspace_id') as workspace,
    nullif(current_setting('muster.user_id'), '') as person`,
});
const PUT = new Statement({ name: "put-fruit", text: "insert into fruit (name) values ($1)" });
const REMOVE = new Statement({ name: "remove-fruit", text: "delete from fruit where name = $1 returning name" });
const COMPILES = new Statement({
  name: "compiles-plans",
  text: "select setting, source from pg_settings where name = 'jit'",
});
const WORKERS = new Statement({
  name: "parallel-workers",
  text: "select current_setting('max_parallel_workers_per_gather') as workers",
});
const LIST = new Statement({ name: "list-fruit", text: "select * from fruit order by name" });

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createDatabase();
  // One connection: the next statement sees what the previous one has left.
  db = openDatabase({ url: database.url, poolSize: 1, onIdleError: () => undefined });
  await sql(database.url, "create table fruit (name text primary key)");
});

afterAll(async () => {
  await db.close();
  await database.drop();
});

verifies("engine.statements.not-compiled", "no connection compiles plans, whatever the server does", async () => {
  // Set by the client, so it holds for a server that compiles too.
  const off = [{ setting: "off", source: "client" }];
  expect(await db.query(COMPILES)).toEqual(off);
  expect(await db.inWorkspace(TENANT).query(COMPILES)).toEqual(off);
});

verifies("engine.statements.alone", "a request's statements use no parallel workers", async () => {
  expect(await db.inWorkspace(TENANT).query(WORKERS)).toEqual([{ workers: "0" }]);
});

verifies(
  "engine.statements.pipelined",
  "a read within a workspace is sent to its end before anything of it is answered",
  async () => {
    const line = await openLine(database.url);
    const tapped = openDatabase({ url: line.url, poolSize: 1, onIdleError: () => undefined });
    try {
      await tapped.inWorkspace(TENANT).query(WHERE);
      line.takeSent();
      line.holdAnswers();
      const read = tapped.inWorkspace(TENANT).query(WHERE);
      await eventually("its end is sent", () => line.takeSent().includes("commit"));
      line.passAnswers();
      expect(await read).toEqual([{ role: "muster_app", workspace: TENANT.workspaceId, person: null }]);
    } finally {
      await tapped.close();
      line.close();
    }
  },
);

verifies(
  "engine.statements.pipelined",
  "a transaction that commits with its last statement is sent whole before any of it is answered",
  async () => {
    const line = await openLine(database.url);
    const tapped = openDatabase({ url: line.url, poolSize: 1, onIdleError: () => undefined });
    try {
      await tapped.query(PUT, ["fig"]);
      line.takeSent();
      line.holdAnswers();
      const removed = tapped.transaction(async (tx) => {
        const sent = tx.query(REMOVE, ["fig"]);
        tx.commit();
        return sent;
      });
      await eventually("its end is sent", () => line.takeSent().includes("commit"));
      line.passAnswers();
      expect(await removed).toEqual([{ name: "fig" }]);
      expect(await db.query(LIST)).toEqual([]);
    } finally {
      await tapped.close();
      line.close();
    }
  },
);

test("after a transaction its role, workspace and person are reset", async () => {
  await db.inWorkspace({ ...TENANT, userId: TENANT.workspaceId }).query(WHERE);
  const other = { workspaceId: "00000000-0000-4000-8000-000000000002", role: "viewer" } as const;
  expect(await db.inWorkspace(other).query(WHERE)).toEqual([
    { role: "muster_viewer", workspace: other.workspaceId, person: null },
  ]);
});

test("statements of one turn run in order; after a failed one none runs, and nothing is committed", async () => {
  await db.query(PUT, ["apple"]);
  const outcomes: PromiseSettledResult<unknown>[] = [];
  const failing = db.transaction(async (tx) => {
    const names = ["banana", "apple", "cherry"];
    outcomes.push(...(await Promise.allSettled(names.map((name) => tx.query(PUT, [name])))));
  });
  await expect(failing).rejects.toThrow("rolled back");
  expect(outcomes).toMatchObject([
    { status: "fulfilled", value: [] },
    { status: "rejected", reason: { code: "23505", constraint: "fruit_pkey" } },
    { status: "rejected", reason: { code: "25P02" } },
  ]);
  expect(await db.query(LIST)).toEqual([{ name: "apple" }]);
});

test("if a statement before an early COMMIT fails, nothing is committed, and the connection continues", async () => {
  const putAll = (values: readonly unknown[]) =>
    db.transaction(async (tx) => {
      const sent = Promise.allSettled(values.map((value) => tx.query(PUT, [value])));
      tx.commit();
      await sent;
    });
  const circular: Record<string, unknown> = {};
  circular["self"] = circular;
  await expect(putAll(["banana", "apple"])).rejects.toThrow("rolled back");
  // Its statement is never sent, so PostgreSQL does not know that it failed.
  await expect(putAll(["banana", circular])).rejects.toThrow("rolled back");
  expect(await db.query(LIST)).toEqual([{ name: "apple" }]);
  await putAll(["banana"]);
  expect(await db.query(REMOVE, ["banana"])).toEqual([{ name: "banana" }]);
});

test("no statement follows an early COMMIT, and a part of a shared transaction does not commit it", async () => {
  const late = db.transaction(async (tx) => {
    tx.commit();
    await tx.query(PUT, ["cherry"]);
  });
  await expect(late).rejects.toThrow("after COMMIT");
  const halves = db.inSharedTransaction(TENANT, async (joined, tx) => {
    await joined.inWorkspace(TENANT).transaction(async (part) => part.commit());
    await tx.query(WHERE);
    throw new Error("the second half failed");
  });
  await expect(halves).rejects.toThrow("the second half failed");
  expect(await db.query(LIST)).toEqual([{ name: "apple" }]);
});

verifies("engine.statements.kept", "a statement that PostgreSQL executed but could not commit has failed", async () => {
  await sql(database.url, "create table leaf (fruit text references fruit (name) deferrable initially deferred)");
  const put = new Statement({ name: "put-leaf", text: "insert into leaf (fruit) values ($1) returning fruit" });
  await expect(db.query(put, ["plum"])).rejects.toMatchObject({ code: "23503" });
  await expect(db.transaction((tx) => tx.query(put, ["plum"]))).rejects.toMatchObject({ code: "23503" });
  expect(await db.query(put, ["apple"])).toEqual([{ fruit: "apple" }]);
});

test("the error of a failed statement contains its caller", async () => {
  async function putTwice() {
    await db.query(PUT, ["apple"]);
  }
  await expect(putTwice()).rejects.toMatchObject({ stack: expect.stringContaining("putTwice") });
});

test("a statement works again after its table was created or its columns changed", async () => {
  const early = new Statement({ name: "early", text: "select * from later" });
  await expect(db.query(early)).rejects.toMatchObject({ code: "42P01" });
  await sql(database.url, "create table later as select 1 as a");
  expect(await db.query(early)).toEqual([{ a: 1 }]);
  await sql(database.url, "alter table later add column b integer default 2");
  await expect(db.query(early)).rejects.toThrow("cached plan must not change result type");
  expect(await db.query(early)).toEqual([{ a: 1, b: 2 }]);
});

test("values arrive unchanged", async () => {
  const given = new Statement({
    name: "echo",
    text: `select $1::text as none, $2::bytea as bytes, $3::text[] as list, $4::jsonb as json, $5::boolean as yes,
      $6::integer as number, $7::text as text`,
  });
  const values = [undefined, Buffer.from([0, 255]), ["a", 'b"c', null], { x: [1] }, true, -7, "grüße ☃"];
  expect(await db.query(given, values)).toEqual([
    {
      none: null,
      bytes: Buffer.from([0, 255]),
      list: ["a", 'b"c', null],
      json: { x: [1] },
      yes: true,
      number: -7,
      text: "grüße ☃",
    },
  ]);
});

test("a value that cannot be sent fails its own statement, and the connection continues", async () => {
  const circular: Record<string, unknown> = {};
  circular["self"] = circular;
  await expect(db.query(new Statement({ name: "circle", text: "select $1::json" }), [circular])).rejects.toThrow(
    /circular/i,
  );
  expect(await db.query(LIST)).toEqual([{ name: "apple" }]);
});
