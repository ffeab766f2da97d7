import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, expect } from "vitest";
import { createBlobSweeper } from "#operations/files/blobs.ts";
import { openDatabase } from "#db/open-database.ts";
import type { Database } from "#db/database.ts";
import { createJanitor } from "#engine/upkeep/janitor.ts";
import { createLogPacker } from "#engine/upkeep/log-packer.ts";
import { createLocalBlobs } from "#lib/blobs/local-blobs.ts";
import { apiOf } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { openAiAgent, setStatus, startTask, taskEnd } from "../../support/runs.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider, ProviderCall, ProviderReply } from "../../support/scripted-provider.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { readToEnd } from "../../support/sse-client.ts";
import { expectWholeStream } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

const WORDS = 200;
/** So far apart that hardly any two words become one event. */
const BETWEEN_WORDS_MS = 5;
/** Shorter attempts are not packed. */
const LEAST_PACKED = 32;
const KIB = 1_024;
const LONG = 5_500;

/** Events of a closed log that is about to be packed, more than one statement takes. */
const ADD_EVENTS = `
  with head as (update task_streams set last_seq = last_seq + $2 where log_id = $1 returning *),
  queued as (insert into unpacked_attempts select log_id, attempt from head)
  insert into task_events (log_id, seq, workspace_id, attempt, event)
  select log_id, last_seq - $2 + n, workspace_id, attempt, json_build_object('type', 'STEP_STARTED', 'stepName', n, 'timestamp', 1)
  from head, generate_series(1, $2::integer) n`;
const LOOSE = "select from task_events where log_id = $1";
const WAITING_DELETE = `
  select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like '%delete from idempotent_answers%'`;
const PAGES = `
  select first_seq, last_seq, cardinality(events) as count, pg_column_size(p)::integer as size from task_event_pages p
  where log_id = $1 order by first_seq`;

interface PageRow extends Record<string, unknown> {
  readonly first_seq: number;
  readonly last_seq: number;
  readonly count: number;
  readonly size: number;
}

let provider: ScriptedProvider;
let service: TestService;
let agentId: string;
let db: Database;

beforeAll(async () => {
  provider = await startScriptedProvider(answer);
  service = await startService({ env: { ...provider.env } });
  agentId = await openAiAgent(service);
  db = openDatabase({ url: service.databaseUrl, poolSize: 4, onIdleError: () => undefined });
});

afterAll(async () => {
  await db.close();
  await service.stop();
  await provider.close();
});

verifies(
  "engine.log.packed",
  "the log of a closed attempt is packed, and read as before from every event on",
  async () => {
    const taskId = await startTask(service, agentId, { title: "says a lot" });
    const live = await readToEnd(service, { agentId, taskId });
    expect(live.length).toBeGreaterThan(LEAST_PACKED);
    await packed(taskId);

    expect(await readToEnd(service, { agentId, taskId })).toEqual(live);
    for (const lastEventId of [1, 17, live.length - 1]) {
      expect(await readToEnd(service, { agentId, taskId, lastEventId })).toEqual(live.slice(lastEventId));
    }
    await setStatus(service, taskId, "dispatched");
    const second = await readToEnd(service, { agentId, taskId });
    await expectWholeStream(second);
    expect(second[0]?.id).toBe(live.length + 1);
    await packed(taskId);
    expect(await readToEnd(service, { agentId, taskId, attempt: 1 })).toEqual(live);
    expect(await readToEnd(service, { agentId, taskId, attempt: 2, lastEventId: live.length + 9 })).toEqual(
      second.slice(9),
    );
    const cutOff = live.length - 2;
    expect(await readToEnd(service, { agentId, taskId, lastEventId: cutOff })).toEqual(live.slice(cutOff));
  },
  { tags: "slow" },
);

verifies(
  "engine.log.packed-size",
  "a closed run of hundreds of chunks takes less than 12 KB",
  async () => {
    const taskId = await startTask(service, agentId, { title: "says a lot" });
    await taskEnd(service, taskId);
    const pages = await packed(taskId);
    expect(pages.reduce((sum, { size }) => sum + size, 0)).toBeLessThan((12 * KIB * WORDS) / 500);
  },
  { tags: "slow" },
);

verifies("engine.log.short-not-packed", "the log of a short attempt is written once and stays as it is", async () => {
  const taskId = await startTask(service, agentId, { title: "says little" });
  await taskEnd(service, taskId);
  expect(await sql(service.databaseUrl, "select from unpacked_attempts where log_id = $1", [taskId])).toEqual([]);
  expect((await sql(service.databaseUrl, LOOSE, [taskId])).length).toBeGreaterThan(0);
});

verifies(
  "engine.log.packed-once",
  "several processes pack a long log at the same time, part by part, without a gap or a repeat",
  async () => {
    const taskId = await startTask(service, agentId, { title: "says little" });
    await taskEnd(service, taskId);
    const before = (await sql(service.databaseUrl, LOOSE, [taskId])).length;
    await sql(service.databaseUrl, ADD_EVENTS, [taskId, LONG]);
    await Promise.all([1, 2, 3].map(() => createLogPacker({ db, log: pino({ level: "silent" }) }).runOnce()));

    const pages = await packed(taskId);
    expect(pages.length).toBeGreaterThan(3);
    let next = 1;
    for (const { first_seq, last_seq, count } of pages) {
      expect([first_seq, last_seq]).toEqual([next, next + count - 1]);
      next = last_seq + 1;
    }
    expect(next).toBe(before + LONG + 1);
    const names = await sql(
      service.databaseUrl,
      "select event->>'stepName' as name from task_log where log_id = $1 and seq > $2 order by seq",
      [taskId, before],
    );
    expect(names).toEqual(Array.from({ length: LONG }, (_, index) => ({ name: String(index + 1) })));
  },
  { tags: "slow" },
);

verifies(
  "engine.log.packed-retention",
  "packed logs are deleted with their task, and when they are too old",
  async () => {
    const [deleted, old] = [
      await startTask(service, agentId, { title: "says a lot" }),
      await startTask(service, agentId, { title: "says a lot" }),
    ];
    for (const taskId of [deleted, old]) await packed(await ended(taskId));
    expect((await apiOf(service, service.keys.api).delete(`/api-tasks?id=${deleted}`)).status).toBe(204);
    expect(await sql(service.databaseUrl, PAGES, [deleted])).toEqual([]);

    await sql(
      service.databaseUrl,
      "update task_event_pages set created_at = now() - interval '38 days' where log_id = $1",
      [old],
    );
    await janitor().runOnce();
    expect(await sql(service.databaseUrl, PAGES, [old])).toEqual([]);
    const left = await readToEnd(service, { agentId, taskId: old });
    expect(left.map(({ event }) => event.type)).toEqual(["RUN_STARTED", "RUN_FINISHED"]);
  },
  { tags: "slow" },
);

verifies("engine.retention.stops", "a janitor that stops leaves the rest of the expired rows", async () => {
  await sql(
    service.databaseUrl,
    `insert into idempotent_answers (workspace_id, key, request_hash, request_id, status, body_ciphertext, created_at)
    select w.id, n::text, '', '', 200, '', now() - interval '31 days'
    from (select id from workspaces limit 1) w, generate_series(1, 2500) n`,
  );
  const locker = new Client({ connectionString: service.databaseUrl });
  await locker.connect();
  try {
    await locker.query("begin");
    await locker.query("lock table idempotent_answers in share mode");
    const stopping = janitor();
    const purged = stopping.runOnce();
    await eventually("a batch is in flight", async () => (await sql(service.databaseUrl, WAITING_DELETE)).length > 0);
    const stopped = stopping.stop();
    await locker.query("commit");
    await Promise.all([purged, stopped]);
    expect(await sql(service.databaseUrl, "select count(*)::integer as left from idempotent_answers")).toEqual([
      { left: 1_500 },
    ]);
  } finally {
    await locker.end();
  }
});

/** Waits until a task's log is packed; its pages. */
async function packed(taskId: string): Promise<readonly PageRow[]> {
  await eventually(
    "the log is packed",
    async () => (await sql(service.databaseUrl, LOOSE, [taskId])).length === 0,
    20_000,
  );
  return sql<PageRow>(service.databaseUrl, PAGES, [taskId]);
}

async function ended(taskId: string): Promise<string> {
  await taskEnd(service, taskId);
  return taskId;
}

function janitor() {
  const blobs = createLocalBlobs(service.folder);
  const sweeper = createBlobSweeper({ db, blobs, onError: () => undefined });
  return createJanitor({ db, sweeper, log: pino({ level: "silent" }), retentionDays: 30 });
}

async function answer({ task }: ProviderCall, reply: ProviderReply): Promise<void> {
  for (let word = 0; word < (task === "says a lot" ? WORDS : 3); word++) {
    reply.say(`word${word % 60} `);
    await sleep(BETWEEN_WORDS_MS);
  }
  reply.finish();
}
