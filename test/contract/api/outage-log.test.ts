import { expect } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { startService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

const CONNECTIONS = `from pg_stat_activity
  where datname = current_database() and application_name like 'muster:%' and state = 'idle' and pid <> pg_backend_pid()`;

verifies(
  "operations.logs.outage",
  "when all connections to the database break, the log has one line of it, and one when it is back",
  async () => {
    const service = await startService({ env: { LOG_LEVEL: "warn" } });
    try {
      const linesOf = (message: string) => service.output().stderr.split(`"msg":"${message}"`).length - 1;
      const me = () =>
        fetch(`${service.url}/functions/v1/api-me`, { headers: { "X-API-Key": service.keys.api } }).then(
          ({ status }) => status,
        );
      for (const outage of [1, 2]) {
        await eventually("several connections are idle", async () => {
          await Promise.all([me(), me(), me(), me()]);
          return (await sql(service.databaseUrl, `select pid ${CONNECTIONS}`)).length >= 4;
        });
        await sql(service.databaseUrl, `select pg_terminate_backend(pid) ${CONNECTIONS}`);
        await eventually("the end is logged", () => linesOf("database connection restored") === outage);
        await eventually("notifications are back", () => linesOf("listening connection restored") === outage);
        expect(linesOf("database connection lost")).toBe(outage);
        expect(linesOf("listening connection lost")).toBe(outage);
        expect(await me()).toBe(200);
      }
    } finally {
      await service.stop();
    }
  },
  { tags: "slow" },
);
