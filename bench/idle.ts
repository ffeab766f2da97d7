/**
 * What an idle service costs: CPU of the service and its database, as a share of one core. Run by itself
 * (`node bench/idle.ts`), it prints three rounds and the transactions per second.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { treeCpuMs } from "./lib/cpu.ts";
import { openStage } from "./lib/stage.ts";
import type { Stage } from "./lib/stage.ts";

const SECONDS = 20;

/** Shares of one core, in percent. */
export interface IdleRound {
  readonly service: number;
  readonly database: number;
}

/** Watches an idle service for a while. */
export async function measureIdle(stage: Stage): Promise<IdleRound> {
  const cpu = () => ({ service: treeCpuMs(stage.servicePid), database: treeCpuMs(stage.postgresPid) });
  await sleep(2_000);
  const before = cpu();
  await sleep(SECONDS * 1_000);
  const after = cpu();
  const share = (ms: number) => (ms / (SECONDS * 1_000)) * 100;
  return { service: share(after.service - before.service), database: share(after.database - before.database) };
}

const COMMITS = `
  select xact_commit::float8 as commits from pg_stat_database where datname = current_database()`;

if (import.meta.filename === process.argv[1]) {
  const stage = await openStage();
  const client = new Client({ connectionString: stage.databaseUrl });
  const commits = async () => (await client.query<{ commits: number }>(COMMITS)).rows[0]?.commits ?? 0;
  try {
    await client.connect();
    for (const _ of [1, 2, 3]) {
      const before = { commits: await commits(), at: performance.now() };
      const { service, database } = await measureIdle(stage);
      const perSecond = ((await commits()) - before.commits) / ((performance.now() - before.at) / 1_000);
      console.log(`Idle: service ${service.toFixed(1)} %, database ${database.toFixed(1)} % of a core,`);
      console.log(`${perSecond.toFixed(1)} transactions per second`);
    }
  } finally {
    await client.end();
    await stage.close();
  }
}
