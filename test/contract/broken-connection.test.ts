import { afterAll, beforeAll, expect } from "vitest";
import { openDatabase } from "#db/database.ts";
import type { Database } from "#db/database.ts";
import { eventually } from "../support/eventually.ts";
import { createDatabase } from "../support/service.ts";
import type { TestDatabase } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";
import { sql } from "../support/workspace.ts";

const OWN_PID = { name: "own-pid", text: "select pg_backend_pid() as pid" };

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createDatabase();
  db = openDatabase({ url: database.url, poolSize: 1, onIdleError: () => undefined });
});

afterAll(async () => {
  await db.close();
  await database.drop();
});

verifies(
  "engine.chaos.processes-stay-up",
  "a connection that breaks between two statements of a transaction fails the transaction, and nothing else",
  async () => {
    const broken = db.transaction(async (tx) => {
      const [row] = await tx.query<{ pid: number }>(OWN_PID);
      await sql(database.url, "select pg_terminate_backend($1)", [row?.pid]);
      const gone = async () =>
        (await sql(database.url, "select from pg_stat_activity where pid = $1", [row?.pid])).length === 0;
      await eventually("the connection is gone", gone);
      return tx.query(OWN_PID);
    });
    await expect(broken).rejects.toThrow(/connection/i);
    expect(await db.query(OWN_PID)).toHaveLength(1);
  },
);
