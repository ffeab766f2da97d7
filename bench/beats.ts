/**
 * Run by itself (`node bench/beats.ts`): what the beats and polls of the processes cost the database, with few of them and
 * no work, and with many and much work. Executes the statements of a minute, without the pauses between them.
 */
import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { openDatabase } from "#db/open-database.ts";
import type { OpenDatabase } from "#db/open-database.ts";
import { lostClaims, pollQueue } from "#db/queries/queue/claim-jobs.ts";
import { beat, elect, register, takeOver } from "#db/queries/queue/executors.ts";
import { treeCpuMs } from "./lib/cpu.ts";
import { openStage } from "./lib/stage.ts";

const SECONDS = 60;
const ROUNDS = 5;
const WORKSPACES = 100;
const MAX_PARTITIONS = 1_000;
/** Lost claims and jobs without an owner are checked once in so many beats. */
const CHECK_BEATS = 5;

/** How many processes there are, and the jobs in the database. */
interface Fleet {
  readonly processes: number;
  readonly claimed: number;
  readonly waiting: number;
}

const FLEETS: readonly Fleet[] = [
  { processes: 2, claimed: 0, waiting: 0 },
  { processes: 2, claimed: 800, waiting: 0 },
  { processes: 50, claimed: 0, waiting: 0 },
  { processes: 50, claimed: 20_000, waiting: 10_000 },
];

const CLAIMED = `
  insert into jobs (id, workspace_id, kind, subject_id, attempt, priority, state, executor_id, fence, input)
  select gen_random_uuid(), ($2::uuid[])[1 + n % cardinality($2::uuid[])], 'task', gen_random_uuid(), 1, 1, 'running',
    ($1::uuid[])[1 + n % cardinality($1::uuid[])], 1, '{}'
  from generate_series(1, $3::integer) n`;
const WAITING = `
  insert into jobs (id, workspace_id, kind, subject_id, attempt, priority, state, input)
  select gen_random_uuid(), ($1::uuid[])[1 + n % cardinality($1::uuid[])], 'task', gen_random_uuid(), 1, 1, 'queued', '{}'
  from generate_series(1, $2::integer) n`;

const stage = await openStage({ LOG_LEVEL: "error" });
const client = new Client({ connectionString: stage.databaseUrl });
const db = openDatabase({ url: stage.databaseUrl, poolSize: 2, onIdleError: () => undefined });
try {
  process.kill(stage.servicePid, "SIGTERM");
  await client.connect();
  console.log("| processes | claimed jobs | waiting jobs | database CPU per process and minute, ms |");
  console.log("| --: | --: | --: | --: |");
  for (const fleet of FLEETS) {
    const ms = await measure(fleet);
    console.log(`| ${fleet.processes} | ${fleet.claimed} | ${fleet.waiting} | ${ms.toFixed(0)} |`);
  }
} finally {
  await db.close();
  await client.end();
  await stage.close();
}

const KEYS = { fingerprint: "0123456789abcdef", newest: 0, current: 0 };

/** The median of several minutes. */
async function measure({ processes, claimed, waiting }: Fleet): Promise<number> {
  await client.query("delete from jobs");
  await client.query("delete from executors");
  const ids = Array.from({ length: processes }, () => randomUUID());
  for (const [n, id] of ids.entries())
    await register(db, { id, host: `host-${n}`, machine: "", pid: n, parentId: null }, KEYS);
  const { rows } = await client.query<{ epoch: number }>("select epoch::integer as epoch from keeper");
  await elect(db, ids[0] ?? "", rows[0]?.epoch ?? 0);
  const workspaces = Array.from({ length: WORKSPACES }, () => randomUUID());
  await client.query(CLAIMED, [ids, workspaces, claimed]);
  await client.query(WAITING, [workspaces, waiting]);
  await client.query("vacuum analyze jobs");
  const owned = await client.query<{ owner: string; jobs: string[] }>(
    "select executor_id as owner, array_agg(id) as jobs from jobs where executor_id is not null group by 1",
  );
  const jobsOf = new Map(owned.rows.map(({ owner, jobs }) => [owner, jobs]));
  await runMinute(db, ids, jobsOf);
  const costs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = treeCpuMs(stage.postgresPid);
    await runMinute(db, ids, jobsOf);
    costs.push((treeCpuMs(stage.postgresPid) - before) / processes);
  }
  return costs.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
}

/** The statements of a minute: the first process is the keeper. */
async function runMinute(
  database: OpenDatabase,
  ids: readonly string[],
  jobsOf: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  for (let second = 0; second < SECONDS; second++) {
    for (const id of ids) await beat(database, id, KEYS);
    await pollQueue(database, MAX_PARTITIONS);
    if (second % CHECK_BEATS !== 0) continue;
    await takeOver(database, { dead: [] });
    for (const id of ids) await lostClaims(database, id, jobsOf.get(id) ?? []);
  }
}
