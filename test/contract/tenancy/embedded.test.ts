import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { startEmbeddedPostgres } from "#db/embedded/start-embedded-postgres.ts";
import { apiOf } from "../../support/api.ts";
import { startService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const POLICIES = `select tablename, policyname, cmd, roles::text, qual, with_check from pg_policies order by 1, 2`;
const GRANTS = `
  select table_name, privilege_type from information_schema.role_table_grants
  where grantee = 'muster_app' order by 1, 2`;
const ROLE = `select rolsuper, rolbypassrls, rolcanlogin from pg_roles where rolname = 'muster_app'`;
const SECURED = `
  select relname, relrowsecurity from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`;

verifies(
  "tenancy.rls.embedded-too",
  "the private database of a service has the same policies, grants and role as one it is given",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "muster-embedded-"));
    const external = await startService();
    const embedded = await startService({ env: { DATABASE_URL: "", MUSTER_DATA: folder } });
    // Attaches to the server that the service has started.
    const database = await startEmbeddedPostgres({ dataFolder: folder });
    try {
      await createAgent(apiOf(embedded, embedded.keys.api));
      expect(await sql(database.url, "select name from agents")).toEqual([{ name: "Worker" }]);
      for (const question of [POLICIES, GRANTS, ROLE, SECURED]) {
        const answer = await sql(database.url, question);
        expect(answer.length).toBeGreaterThan(0);
        expect(answer).toEqual(await sql(external.databaseUrl, question));
      }
    } finally {
      await database.stop();
      await embedded.stop();
      await external.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
  { tags: "slow" },
);
