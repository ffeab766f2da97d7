import { afterAll, beforeAll, describe, expect } from "vitest";
import { apiOf } from "../support/api.ts";
import { HAS_PGBOUNCER, startPgbouncer } from "../support/database/pgbouncer.ts";
import type { Pooler } from "../support/database/pgbouncer.ts";
import { createDatabase, startService } from "../support/service.ts";
import type { TestDatabase } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";
import { QUICK, createAgent, taskInState } from "../support/work.ts";

const TASKS = 40;

// PgBouncer is a Debian package (apt-get install pgbouncer), not one that npm can install.
describe.skipIf(!HAS_PGBOUNCER)("behind PgBouncer in transaction mode", () => {
  let database: TestDatabase;
  let pooler: Pooler;

  beforeAll(async () => {
    database = await createDatabase();
    pooler = await startPgbouncer(database.url);
  });
  afterAll(async () => {
    await pooler.stop();
    await database.drop();
  });

  verifies("start.pooler.direct-url", "with DATABASE_DIRECT_URL requests use PgBouncer, and tasks run", async () => {
    const service = await startService({
      databaseUrl: database.url,
      env: { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database.url },
    });
    try {
      const api = apiOf(service, service.keys.api);
      // This pooler logs in as one role for all.
      expect(service.output().stdout).toMatch(/Requests log in as the role of DATABASE_URL.*set DATABASE_REQUEST_URL/);
      const { id: agentId } = await createAgent(api);
      const quick = { status: "completed", agentId, description: QUICK };
      await Promise.all(Array.from({ length: TASKS }, () => taskInState(api, quick)));
    } finally {
      await service.stop();
    }
  });

  verifies("start.pooler.self-test", "without it the start fails and names the missing setting", async () => {
    await expect(startService({ databaseUrl: pooler.url })).rejects.toThrow(
      /DatabaseUnreachableError: DATABASE_URL points to a pooler .* set DATABASE_DIRECT_URL/,
    );
  });
});
