import { Client } from "pg";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { openDelegationScene } from "../../support/a2a/delegation-scene.ts";
import type { DelegationScene } from "../../support/a2a/delegation-scene.ts";
import { eventually } from "../../support/eventually.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

/** In seconds: what a remote agent may take, and more than a busy machine takes to call one. */
const TIMEOUT_S = 4;
const KINDS = [
  { protocol: "1.0", streaming: true },
  { protocol: "1.0", streaming: false },
  { protocol: "0.3", streaming: true },
  { protocol: "0.3", streaming: false, oldPath: true },
] as const;

/** Makes writes of remote calls wait while another session has the advisory lock 1. */
const holdRecords = (statement: string) => `
  create function hold_record() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock_shared(1); return new; end $$;
  create trigger hold_record before ${statement} on remote_calls for each row execute function hold_record();
  select pg_advisory_lock(1)`;
const FREE_RECORDS =
  "select pg_advisory_unlock(1); drop trigger hold_record on remote_calls; drop function hold_record";
const HELD = "select pid from pg_stat_activity where datname = current_database() and wait_event = 'advisory'";

let service: TestService;
let scene: DelegationScene;

beforeAll(async () => {
  service = await startService({ env: { ALLOW_PRIVATE_URLS: "true", REMOTE_AGENT_TIMEOUT: String(TIMEOUT_S) } });
  scene = await openDelegationScene(service);
});
afterAll(() => service.stop());

describe.concurrent("a remote agent that takes too long", () => {
  for (const kind of KINDS) {
    const streams = kind.streaming ? "with" : "without";
    verifies(
      "a2a-client.timeout",
      `is cancelled, by ${kind.protocol} ${streams} streams`,
      async () => {
        await scene.withRemote(kind, async (remote, id) => {
          expect(await scene.delegated(id, "hang")).toContain(`took longer than ${TIMEOUT_S} s`);
          expect(remote.calls.at(-1)?.method.toLowerCase()).toContain("cancel");
        });
      },
      { tags: "slow" },
    );
  }
});

for (const statement of ["insert", "update"]) {
  verifies("a2a-client.outage", `a delegation goes on after PostgreSQL cancelled the ${statement} of its record`, () =>
    scene.withRemote({ protocol: "1.0", streaming: true }, async (_remote, id) => {
      const locker = new Client({ connectionString: scene.service.databaseUrl });
      await locker.connect();
      try {
        await locker.query(holdRecords(statement));
        const result = scene.delegated(id, "say All done here.");
        const held = await eventually("it is held", async () => (await sql(scene.service.databaseUrl, HELD))[0]);
        await sql(scene.service.databaseUrl, "select pg_cancel_backend($1)", [held["pid"]]);
        await locker.query(FREE_RECORDS);
        expect(await result).toBe("All done here.");
      } finally {
        await locker.end();
      }
    }),
  );
}
