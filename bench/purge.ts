/**
 * What it costs to delete the events, pages and steps of 100,000 ended runs after their retention: one by one, and with
 * their partition. Rounds alternate, each with new rows. Run it by itself: `node bench/purge.ts`. An argument is the
 * number of runs.
 */
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { startEmbeddedPostgres } from "#db/embedded/start-embedded-postgres.ts";
import { migrate } from "#db/migrate.ts";
import { openDatabase } from "#db/open-database.ts";
import { deleteOldEvents } from "#db/queries/queue/retention.ts";
import { deleteOldSteps } from "#db/queries/runs/run-steps.ts";
import { deleteOldPages } from "#db/queries/streams/event-pages.ts";
import { dropPartitions } from "#db/queries/streams/log-partitions.ts";
import { treeCpuMs } from "./lib/cpu.ts";

const RUNS = Number(process.argv[2] ?? 100_000);
const ROUNDS = 3;
const BATCH = 1_000;
const DAY_MS = 86_400_000;
const TABLES = ["task_events", "task_event_pages", "run_steps"] as const;

const OLD = TABLES.map((table) => `${table}_old`).join();

/** A week long ago, in which the runs began. */
const PARTITION = (table: string) => `
  create table ${table}_old partition of ${table}
  for values from (first_id_of('2020-01-06 UTC')) to (first_id_of('2020-01-13 UTC'))`;
/** Five events and a step for each run, and a page for one in ten. */
const FILL = [
  `create table ended as
   select (left(first_id_of('2020-01-06 UTC'::timestamptz + n * interval '5 s')::text, 14) || '7000-8000-'
     || lpad(to_hex(n), 12, '0'))::uuid as id, gen_random_uuid() as workspace_id, '2020-01-06 UTC'::timestamptz + n * interval '5 s' as at
   from generate_series(1, $1::integer) n`,
  `insert into task_streams (log_id, workspace_id, attempt, last_seq, closed) select id, workspace_id, 1, 5, true from ended`,
  `insert into task_events (log_id, seq, workspace_id, attempt, event, created_at)
   select id, seq, workspace_id, 1, json_build_object('type', 'TEXT_MESSAGE_CONTENT', 'delta', repeat('word ', 8)), at
   from ended, generate_series(1, 5) seq`,
  `insert into task_event_pages (log_id, first_seq, last_seq, workspace_id, attempt, events, created_at)
   select id, 6, 105, workspace_id, 1, array_fill('{"type":"TEXT_MESSAGE_CONTENT","delta":"word"}'::json, array[100]), at
   from ended where random() < 0.1`,
  `insert into run_steps (run_id, attempt, key, workspace_id, result, created_at, request)
   select id, 1, 'model:0', workspace_id, to_json(repeat('word ', 50)), at, to_json(repeat('a prompt ', 100)) from ended`,
];

const folder = await mkdtemp(join(tmpdir(), "muster-bench-"));
// As root, the server runs as another user, which needs access to the folder.
await chmod(folder, 0o755);
const server = await startEmbeddedPostgres({ dataFolder: folder });
const postmaster = Number.parseInt(await readFile(join(server.dataDirectory, "postmaster.pid"), "utf8"), 10);
await migrate(server.url, () => Promise.resolve());
const db = openDatabase({ url: server.url, poolSize: 1, onIdleError: () => undefined });
const client = new Client({ connectionString: server.url });
try {
  await client.connect();
  for (const table of TABLES) await client.query(`drop table ${table}_first`);
  console.log("| round | way | seconds | database CPU, s | WAL, MB |\n| --- | --- | --: | --: | --: |");
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const way of ["rows", "partition"] as const) console.log(`| ${round} | ${way} | ${await measure(way)} |`);
  }
} finally {
  await client.end();
  await db.close();
  await server.stop();
  await rm(folder, { recursive: true });
}

async function measure(way: "rows" | "partition"): Promise<string> {
  for (const table of TABLES) await client.query(PARTITION(table));
  for (const [index, text] of FILL.entries()) await client.query(text, index === 0 ? [RUNS] : []);
  // As autovacuum has done long before rows are old.
  await client.query(`vacuum ${OLD}`);
  await client.query("checkpoint");
  const before = await spent();
  await purge(way);
  // What rows leave behind costs as much again; a partition leaves nothing.
  if (way === "rows") await client.query(`vacuum ${OLD}`);
  const after = await spent();
  if (way === "rows") for (const table of TABLES) await client.query(`drop table ${table}_old`);
  await client.query("drop table ended");
  await client.query("truncate task_streams");
  return after.map((value, index) => (value - (before[index] ?? 0)).toFixed(3)).join(" | ");
}

async function purge(way: "rows" | "partition"): Promise<void> {
  const until = new Date(Date.now() - 30 * DAY_MS);
  if (way === "partition") return void (await dropPartitions(db, until, () => false));
  for (const remove of [deleteOldEvents, deleteOldPages, deleteOldSteps]) {
    for (let deleted = BATCH; deleted === BATCH;) deleted = await remove(db, until, BATCH);
  }
}

/** Seconds, seconds of the database's CPU, megabytes of WAL. */
async function spent(): Promise<readonly number[]> {
  const { rows } = await client.query<{ bytes: number }>(
    "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes",
  );
  return [performance.now() / 1_000, treeCpuMs(postmaster) / 1_000, (rows[0]?.bytes ?? 0) / 1_048_576];
}
