/**
 * What a one-step run of five words costs the database in commits, transaction ids and WAL, and both in CPU; posted and
 * watched from outside, streamed in the AG-UI request that starts it, and as a completion or a streamed response of the
 * OpenAI-compatible endpoint. Arguments name the ways to measure; without any, all are. The counts hardly depend on the machine.
 * What the service does beside its runs (beats, polls) is measured first and taken off.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { treeCpuMs } from "./lib/cpu.ts";
import { percentile } from "./lib/percentile.ts";
import { openStage } from "./lib/stage.ts";
import type { Stage } from "./lib/stage.ts";
import { watchEnds } from "./lib/watch-ends.ts";

const RUNS = 400;
/** Sessions report their commits at the latest after so long without work, in milliseconds. */
const REPORTED_AFTER_MS = 11_000;

/** How runs are made. */
const WAYS = ["posted", "streamed", "completion", "response"] as const;
type Way = (typeof WAYS)[number];

interface Counts {
  readonly commits: number;
  readonly ids: number;
  readonly walBytes: number;
  readonly fullPages: number;
  readonly seconds: number;
}

/** Makes one run, and waits for its end. */
type MakeRun = () => Promise<void>;

const COUNTS = `
  select d.xact_commit::float8 as commits, pg_snapshot_xmax(pg_current_snapshot())::text::float8 as ids,
    pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as "walBytes", w.wal_fpi::float8 as "fullPages",
    extract(epoch from clock_timestamp())::float8 as seconds
  from pg_stat_database d, pg_stat_wal w where d.datname = current_database()`;

async function measure(stage: Stage, client: Client, way: Way, atOnce: number): Promise<string> {
  const agent = await stage.call("POST", "/functions/v1/api-agents", { name: "Counted", model: "gpt-4o" });
  const runner = await runnerOf(way, { stage, agentId: agent.id, atOnce });
  await makeRuns(RUNS / 2, atOnce, runner.run);
  const idle = await countAround(client, runner.polls, () => sleep(REPORTED_AFTER_MS));
  const cpu = () => [treeCpuMs(stage.servicePid), treeCpuMs(stage.postgresPid) - runner.cpuMs()] as const;
  const latencies: number[] = [];
  let spent = [0, 0];
  const counted = await countAround(client, runner.polls, async () => {
    const [service, database] = cpu();
    latencies.push(...(await makeRuns(RUNS, atOnce, runner.run)));
    const [serviceAfter, databaseAfter] = cpu();
    spent = [(serviceAfter - service) / RUNS, (databaseAfter - database) / RUNS];
  });
  const perRun = (of: (counts: Counts) => number) => (of(counted) - (of(idle) / idle.seconds) * counted.seconds) / RUNS;
  await runner.close();
  const cells = [
    `${way}, ${atOnce} at once`,
    perRun(({ commits }) => commits).toFixed(1),
    perRun(({ ids }) => ids).toFixed(1),
    `${(perRun(({ walBytes }) => walBytes) / 1_024).toFixed(1)} KB`,
    perRun(({ fullPages }) => fullPages).toFixed(2),
    ...spent.map((ms) => ms.toFixed(2)),
    percentile(latencies, 50).toFixed(1),
  ];
  return `| ${cells.join(" | ")} |`;
}

interface Runs {
  readonly stage: Stage;
  readonly agentId: string;
  readonly atOnce: number;
}

function runnerOf(way: Way, { stage, agentId, atOnce }: Runs) {
  switch (way) {
    case "posted":
      return posted(stage, agentId, atOnce);
    case "streamed":
      return streamed(stage, agentId);
    case "completion": {
      const messages = [{ role: "user", content: "bench-counted 5x0" }];
      return openAi(stage, "chat/completions", { body: { model: agentId, messages }, ends: '"finish_reason":"stop"' });
    }
    case "response": {
      const body = { model: agentId, input: "bench-counted 5x0", stream: true };
      return openAi(stage, "responses", { body, ends: "event: response.completed" });
    }
  }
}

/** @param polls the number of polls for the ends so far: their commits are not the service's */
async function countAround(client: Client, polls: () => number, work: () => Promise<unknown>): Promise<Counts> {
  const before = await read(client);
  const polled = polls();
  await work();
  // With nothing to do, every session reports what it has counted.
  await sleep(REPORTED_AFTER_MS);
  const after = await read(client);
  return {
    commits: after.commits - before.commits - (polls() - polled),
    ids: after.ids - before.ids,
    walBytes: after.walBytes - before.walBytes,
    fullPages: after.fullPages - before.fullPages,
    seconds: after.seconds - before.seconds,
  };
}

async function read(client: Client): Promise<Counts> {
  const { rows } = await client.query<Counts>(COUNTS);
  const [counts] = rows;
  if (counts === undefined) throw new Error("The database has no statistics.");
  return counts;
}

async function makeRuns(runs: number, atOnce: number, run: MakeRun): Promise<number[]> {
  const latencies: number[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next++ < runs) {
        const begun = performance.now();
        await run();
        latencies.push(performance.now() - begun);
      }
    }),
  );
  return latencies;
}

/** Runs that are posted; their ends are read from the database, which `polls` counts. */
async function posted(stage: Stage, agentId: string, atOnce: number) {
  const statement = {
    name: "ended",
    text: `select id, completed_at::text from tasks
      where assigned_agent_id = $1 and completed_at > $2::timestamptz - interval '1 s' order by completed_at limit 2000`,
  };
  const ended = await watchEnds(stage.databaseUrl, { ...statement, of: agentId }, atOnce === 1 ? 2 : 5);
  return {
    cpuMs: ended.cpuMs,
    polls: ended.polls,
    close: ended.close,
    async run() {
      const task = await stage.call("POST", "/functions/v1/api-tasks", {
        title: "Counted",
        description: "bench-counted 5x0",
        assigned_agent_id: agentId,
      });
      await ended.wait(task.id);
    },
  };
}

/** Runs that are started and read by one AG-UI request. */
function streamed(stage: Stage, agentId: string) {
  return {
    cpuMs: () => 0,
    polls: () => 0,
    close: () => Promise.resolve(),
    async run() {
      const response = await fetch(`${stage.url}/ag-ui/${agentId}/sse`, {
        method: "POST",
        headers: { Authorization: `Bearer ${stage.aguiKey}`, "Content-Type": "application/json" },
        body: JSON.stringify({
          threadId: randomUUID(),
          runId: randomUUID(),
          state: {},
          messages: [{ id: randomUUID(), role: "user", content: "bench-counted 5x0" }],
          tools: [],
          context: [],
          forwardedProps: {},
        }),
      });
      const text = await response.text();
      if (!text.includes("RUN_FINISHED")) throw new Error(`The run did not finish: ${response.status} ${text}`);
    },
  };
}

/** Runs of the OpenAI-compatible endpoint. @param ends the text that a complete answer contains */
function openAi(stage: Stage, path: string, { body, ends }: { readonly body: object; readonly ends: string }) {
  return {
    cpuMs: () => 0,
    polls: () => 0,
    close: () => Promise.resolve(),
    async run() {
      const response = await fetch(`${stage.url}/v1/${path}`, {
        method: "POST",
        headers: { "api-key": stage.apiKey, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      if (!text.includes(ends)) throw new Error(`The run did not finish: ${response.status} ${text}`);
    },
  };
}

const named = process.argv.slice(2);
const stage = await openStage();
const client = new Client({ connectionString: stage.databaseUrl });
try {
  await client.connect();
  console.log("| runs | commits | transaction ids | WAL | full pages | service CPU | database CPU | p50 ms |");
  console.log("| :-- | --: | --: | --: | --: | --: | --: | --: |");
  for (const way of WAYS.filter((each) => named.length === 0 || named.includes(each))) {
    for (const atOnce of [1, 16]) console.log(await measure(stage, client, way, atOnce));
  }
} finally {
  await client.end();
  await stage.close();
}
