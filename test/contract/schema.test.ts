import { Client } from "pg";
import { afterAll, beforeAll, expect } from "vitest";
import { migrate } from "#db/migrate.ts";
import { readRights } from "#db/queries/doctor/rights.ts";
import { queriesOn } from "#db/rows-on-client.ts";
import { dumpSchema } from "../support/database/dump-schema.ts";
import { writeRows } from "../support/database/write-rows.ts";
import { createDatabase } from "../support/service.ts";
import type { TestDatabase } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";
import { sql } from "../support/workspace.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

verifies(
  "operations.schema.dump",
  "src/db/gen/schema.sql is the schema of a fresh database (npm run gen:schema)",
  async () => {
    await expect(await dumpSchema(database.url)).toMatchFileSnapshot("../../src/db/gen/schema.sql");
  },
);

verifies(
  "cli.doctor.tenancy",
  "src/db/gen/rights.sql has the rights of roles in a fresh database (npm run gen:schema)",
  async () => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const rights = await readRights(queriesOn(client)).finally(() => client.end());
    await expect(`${rights.join("\n")}\n`).toMatchFileSnapshot("../../src/db/gen/rights.sql");
  },
);

verifies(
  "operations.schema.rows",
  "src/db/gen/rows.ts is what PostgreSQL says of the rows of all statements (npm run gen:schema)",
  async () => {
    await expect(await writeRows(database.url)).toMatchFileSnapshot("../../src/db/gen/rows.ts");
  },
  { tags: "slow" },
);

verifies(
  "operations.schema.routines",
  "functions, triggers and views are replaced when their files changed",
  async () => {
    const before = await dumpSchema(database.url);
    await sql(database.url, "update instance_settings set value = '' where key = 'schema_routines_checksum'");
    await sql(
      database.url,
      "create or replace function iso(moment timestamptz) returns text language sql return 'other'",
    );
    await sql(database.url, "drop trigger run_jobs on runs");
    expect((await migrate(database.url, () => Promise.resolve())).applied).toEqual([]);
    expect(await dumpSchema(database.url)).toBe(before);
  },
);
