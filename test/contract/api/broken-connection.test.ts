import { Client } from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { openDatabase } from "#db/open-database.ts";
import type { Database } from "#db/database.ts";
import { register, takeOver } from "#db/queries/queue/executors.ts";
import type { ClaimedJob } from "#db/queries/queue/job-owner.ts";
import { serviceIn } from "#domain/access/role.ts";
import { openListener } from "#db/listener.ts";
import { outlastOutages } from "#db/outlast-outages.ts";
import { isOutage } from "#db/retry-outage.ts";
import { abortLost } from "#engine/queue/abort-lost.ts";
import { createActiveJobs } from "#engine/queue/active-jobs.ts";
import { createLease, ensureOwner } from "#engine/queue/lease.ts";
import { createMembership } from "#engine/queue/membership.ts";
import type { Membership } from "#engine/queue/membership.ts";
import { OwnershipLostError } from "#engine/queue/ownership.ts";
import { Statement } from "#db/statement.ts";
import { openLine } from "../../support/database/database-line.ts";
import { eventually } from "../../support/eventually.ts";
import { createDatabase } from "../../support/service.ts";
import type { TestDatabase } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

const SILENT = "10000000-0000-7000-8000-000000000001";
const GONE = "10000000-0000-7000-8000-000000000002";
const JOB = `
  insert into jobs (id, workspace_id, kind, subject_id, attempt, priority, state, executor_id, fence, input)
  values (gen_random_uuid(), gen_random_uuid(), 'task', gen_random_uuid(), 1, 1, 'running', $1, 1, '{}')`;
const CLAIMED: ClaimedJob = {
  jobId: GONE,
  executorId: SILENT,
  fence: 1,
  subjectId: GONE,
  attempt: 1,
  kind: "task",
  workspaceId: GONE,
  lane: GONE,
  crashCount: 0,
  suspicion: 0,
  input: {},
};
const LEASE_MS = 500;

const OWN_PID = new Statement<{ pid: number }>({ name: "own-pid", text: "select pg_backend_pid() as pid" });

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
  "a connection that breaks between two statements fails the transaction, and nothing else",
  async () => {
    const broken = db.transaction(async (tx) => {
      const [row] = await tx.query<{ pid: number }>(OWN_PID);
      await sql(database.url, "select pg_terminate_backend($1)", [row?.pid]);
      const gone = async () =>
        (await sql(database.url, "select from pg_stat_activity where pid = $1", [row?.pid])).length === 0;
      await eventually("the connection is gone", gone);
      return tx.query(OWN_PID);
    });
    expect(await broken.catch((error: unknown) => error)).toSatisfy(isOutage);
    expect(await db.query(OWN_PID)).toHaveLength(1);
  },
);

verifies(
  "engine.outage.repeated",
  "what a job asks the database is repeated after a broken connection, and nothing else is",
  async () => {
    const line = await openLine(database.url);
    const far = openDatabase({ url: line.url, poolSize: 1, onIdleError: () => undefined });
    const ofJobs = outlastOutages(far);
    const inWorkspace = ofJobs.inWorkspace(serviceIn(GONE));
    const requests = [
      () => ofJobs.query(OWN_PID),
      () => ofJobs.transaction((tx) => tx.query(OWN_PID)),
      () => inWorkspace.query(OWN_PID),
      () => inWorkspace.transaction((tx) => tx.query(OWN_PID)),
    ];
    try {
      for (const request of requests) {
        const isCut = line.cutOnceAt(/pid/);
        expect(await request()).toHaveLength(1);
        expect(isCut()).toBe(true);
      }
      line.cutOnceAt(/pid/);
      expect(await far.query(OWN_PID).catch((error: unknown) => error)).toSatisfy(isOutage);
    } finally {
      await far.close();
      line.close();
    }
  },
);

verifies(
  "engine.notices.silent-network",
  "a silently dropped listening connection is reopened and reported",
  async () => {
    const network = await openLine(database.url);
    const reports: string[] = [];
    const listener = await openListener({ url: network.url, onLost: () => reports.push("lost"), checkMs: 1_000 });
    try {
      const heard: string[] = [];
      listener.on("muster_wake", (payload) => heard.push(payload));
      listener.onReconnect(() => reports.push("restored"));
      network.dropAll();
      await eventually("it has connected again", () => reports.includes("restored"));
      await eventually("it hears again", async () => {
        await sql(database.url, "select pg_notify('muster_wake', 'come')");
        return heard.includes("come");
      });
      expect(reports).toEqual(["lost", "restored"]);
    } finally {
      await listener.close();
      network.close();
    }
  },
);

verifies(
  "engine.takeover.late-answer",
  "an answer about ownership that was long on its way is asked for again",
  async () => {
    const line = await openLine(database.url);
    const far = openDatabase({ url: line.url, poolSize: 1, onIdleError: () => undefined });
    try {
      const [row] = await sql<{ id: string }>(database.url, `${JOB} returning id`, [SILENT]);
      const jobId = z.string().parse(row?.id);
      const job = { jobId, executorId: SILENT, fence: 1, subjectId: jobId, attempt: 1, takenAt: performance.now() };
      // It has not beaten, so the database decides.
      const services = { db: far, lease: createLease(LEASE_MS) };
      await ensureOwner(services, job);
      const [{ before } = {}] = await sql(database.url, "select clock_timestamp()::text as before");
      line.holdAnswers();
      const checked = ensureOwner(services, job).catch((error: unknown) => error);
      const sentAt = performance.now();
      const isAnswered = `select from pg_stat_activity where query like '%as i (job_id, executor_id, fence, n)%'
      and state = 'idle' and query_start > $1`;
      await eventually(
        "PostgreSQL has answered",
        async () => (await sql(database.url, isAnswered, [before])).length > 0,
      );
      await sql(database.url, "update jobs set executor_id = $2, fence = 2 where id = $1", [jobId, GONE]);
      await eventually("the answer is old", () => performance.now() - sentAt > LEASE_MS);
      line.passAnswers();
      expect(await checked).toBeInstanceOf(OwnershipLostError);
      await sql(database.url, "delete from jobs where id = $1", [jobId]);
    } finally {
      await far.close();
      line.close();
    }
  },
);

verifies(
  "engine.takeover.late-answer",
  "an answer that a job was lost does not abort a later execution of it in the same process",
  async () => {
    const line = await openLine(database.url);
    const far = openDatabase({ url: line.url, poolSize: 1, onIdleError: () => undefined });
    try {
      await far.query(OWN_PID);
      const jobs = createActiveJobs();
      const lost = jobs.enter(CLAIMED);
      line.holdAnswers();
      const checked = abortLost(far, jobs);
      lost.leave();
      const { signal } = jobs.enter({ ...CLAIMED, fence: 3 });
      line.passAnswers();
      await checked;
      expect(signal.aborted).toBe(false);
      await abortLost(far, jobs);
      expect(signal.aborted).toBe(true);
    } finally {
      await far.close();
      line.close();
    }
  },
);

verifies(
  "engine.outage.nobody-robbed",
  "a process takes over immediately from one that has stopped, and from a silent one after the lease",
  async () => {
    await sql(database.url, "insert into executors (id, host, pid) values ($1, 'elsewhere', 1)", [SILENT]);
    for (const executor of [SILENT, GONE]) await sql(database.url, JOB, [executor]);
    const states = () =>
      sql<{ state: string }>(database.url, "select state from jobs order by state").then((rows) =>
        rows.map(({ state }) => state),
      );
    const membership = createMember();
    await membership.start();
    try {
      expect(await states()).toEqual(["queued", "running"]);
      await eventually("the silent one is presumed dead", async () => (await states()).join() === "queued,queued");
    } finally {
      await membership.stop();
      await sql(database.url, "delete from jobs");
    }
  },
);

verifies(
  "engine.crash-loop.guilty-only",
  "of the jobs of a dead process, one that is taken over later is no more suspect than the others",
  async () => {
    await sql(database.url, "insert into executors (id, host, pid) values ($1, 'elsewhere', 1)", [SILENT]);
    await sql(database.url, `${JOB}, ${JOB.slice(JOB.indexOf("(gen_random"))}`, [SILENT]);
    const locker = new Client({ connectionString: database.url });
    await locker.connect();
    const membership = createMember();
    try {
      await locker.query("begin");
      await locker.query("select from jobs order by id limit 1 for update");
      await membership.start();
      const queued = async () => (await sql(database.url, "select from jobs where state = 'queued'")).length;
      await eventually("the other is taken over", async () => (await queued()) === 1);
      await locker.query("commit");
      await eventually("it is taken over", async () => (await queued()) === 2);
      const suspects = await sql(database.url, "select crash_count, suspicion from jobs");
      expect(suspects).toEqual([1, 2].map(() => ({ crash_count: 1, suspicion: 0 })));
    } finally {
      await membership.stop();
      await locker.end();
    }
  },
);

verifies(
  "engine.crash-loop.deliveries",
  "at the second death a run becomes a suspect, and a delivery does not",
  async () => {
    const executor = { id: SILENT, host: "elsewhere", machine: "", pid: 1, parentId: null };
    await sql(database.url, "delete from jobs");
    const delivery = JOB.replace("'task'", "'delivery'");
    for (const job of [JOB, delivery]) await sql(database.url, job, [SILENT]);
    for (const suspicion of [0, 1]) {
      await sql(database.url, "update jobs set state = 'running', executor_id = $1", [SILENT]);
      await register(db, executor, KEYS);
      await takeOver(db, { dead: [{ id: SILENT, beat: 0 }] });
      expect(await sql(database.url, "select kind, suspicion from jobs order by kind")).toEqual([
        { kind: "delivery", suspicion: 0 },
        { kind: "task", suspicion },
      ]);
    }
  },
);

const KEYS = { fingerprint: "0123456789abcdef", newest: 0, current: 0 };

function createMember(): Membership {
  return createMembership({
    db,
    lease: createLease(LEASE_MS),
    beatMs: LEASE_MS / 5,
    leaseMs: LEASE_MS,
    log: pino({ level: "silent" }),
    observe: () => undefined,
    keys: KEYS,
    onPresumedDead: () => expect.fail("it lives"),
    onTakenOver: () => undefined,
    onKeeperBeat: async () => undefined,
  });
}
