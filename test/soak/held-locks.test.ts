import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, expect } from "vitest";
import { openAiAgent, startTask, taskEnd } from "../support/runs.ts";
import { startScriptedProvider } from "../support/scripted-provider.ts";
import type { ProviderCall, ProviderReply, ScriptedProvider } from "../support/scripted-provider.ts";
import { createDatabase, createKeys, startProcess } from "../support/service.ts";
import type { TestDatabase, TestProcess } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";
import { sql } from "../support/workspace.ts";

const LEASE_MS = 3_000;
const RUNS = 10;
const TURNS = 3;
const WORDS = 10;
/** Every table is locked: these by themselves, the others together. */
const ENGINE_TABLES = [
  "tasks",
  "jobs",
  "executors",
  "keeper",
  "task_streams",
  "task_events",
  "run_steps",
  "run_executions",
  "usage_records",
];
const ROWS = ["jobs", "executors", "keeper", "tasks", "task_streams"];
const OTHERS = `
  select string_agg(quote_ident(relname), ', ') as tables from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    and relname <> all($1)`;

let database: TestDatabase;
let provider: ScriptedProvider;
let processes: readonly TestProcess[];
let agentId: string;
let locked = Promise.withResolvers<void>();
const keys = createKeys();

beforeAll(async () => {
  provider = await startScriptedProvider(answer);
  database = await createDatabase();
  const env = { ...provider.env, LEASE_MS: String(LEASE_MS) };
  processes = [
    await startProcess({ databaseUrl: database.url, keys, env }),
    await startProcess({ databaseUrl: database.url, keys, env }),
  ];
  agentId = await openAiAgent({ url: processes[0]?.url ?? "", keys }, { tools: ["current_time"] });
});

afterAll(async () => {
  await Promise.all(processes.map((one) => one.stop()));
  await provider.close();
  await database.drop();
});

const locks = [
  ...ENGINE_TABLES.map((table) => ({ what: `the table ${table}`, lock: `lock table ${table}` })),
  ...ROWS.map((table) => ({ what: `the rows of ${table}`, lock: `select from ${table} for update` })),
  { what: "all other tables", lock: undefined },
];

for (const { what, lock } of locks) {
  verifies(
    "engine.locks.harmless",
    `while a lock holds ${what}, no process loses its runs, and no call is made twice`,
    async () => {
      locked = Promise.withResolvers<void>();
      const locker = new Client({ connectionString: database.url });
      await locker.connect();
      try {
        const titles = Array.from({ length: RUNS }, (_, n) => `${what} ${n}`);
        const ids = await Promise.all(
          titles.map((title, n) => startTask({ url: processes[n % 2]?.url ?? "", keys }, agentId, { title })),
        );
        await Promise.all(titles.map((title) => provider.called(title, 0)));
        await locker.query("begin");
        const [others] = await sql<{ tables: string }>(database.url, OTHERS, [ENGINE_TABLES]);
        await locker.query(lock ?? `lock table ${others?.tables}`);
        locked.resolve();
        await sleep(2 * LEASE_MS);
        await locker.query("commit");
        const ends = await Promise.all(ids.map((id) => taskEnd({ url: processes[0]?.url ?? "", keys }, id)));
        expect(ends.map(({ status, error }) => ({ status, error }))).toEqual(
          ids.map(() => ({ status: "completed", error: null })),
        );
        expect(provider.calls.filter(({ nth }) => nth > 1).map(({ task, turn }) => `${task}: ${turn}`)).toEqual([]);
        expect(await sql(database.url, "select run_id from run_executions where outcome = 'lost'")).toEqual([]);
      } finally {
        locked.resolve();
        await locker.end();
      }
    },
    120_000,
  );
}

/** Its runs have several turns; they wait for the lock in the first. */
async function answer({ turn }: ProviderCall, reply: ProviderReply): Promise<void> {
  reply.say("word ");
  await locked.promise;
  for (let word = 0; word < WORDS; word++) {
    reply.say("word ");
    await sleep(20);
  }
  if (turn < TURNS - 1) reply.callTool("current_time", {});
  reply.finish();
}
