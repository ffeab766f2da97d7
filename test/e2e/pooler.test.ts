import { afterAll, beforeAll, describe, expect, inject } from "vitest";
import { newId } from "#lib/ids.ts";
import { apiOf } from "../support/api.ts";
import { onServer } from "../support/database.ts";
import { HAS_PGBOUNCER, startPgbouncer } from "../support/database/pgbouncer.ts";
import type { Pooler } from "../support/database/pgbouncer.ts";
import { createDatabase, createKeys, startService } from "../support/service.ts";
import type { TestDatabase } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";
import { QUICK, createAgent, taskInState } from "../support/work.ts";

const TASKS = 40;

// PgBouncer is a Debian package (apt-get install pgbouncer), not one that npm can install.
describe.skipIf(!HAS_PGBOUNCER)("behind PgBouncer in transaction mode", () => {
  let database: TestDatabase;
  let pooler: Pooler;
  const keys = createKeys();

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
      keys,
      env: { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database.url },
    });
    try {
      const api = apiOf(service, service.keys.api);
      // The role that the service creates for requests is not in its userlist.txt.
      expect(service.output().stdout).toMatch(/Requests log in as the role of DATABASE_URL.*set DATABASE_REQUEST_URL/);
      const { id: agentId } = await createAgent(api);
      const quick = { status: "completed", agentId, description: QUICK };
      await Promise.all(Array.from({ length: TASKS }, () => taskInState(api, quick)));
    } finally {
      await service.stop();
    }
  });

  verifies(
    "start.pooler.request-role",
    "requests log in to PgBouncer under the role of DATABASE_REQUEST_URL",
    async () => {
      const role = `pooled_${newId().slice(-12)}`;
      const password = "known-to-both";
      const serverUrl = inject("serverUrl");
      await onServer(serverUrl, `create role ${role} login noinherit password '${password}'`);
      await onServer(
        serverUrl,
        `grant muster_viewer, muster_app, muster_admin, muster_reach_viewer, muster_reach_app to ${role}`,
      );
      const own = await startPgbouncer(database.url, { [role]: password });
      const requests = new URL(own.url);
      requests.username = role;
      requests.password = password;
      const env = { DATABASE_URL: database.url, DATABASE_REQUEST_URL: requests.href };
      const service = await startService({ databaseUrl: database.url, keys, env });
      try {
        expect(service.output().stdout).not.toContain("Requests log in as the role of DATABASE_URL");
        const { id: agentId } = await createAgent(apiOf(service, service.keys.api));
        await taskInState(apiOf(service, service.keys.api), { status: "completed", agentId, description: QUICK });
      } finally {
        await service.stop();
        await own.stop();
        await onServer(serverUrl, `drop role ${role}`);
      }
    },
  );

  verifies("start.pooler.self-test", "without it the start fails and names the missing setting", async () => {
    await expect(startService({ databaseUrl: pooler.url })).rejects.toThrow(
      /DatabaseUnreachableError: DATABASE_URL points to a pooler .* set DATABASE_DIRECT_URL/,
    );
  });
});
