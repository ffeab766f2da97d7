import { Client } from "pg";
import { afterAll, beforeAll, expect } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { openAiAgent, setStatus, startTask, taskEnd } from "../../support/runs.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ProviderCall, ProviderReply, ScriptedProvider } from "../../support/scripted-provider.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

const CHUNK = "word".repeat(16_384);
/** More than what the service and the connection hold together. */
const CHUNKS = 600;
/** The lock is held for so many attempts of the write that waits for it. */
const ATTEMPTS = 4;
const BEGUN = "select from task_events where log_id = $1 and event->>'type' = 'TEXT_MESSAGE_CONTENT'";
const WAITS = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

/** Makes the insert of a large event take longer than the test. */
const slowLargeInserts = (seconds: number) => `
  create or replace function slow_insert() returns trigger language plpgsql as
    $$ begin perform pg_sleep(${seconds}); return new; end $$`;
const SLOW_TRIGGER = `
  create trigger slow_insert before insert on task_events for each row when (octet_length(new.event::text) > 131072)
    execute function slow_insert()`;
const SLEEPS = "select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'";

let provider: ScriptedProvider;
let service: TestService;
let agentId: string;
const FLOODS = "floods";
const locked = Promise.withResolvers<void>();
let said = 0;

beforeAll(async () => {
  provider = await startScriptedProvider(answer);
  service = await startService({ env: provider.env });
  agentId = await openAiAgent(service);
});

afterAll(async () => {
  await service.stop();
  await provider.close();
});

verifies("engine.floods.not-read", "a provider that floods waits while its run's text cannot be stored", async () => {
  const locker = new Client({ connectionString: service.databaseUrl });
  await locker.connect();
  try {
    const taskId = await startTask(service, agentId, { title: FLOODS });
    await eventually("it streams", async () => (await sql(service.databaseUrl, BEGUN, [taskId])).length > 0);
    await locker.query("begin");
    await locker.query("select from jobs where subject_id = $1 for update", [taskId]);
    locked.resolve();
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      await eventually("its write waits", async () => (await isWaiting()) || undefined);
      await eventually("its write is over", async () => !(await isWaiting()) || undefined);
    }
    expect(said).toBeLessThan(CHUNKS);
    await locker.query("commit");
    await setStatus(service, taskId, "cancelled");
  } finally {
    await locker.end();
  }
});

verifies("engine.writes.apart", "while a run's large event is stored, others begin, write and end", async () => {
  await sql(service.databaseUrl, slowLargeInserts(20));
  await sql(service.databaseUrl, SLOW_TRIGGER);
  const slow = await startTask(service, agentId, { title: "says a long word" });
  const [sleeper] = await eventually("its event is being stored", async () => {
    const rows = await sql<{ pid: number }>(service.databaseUrl, SLEEPS);
    return rows.length > 0 && rows;
  });
  const others = await Promise.all([1, 2, 3].map((n) => startTask(service, agentId, { title: `says word ${n}` })));
  for (const id of others) expect((await taskEnd(service, id)).status).toBe("completed");
  expect(await sql(service.databaseUrl, SLEEPS)).toEqual([sleeper]);
  await sql(service.databaseUrl, slowLargeInserts(0));
  await sql(service.databaseUrl, "select pg_cancel_backend($1)", [sleeper?.pid]);
  expect((await taskEnd(service, slow)).status).toBe("completed");
});

async function isWaiting(): Promise<boolean> {
  return (await sql(service.databaseUrl, WAITS)).length > 0;
}

async function answer({ task }: ProviderCall, reply: ProviderReply): Promise<void> {
  reply.say(task === "says a long word" ? CHUNK + CHUNK : "word ");
  if (task !== FLOODS) return reply.finish();
  await locked.promise;
  for (; said < CHUNKS; said++) {
    reply.say(CHUNK);
    await reply.hasRoom();
  }
}
