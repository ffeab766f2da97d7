import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, expect } from "vitest";
import { eventually } from "../support/eventually.ts";
import { openAiAgent, startTask, taskEnd } from "../support/runs.ts";
import { startScriptedProvider } from "../support/scripted-provider.ts";
import type { ScriptedProvider, ProviderCall, ProviderReply } from "../support/scripted-provider.ts";
import { createDatabase, createKeys, startProcess } from "../support/service.ts";
import type { TestDatabase, TestProcess } from "../support/service.ts";
import { readStream, readToEnd } from "../support/sse-client.ts";
import { expectWholeStream } from "../support/valid-stream.ts";
import { verifies } from "../support/verifies.ts";

const RUNS = 10;
const WORDS = 100;
const BETWEEN_WORDS_MS = 10;
const BATCH_WINDOW_MS = 20;
/** Rounds in which followers are announced are so far apart. */
const ROUND_MS = 5_000;

let database: TestDatabase;
let provider: ScriptedProvider;
let one: TestProcess;
let other: TestProcess;
let agentId: string;
let ear: Client;
let heard: { readonly channel: string; readonly payload: string }[] = [];
const gate = Promise.withResolvers<void>();

beforeAll(async () => {
  provider = await startScriptedProvider(answer);
  database = await createDatabase();
  const keys = createKeys();
  const env = { ...provider.env };
  one = await startProcess({ databaseUrl: database.url, keys, env });
  other = await startProcess({ databaseUrl: database.url, keys, env });
  agentId = await openAiAgent(one);
  ear = await listen();
});

afterAll(async () => {
  gate.resolve();
  await ear.end();
  await Promise.all([one.stop(), other.stop()]);
  await provider.close();
  await database.drop();
});

verifies(
  "engine.announcements.gathered",
  "events of many runs reach readers at another process by one notification in 20 ms",
  async () => {
    heard = [];
    const tasks = await Promise.all(
      Array.from({ length: RUNS }, (_, index) => startTask(one, agentId, { title: `talks ${index}` })),
    );
    const from = performance.now();
    const streams = await Promise.all(tasks.map((taskId) => readToEnd(other, { agentId, taskId })));
    const took = performance.now() - from;
    for (const events of streams) await expectWholeStream(events);
    expect(await readToEnd(one, { agentId, taskId: tasks[0] ?? "" })).toEqual(streams[0]);

    const news = heard.filter(({ channel }) => channel.startsWith(`muster:${other.process.pid}:`));
    expect(news.length).toBeGreaterThan(0);
    expect(news.length).toBeLessThan(took / BATCH_WINDOW_MS + RUNS);
    const logs = news.map(({ payload }) => new Set(payload.split("\n").map((line) => line.split(" ")[0])).size);
    expect(Math.max(...logs)).toBeGreaterThan(1);
  },
);

verifies(
  "engine.announcements.quiet",
  "readers of quiet runs cost each process one notification in 5 s, whatever their number",
  async () => {
    const tasks = await Promise.all(
      Array.from({ length: RUNS }, (_, index) => startTask(one, agentId, { title: `is silent ${index}` })),
    );
    const readers = await Promise.all(
      tasks.flatMap((taskId) => [one, other].map((service) => readStream(service, { agentId, taskId }))),
    );
    await sleep(ROUND_MS);
    heard = [];
    await sleep(2 * ROUND_MS);
    for (const { process } of [one, other]) {
      const own = heard.filter(({ payload }) => payload.startsWith(`muster:${process.pid}:`));
      expect(own.length).toBeGreaterThan(0);
      expect(own.length).toBeLessThanOrEqual(3);
    }
    gate.resolve();
    await Promise.all(tasks.map((taskId) => taskEnd(one, taskId)));
    for (const { over } of readers) expect(await over).toBe("closed");
  },
);

/** Hears what the two processes tell each other. */
async function listen(): Promise<Client> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  client.on("notification", ({ channel, payload = "" }) => heard.push({ channel, payload }));
  const names = await eventually("both processes are connected", async () => {
    const { rows } = await client.query<{ name: string }>(
      `select distinct application_name as name from pg_stat_activity
       where datname = current_database() and application_name like any($1)`,
      [[one, other].map(({ process }) => `muster:${process.pid}:%`)],
    );
    return rows.length === 2 && rows.map(({ name }) => name);
  });
  for (const channel of ["muster_follow", ...names]) await client.query(`listen ${client.escapeIdentifier(channel)}`);
  return client;
}

async function answer({ task }: ProviderCall, reply: ProviderReply): Promise<void> {
  if (task.startsWith("is silent")) await gate.promise;
  else {
    for (let word = 0; word < WORDS; word++) {
      reply.say("word ");
      await sleep(BETWEEN_WORDS_MS);
    }
  }
  reply.say("end");
  reply.finish();
}
