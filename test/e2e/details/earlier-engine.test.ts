import { expect } from "vitest";
import { createDatabase, startProcess } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

verifies(
  "start.database.earlier-engine",
  "a database from before the first release ends the start with one message that says what to do",
  async () => {
    const database = await createDatabase();
    try {
      await sql(database.url, "update schema_migrations set name = '0001-schema.sql', checksum = '' where version = 1");
      const output = await startProcess({ databaseUrl: database.url }).then(
        () => "it started",
        (error: unknown) => String(error),
      );
      expect(output).toContain("created by a version before the first release");
      expect(output).toContain("Start with an empty data folder or an empty database.");
      expect(output).not.toMatch(/\n\s+at /);
    } finally {
      await database.drop();
    }
  },
);
