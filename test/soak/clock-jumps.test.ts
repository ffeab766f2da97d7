import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect } from "vitest";
import { crashesOf, logCrashes } from "../support/hosts/crash-log.ts";
import { eventually } from "../support/eventually.ts";
import { runningOn } from "../support/running-on.ts";
import { openAiAgent, startTask, taskNow } from "../support/runs.ts";
import { startScriptedProvider } from "../support/scripted-provider.ts";
import type { ScriptedProvider } from "../support/scripted-provider.ts";
import { createDatabase, createKeys, startProcess } from "../support/service.ts";
import type { TestDatabase, TestProcess } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";

const SECOND = 1_000;
const SOURCE = join(import.meta.dirname, "../../src");
const CLOCK = join(import.meta.dirname, "../support/hosts/jumping-clock.mjs");
/** Longer than a lease, so that a clock that took part would show. */
const ANSWER_MS = 8 * SECOND;
const RUNS = 12;

/** The code that decides which process is alive and owns a job, and the clocks that it must not use. */
const DATABASE_CLOCK = /\bnow\(\)|clock_timestamp|current_timestamp|statement_timestamp|interval '/;
const HOST_CLOCK = /\bDate\b/;
/** The last sign of life of an execution, for people who read its record: no condition may use it. */
const RECORDED = /beat_at = clock_timestamp\(\)|coalesce\(o\.beat_at, clock_timestamp\(\)\)/g;
const DECIDED_BY_IT = /\b(?:where|on|and|or|when)\b(?:(?!\breturning\b).)*\bbeat_at/;
const JUDGING = [
  ["db/queries/queue/executors.ts", DATABASE_CLOCK],
  ["db/queries/queue/executors.ts", HOST_CLOCK],
  ["engine/queue/beat-judge.ts", HOST_CLOCK],
  ["engine/queue/lease.ts", HOST_CLOCK],
  ["engine/queue/membership.ts", HOST_CLOCK],
] as const;

let database: TestDatabase;
let provider: ScriptedProvider;
let services: TestProcess[];
let agentId: string;
const keys = createKeys();

beforeAll(async () => {
  provider = await startScriptedProvider(async (_, reply) => {
    await sleep(ANSWER_MS);
    reply.say("done");
    reply.finish();
  });
  database = await createDatabase();
  await logCrashes(database.url);
  services = await Promise.all([start(), start()]);
  agentId = await openAiAgent(at(0));
});

afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await provider.close();
  await database.drop();
});

verifies("engine.clocks.none", "liveness does not depend on a clock of a host or the database", async () => {
  for (const [file, clock] of JUDGING) {
    const code = await readFile(join(SOURCE, file), "utf8");
    expect(clock.exec(code.replaceAll(RECORDED, ""))?.[0], file).toBeUndefined();
    expect(DECIDED_BY_IT.exec(code)?.[0], file).toBeUndefined();
  }
});

verifies(
  ["engine.clocks.none", "engine.takeover.found"],
  "while all clocks jump by an hour each second, no living process loses a run and deaths are found",
  async () => {
    const ids = await startRuns("calm");
    const ends = await Promise.all(ids.map((id) => endOf(id)));
    expect(ends.every(({ status }) => status === "completed")).toBe(true);
    expect(ids.map((_, n) => provider.callsOf(`calm ${n}`).length)).toEqual(ids.map(() => 1));
    expect(await crashesOf(database.url)).toEqual([]);

    const hit = await startRuns("hit");
    await Promise.all(hit.map((_, n) => provider.called(`hit ${n}`, 0)));
    const runs = await runningOn(database.url);
    const victim = at(0);
    const lost = hit.flatMap((id, n) => (runs.get(id) === victim.process.pid ? `hit ${n}` : []));
    expect(lost.length).toBeGreaterThan(0);
    const killedAt = performance.now();
    await victim.kill();
    services = services.slice(1);
    const again = await provider.called(lost.at(-1) ?? "", 0, 2).then(({ at: time }) => time - killedAt);
    expect(again).toBeLessThan(10 * SECOND);
    const last = await Promise.all(hit.map((id) => endOf(id)));
    expect(last.every(({ status }) => status === "completed")).toBe(true);
  },
  120 * SECOND,
);

/** Starts runs in both processes. */
function startRuns(name: string): Promise<string[]> {
  const titles = Array.from({ length: RUNS }, (_, n) => `${name} ${n}`);
  return Promise.all(titles.map((title, n) => startTask(at(n % services.length), agentId, { title })));
}

function endOf(id: string) {
  return eventually(
    "it ends",
    async () => {
      const task = await taskNow(at(0), id);
      return ["completed", "failed"].includes(task.status) && task;
    },
    60 * SECOND,
  );
}

function at(place: number): TestProcess {
  const service = services[place];
  if (service === undefined) throw new Error(`There is no process ${place}.`);
  return service;
}

function start(): Promise<TestProcess> {
  const env = {
    OPENAI_API_KEY: "test",
    OPENAI_BASE_URL: provider.baseUrl,
    NODE_OPTIONS: `--import ${CLOCK}`,
  };
  return startProcess({ databaseUrl: database.url, keys, env });
}
