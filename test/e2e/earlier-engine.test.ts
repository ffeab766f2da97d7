import { expect } from "vitest";
import { createDatabase, startProcess } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";
import { sql } from "../support/workspace.ts";

verifies(
  "start.database.earlier-engine",
  "a database with the schema of the earlier engine ends the start with one message that says what to do",
  async () => {
    const database = await createDatabase();
    try {
      await sql(database.url, "delete from schema_migrations where version >= 60");
      await sql(database.url, "create schema dbos");
      const output = await startProcess({ databaseUrl: database.url }).then(
        () => "it started",
        (error: unknown) => String(error),
      );
      expect(output).toContain("it has a schema named dbos");
      expect(output).toContain("Start with an empty data folder or an empty database.");
      expect(output).not.toMatch(/\n\s+at /);
    } finally {
      await database.drop();
    }
  },
);
