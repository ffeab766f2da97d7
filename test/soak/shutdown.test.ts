import { once } from "node:events";
import { IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { apiOf, consoleOf, send } from "../support/api.ts";
import { eventually } from "../support/eventually.ts";
import { resumingReader } from "../support/clients/resuming-reader.ts";
import { openAiAgent, startTask, taskEnd } from "../support/runs.ts";
import { startScriptedProvider } from "../support/scripted-provider.ts";
import type { ScriptedProvider, ProviderCall, ProviderReply } from "../support/scripted-provider.ts";
import { createDatabase, createKeys, startProcess } from "../support/service.ts";
import type { TestDatabase, TestProcess } from "../support/service.ts";
import { hasEnded, readStream, readToEnd } from "../support/sse-client.ts";
import { expectWholeStream, ofType } from "../support/valid-stream.ts";
import { verifies } from "../support/verifies.ts";
import { sql } from "../support/workspace.ts";

const WORD_EVERY_MS = 1;
const HANDED_OVER = "select run_id from run_executions where run_id = any($1) and outcome = 'handed_over'";

/** Makes a claim wait while another session has the advisory lock 1. */
const HOLD_CLAIMS = `
  create function hold_claim() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock_shared(1); return new; end $$;
  create trigger hold_claim before update on jobs for each row
    when (old.state = 'queued' and new.state = 'running') execute function hold_claim();
  select pg_advisory_lock(1)`;
const FREE_CLAIMS = "select pg_advisory_unlock(1); drop trigger hold_claim on jobs; drop function hold_claim";
const HELD_CLAIM = `
  select from pg_stat_activity
  where datname = current_database() and wait_event = 'advisory' and query like '%update jobs%'`;

let database: TestDatabase;
let provider: ScriptedProvider;
let service: TestProcess;
let agentId: string;
let gate = Promise.withResolvers<void>();
const keys = createKeys();

beforeAll(async () => {
  provider = await startScriptedProvider(answer);
  database = await createDatabase();
  service = await start({ grace: 20 });
  agentId = await openAiAgent(service);
});

afterAll(async () => {
  await service.stop();
  await provider.close();
  await database.drop();
});

verifies(
  ["operations.shutdown.hands-over", "engine.resume.paid-once"],
  "a step in progress at SIGTERM is finished, no other begins, and the next process continues after it",
  async () => {
    const task = await startTask(service, agentId, { title: "finishes its step" });
    await provider.called("finishes its step", 0);
    const stopping = service.stop();
    await refusesConnections(service);
    gate.resolve();
    await stopping;
    expect(service.process.exitCode).toBe(0);
    expect(provider.callsOf("finishes its step")).toHaveLength(1);
    service = await start({ grace: 0.2 });
    expect((await taskEnd(service, task)).status).toBe("completed");
    expect(provider.callsOf("finishes its step").map(({ turn }) => turn)).toEqual([0, 1]);
    await expectWholeStream(await readToEnd(service, { agentId, taskId: task }));
  },
);

verifies(
  ["operations.shutdown.hands-over", "operations.shutdown.graceful", "ag-ui.resume.after-restart"],
  "a step that outlasts the grace period is repeated by the next process, in the same stream",
  async () => {
    gate = Promise.withResolvers();
    const task = await startTask(service, agentId, { title: "talks on" });
    const reader = resumingReader(agentId, task);
    await reader.connect(service);
    await reader.until((events) => ofType(events, "TEXT_MESSAGE_CONTENT").length > 3);
    await service.stop();
    expect(service.process.exitCode).toBe(0);
    service = await start({ grace: 20 });
    await reader.connect(service);
    await reader.until(hasEnded);
    expect(await taskEnd(service, task)).toMatchObject({ status: "completed", result: "said at once" });
    expect(reader.events()).toEqual(await readToEnd(service, { agentId, taskId: task }));
    await expectWholeStream(reader.events());
  },
);

verifies(
  ["operations.shutdown.hands-over", "operations.shutdown.graceful"],
  "runs are handed over at SIGTERM although another transaction has locked the job of one",
  async () => {
    await service.stop();
    service = await start({ grace: 0.2 });
    const [first = "", locked = "", last = ""] = await Promise.all(
      ["first", "locked", "last"].map((name) => startTask(service, agentId, { title: `talks on, ${name}` })),
    );
    for (const name of ["first", "locked", "last"]) await provider.called(`talks on, ${name}`, 0);
    const next = await start({ grace: 20 });
    const locker = new Client({ connectionString: database.url });
    await locker.connect();
    try {
      await locker.query("begin");
      await locker.query("select from jobs where subject_id = $1 for update", [locked]);
      await service.stop();
      expect(service.process.exitCode).toBe(0);
    } finally {
      await locker.end();
    }
    service = next;
    for (const task of [first, locked, last]) expect((await taskEnd(service, task)).status).toBe("completed");
    const left = await sql<{ run_id: string }>(database.url, HANDED_OVER, [[first, locked, last]]);
    expect(left.map(({ run_id: id }) => id).toSorted()).toEqual([first, last].toSorted());
  },
);

verifies(
  "operations.shutdown.hands-over",
  "a run that is being claimed at SIGTERM is handed over, which does not count as a crash",
  async () => {
    gate.resolve();
    await service.stop();
    service = await start({ grace: 20 });
    const desk = consoleOf(service, keys.api);
    await desk.patch("/workspace", { paused: true });
    const task = await startTask(service, agentId, { title: "is being claimed" });
    const locker = new Client({ connectionString: database.url });
    await locker.connect();
    try {
      await locker.query(HOLD_CLAIMS);
      await desk.patch("/workspace", { paused: false });
      await eventually("it is being claimed", async () => (await sql(database.url, HELD_CLAIM)).length > 0);
      const stopping = service.stop();
      await refusesConnections(service);
      const beats = async () =>
        Number((await sql(database.url, "select max(beat) as n from executors"))[0]?.["n"] ?? NaN);
      const before = await beats();
      // Were the claim forgotten, the process would soon be gone.
      await eventually("it waits for the claim", async () => !((await beats()) < before + 2));
      await locker.query(FREE_CLAIMS);
      await stopping;
    } finally {
      await locker.end();
    }
    expect(service.process.exitCode).toBe(0);
    const jobs = "select state, fence, crash_count, suspicion from jobs where subject_id = $1";
    expect(await sql(database.url, jobs, [task])).toEqual([
      { state: "queued", fence: 1, crash_count: 0, suspicion: 0 },
    ]);
    service = await start({ grace: 20 });
    expect((await taskEnd(service, task)).status).toBe("completed");
  },
);

verifies(
  "operations.shutdown.graceful",
  "SIGTERM lets a request finish that had begun, takes no further one, and the exit code is 0",
  async () => {
    const begun = request(`${service.url}/functions/v1/api-agents`, {
      method: "POST",
      headers: { "x-api-key": keys.api, expect: "100-continue" },
    });
    const answered = once(begun, "response");
    begun.flushHeaders();
    await once(begun, "continue");
    begun.write('{"name":"Last one",');
    const stopping = service.stop();
    await refusesConnections(service);
    begun.end('"model":"demo"}');
    const response = z.instanceof(IncomingMessage).parse((await answered)[0]);
    expect(response.statusCode).toBe(201);
    expect(await json(response)).toMatchObject({ name: "Last one" });
    await stopping;
    expect(service.process.exitCode).toBe(0);
    service = await start({ grace: 20 });
  },
);

verifies(
  "operations.shutdown.graceful",
  "SIGTERM ends open streams immediately, while a step is still in progress",
  async () => {
    gate = Promise.withResolvers();
    const taskId = await startTask(service, agentId, { title: "finishes its step, watched" });
    const stream = await readStream(service, { agentId, taskId });
    await provider.called("finishes its step, watched", 0);
    const stopping = service.stop();
    expect(await stream.over).toBe("closed");
    gate.resolve();
    await stopping;
    expect(service.process.exitCode).toBe(0);
    service = await start({ grace: 0.2 });
  },
);

verifies(
  "operations.shutdown.graceful",
  "the service's own work delays SIGTERM no longer than a step, even when it waits for a lock",
  async () => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    try {
      await client.query("begin; lock table task_questions");
      await sql(database.url, "select pg_notify('muster_due', '0')");
      const waiting = "select from pg_locks where not granted and relation = 'task_questions'::regclass";
      await eventually("it looks for what is due", async () => (await sql(database.url, waiting)).length > 0);
      await service.stop();
    } finally {
      await client.end();
    }
    expect(service.process.exitCode).toBe(0);
  },
);

/** What the model does; the task's title selects it. */
async function answer({ task, turn, nth, gone }: ProviderCall, reply: ProviderReply): Promise<void> {
  if (task.startsWith("talks on") && nth === 1) return talkUntil(reply, gone);
  if (task.startsWith("talks on")) reply.say("said at once");
  else if (turn === 0) {
    await Promise.race([gate.promise, gone]);
    reply.callTool("current_time", {});
  } else reply.say("done");
  reply.finish();
}

async function talkUntil(reply: ProviderReply, stop: Promise<void>): Promise<void> {
  let stopped = false;
  void stop.then(() => (stopped = true));
  while (!stopped) {
    reply.say("word ");
    await sleep(WORD_EVERY_MS);
  }
}

verifies(
  "operations.shutdown.silent-connections",
  "connections without a request do not delay the end of a process",
  async () => {
    const own = await start({ grace: 600 });
    const { hostname, port } = new URL(own.url);
    const silent = connect(Number(port), hostname);
    await once(silent, "connect");
    const closed = once(silent, "close");
    expect((await fetch(`${own.url}/healthz`)).status).toBe(200);
    await own.stop();
    await closed;
    expect(own.process.exitCode).toBe(0);
  },
);

function start({ grace }: { readonly grace: number }): Promise<TestProcess> {
  return startProcess({
    databaseUrl: database.url,
    keys,
    env: { ...provider.env, SHUTDOWN_GRACE: String(grace) },
  });
}

verifies("operations.shutdown.drain-delay", "a draining service still takes requests, and says so", async () => {
  const draining = await startProcess({ databaseUrl: database.url, keys, env: { ...provider.env, DRAIN_DELAY: "3" } });
  const ended = draining.stop();
  const said = await eventually("the service says that it drains", async () => {
    const { status, body } = await send("GET", `${draining.url}/readyz`);
    return status === 503 && body;
  });
  expect(said).toMatchObject({ reasons: ["draining"] });
  expect((await apiOf(draining, keys.api).get("/api-me")).status).toBe(200);
  await ended;
  await refusesConnections(draining);
});

/** Waits until a service accepts no new connections: it has begun to stop. */
async function refusesConnections({ url }: TestProcess): Promise<void> {
  await eventually("the service takes no connections", () =>
    fetch(`${url}/healthz`, { headers: { connection: "close" } }).then(
      () => false,
      () => true,
    ),
  );
}
