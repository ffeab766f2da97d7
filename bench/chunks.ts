/**
 * What a chunk of a model's answer costs from the provider's socket to the log, without readers, with one reader of each
 * run at the same process, and with one at another; and what the closed runs keep. Run by itself: `node bench/chunks.ts`.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { treeCpuMs } from "./lib/cpu.ts";
import { openStage } from "./lib/stage.ts";

const CHUNKS_PER_RUN = 500;
const PAUSE_MS = 20;
const STORED_ROUNDS = 5;
const STORED_AT_ONCE = 4;
/** Until all closed logs are packed. */
const PACKING_MS = 8_000;

const STORED = `
  select coalesce(sum(pg_total_relation_size(c.oid)), 0)::float8 as bytes from pg_class c
  where c.relkind = 'r' and c.relname ~ '^task_event(s|_pages)(_|$)'`;
const COUNTS = `
  select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal,
    (select xact_commit from pg_stat_database where datname = current_database())::float8 as commits,
    (select coalesce(sum(last_seq), 0) from task_streams)::float8 as events`;

/** Where the readers are. */
type Readers = "none" | "local" | "remote";

interface Counts {
  readonly wal: number;
  readonly commits: number;
  readonly events: number;
}

const stage = await openStage({ LOG_LEVEL: "warn" });
const client = new Client({ connectionString: stage.databaseUrl });
await client.connect();
try {
  const other = await stage.addService();
  const second = { url: other.url, pid: other.process.pid ?? 0 };
  await measure(5, "local", second);
  console.log(
    "| runs | readers | CPU per chunk, ms: services | database | events per chunk | commits/s | WAL per chunk |",
  );
  console.log("| ---: | ------- | --: | --: | --: | --: | --: |");
  for (const round of [1, 2, 3]) {
    for (const readers of ["none", "local", "remote"] as const) await print(20, readers, second, round);
  }
  await print(100, "none", second, 0);
  await stored(second);
} finally {
  await client.end();
  await stage.close();
}

type Other = { readonly url: string; readonly pid: number };

async function print(runs: number, readers: Readers, other: Other, round: number): Promise<void> {
  const { service, database, events, commits, wal } = await measure(runs, readers, other);
  const cells = [
    runs,
    `${readers} ${round}`,
    service.toFixed(3),
    database.toFixed(3),
    events.toFixed(2),
    commits.toFixed(0),
  ];
  console.log(`| ${[...cells, wal.toFixed(0)].join(" | ")} |`);
}

async function measure(runs: number, readers: Readers, other: Other) {
  const agent = await stage.call("POST", "/functions/v1/api-agents", { name: "Bench", model: "gpt-4o" });
  const cpu = () => ({
    service: treeCpuMs(stage.servicePid) + treeCpuMs(other.pid),
    database: treeCpuMs(stage.postgresPid),
  });
  await sleep(PACKING_MS);
  const before = { ...cpu(), ...(await counts()), at: performance.now() };
  await Promise.all(
    Array.from({ length: runs }, async (_, index) => {
      await sleep((index * PAUSE_MS) / runs);
      const description = `in-words bench-c${index} ${CHUNKS_PER_RUN}x${PAUSE_MS}`;
      const task = await stage.call("POST", "/functions/v1/api-tasks", {
        title: "Bench",
        description,
        assigned_agent_id: agent.id,
      });
      if (readers === "local") await read(stage.url, agent.id, task.id);
      if (readers === "remote") await read(other.url, agent.id, task.id);
    }),
  );
  await allEnded();
  const seconds = (performance.now() - before.at) / 1_000;
  const chunks = runs * CHUNKS_PER_RUN;
  const [cpuAfter, after] = [cpu(), await counts()];
  return {
    service: (cpuAfter.service - before.service) / chunks,
    database: (cpuAfter.database - before.database) / chunks,
    events: (after.events - before.events) / chunks,
    commits: (after.commits - before.commits) / seconds,
    wal: (after.wal - before.wal) / chunks,
  };
}

async function counts(): Promise<Counts> {
  await sleep(1_100);
  const { rows } = await client.query<Counts & Record<string, unknown>>(COUNTS);
  return rows[0] ?? { wal: 0, commits: 0, events: 0 };
}

async function allEnded(): Promise<void> {
  const open = "select count(*)::int as n from task_streams where not closed";
  while ((await client.query<{ n: number }>(open)).rows[0]?.n !== 0) await sleep(100);
}

async function read(url: string, agentId: string, threadId: string): Promise<void> {
  const response = await fetch(`${url}/ag-ui/${agentId}/sse`, {
    method: "POST",
    headers: { Authorization: `Bearer ${stage.aguiKey}` },
    body: JSON.stringify({ threadId }),
  });
  for await (const _ of response.body ?? []);
}

/** What closed runs keep when hardly any two chunks become one event: few at a time. */
async function stored(other: Other): Promise<void> {
  const before = await storedBytes();
  let events = 0;
  for (let round = 0; round < STORED_ROUNDS; round++) events += (await measure(STORED_AT_ONCE, "none", other)).events;
  const kib = ((await storedBytes()) - before) / (STORED_ROUNDS * STORED_AT_ONCE) / 1_024;
  const each = (events / STORED_ROUNDS) * CHUNKS_PER_RUN;
  console.log(`A closed run of ${CHUNKS_PER_RUN} chunks, ${each.toFixed(0)} events, takes ${kib.toFixed(1)} KiB.`);
}

async function storedBytes(): Promise<number> {
  await sleep(PACKING_MS);
  await client.query("vacuum full task_events");
  return (await client.query<{ bytes: number }>(STORED)).rows[0]?.bytes ?? 0;
}
