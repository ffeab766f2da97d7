import { pino } from "pino";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { openDatabase } from "#db/database.ts";
import type { Database } from "#db/database.ts";
import { openListener } from "#db/listener.ts";
import { createHeartbeat } from "#engine/heartbeat.ts";
import { LEASE_MS, createLease } from "#engine/lease.ts";
import { openLine } from "../support/database-line.ts";
import { eventually } from "../support/eventually.ts";
import { createDatabase } from "../support/service.ts";
import type { TestDatabase } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";
import { sql } from "../support/workspace.ts";

/** Two processes with a run each: one has been silent for a minute, the other has left. */
const SILENT = `
  insert into executors (id, host, pid, seen_at) values ('silent', 'elsewhere', 1, now() - interval '1 minute')`;
const THEIR_RUNS = `
  insert into dbos.workflow_status (workflow_uuid, status, executor_id, application_name, application_version)
  values ('of-silent', 'PENDING', 'silent', 'muster', '1'), ('of-left', 'PENDING', 'left', 'muster', '1')`;
const TAKEN = "select executor_id as id from dbos.workflow_status where status = 'ENQUEUED' order by 1";
const CLAIMED_AGAIN = "update dbos.workflow_status set status = 'PENDING'";

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

verifies(
  "engine.notices.silent-network",
  "a listening connection that has gone dead without a word is made anew, and told about",
  async () => {
    const network = await openLine(database.url);
    const listener = await openListener({ url: network.url, onError: () => undefined, checkMs: 1_000 });
    try {
      const heard: string[] = [];
      let losses = 0;
      listener.on("muster_wake", (payload) => heard.push(payload));
      listener.onReconnect(() => losses++);
      network.dropAll();
      await eventually("it has connected again", () => losses > 0);
      await eventually("it hears again", async () => {
        await sql(database.url, "select pg_notify('muster_wake', 'come')");
        return heard.includes("come");
      });
    } finally {
      await listener.close();
      network.close();
    }
  },
);

verifies(
  "engine.outage.nobody-robbed",
  "at its start and behind an outage a process takes over from who has left, and from who is silent after the time of a lease",
  async () => {
    await sql(database.url, SILENT);
    await sql(database.url, THEIR_RUNS);
    const taken: string[] = [];
    const onTakenOver = async () => {
      const rows = await sql<{ id: string }>(database.url, TAKEN);
      taken.push(rows.map(({ id }) => id).join());
      await sql(database.url, CLAIMED_AGAIN);
    };
    const lease = createLease();
    const log = pino({ level: "silent" });
    const heartbeat = createHeartbeat({ db, executorId: "own", lease, log, onTakenOver });
    vi.useFakeTimers({ toFake: ["performance"] });
    try {
      await heartbeat.runOnce();
      vi.advanceTimersByTime(LEASE_MS);
      for (let beats = 0; beats < 5; beats++) {
        await heartbeat.runOnce();
        vi.advanceTimersByTime(LEASE_MS / 4);
      }
    } finally {
      vi.useRealTimers();
    }
    expect(taken).toEqual(["left", "left", "left", "left", "left", "left,silent"]);
  },
);
