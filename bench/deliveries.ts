/**
 * Deliveries to HTTP routes: many to one fast receiver beside a bare loop of `fetch`; to five receivers of which one
 * hangs; and what three deliveries add to the cost of a run. Run it by itself: `node bench/deliveries.ts`.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { z } from "zod";
import { stageCpuMs, treeCpuMs } from "./lib/cpu.ts";
import { percentile } from "./lib/percentile.ts";
import { openStage } from "./lib/stage.ts";
import { measureTasks } from "./tasks.ts";

const DELIVERIES = Number(process.argv[2] ?? 10_000);
const LOOP_CONCURRENCY = 16;
const ROUNDS = 150;
const ROUND_MS = 40;
/** Before many deliveries are stored: the clean-up after those is not what is measured. */
const HANGING_ROUNDS = 3;
const RUN_PAIRS = 4;

const COPIES = `
  insert into deliveries (id, workspace_id, event_id, event, route_id, target_name, type, host, is_test)
  select gen_random_uuid(), d.workspace_id, d.event_id, d.event, d.route_id, d.target_name, d.type, d.host, d.is_test
  from (select distinct on (route_id) * from deliveries where route_id = any ($1) order by route_id, created_at) d,
    generate_series(1, $2::integer)`;

/** What this client inserts the service takes for its own, so that it claims it immediately. */
const AS_SERVICE = `
  select set_config('application_name', application_name, false) from pg_stat_activity
  where application_name like 'muster:%' and query like 'listen %' limit 1`;

const stage = await openStage({ ALLOW_PRIVATE_URLS: "true" });
const receiver = fork(join(import.meta.dirname, "lib/receiver-process.ts"));
const client = new Client({ connectionString: stage.databaseUrl });
/** Waits for ends; what it costs is the bench's own. */
const watcher = new Client({ connectionString: stage.databaseUrl });
try {
  const [hello] = await once(receiver, "message");
  const { port } = z.object({ port: z.int() }).parse(hello);
  await Promise.all([client.connect(), watcher.connect()]);
  await client.query(AS_SERVICE);
  for (let round = 0; round < HANGING_ROUNDS; round++) await measureHanging(port);
  await measureThroughput(port);
  await measureRuns(port);
} finally {
  await Promise.all([client.end(), watcher.end()]);
  receiver.disconnect();
  await stage.close();
}

async function measureThroughput(port: number): Promise<void> {
  const url = `http://127.0.0.1:${port}/ok`;
  const route = await createRoute(url);
  await deliver([route], DELIVERIES / 10);
  const spent = await measureCpu();
  const begun = performance.now();
  await deliver([route], DELIVERIES);
  const seconds = (performance.now() - begun) / 1_000;
  const { service, database } = spent();
  const bare = await fetchLoop(url);
  const perDelivery = (service + database) / DELIVERIES;
  console.log("| | per second | service CPU, ms | database CPU, ms |\n| --- | --: | --: | --: |");
  console.log(`| deliveries | ${perSecond(seconds)} | ${each(service)} | ${each(database)} |`);
  console.log(`| bare fetch | ${perSecond(bare.seconds)} | ${each(bare.cpuMs)} | |`);
  console.log(`\nCPU of a delivery: ${(perDelivery / (bare.cpuMs / DELIVERIES)).toFixed(1)} times that of a fetch.\n`);
  await deleteRoutes();
}

async function fetchLoop(url: string) {
  const { rows } = await client.query<{ request: string }>("select request from delivery_attempts limit 1");
  const body = rows[0]?.request.split("\n\n").slice(1).join("\n\n") ?? "{}";
  const loop = fork(join(import.meta.dirname, "lib/fetch-loop-process.ts"));
  loop.send({ url, body, requests: DELIVERIES, atOnce: LOOP_CONCURRENCY });
  const [result] = await once(loop, "message");
  return z.object({ seconds: z.number(), cpuMs: z.number() }).parse(result);
}

/** Five receivers, each at its own address, get a delivery every 40 ms: all reply, then one of them hangs. */
async function measureHanging(port: number): Promise<void> {
  const hosts = [1, 2, 3, 4, 5].map((last) => `http://127.0.0.${last}:${port}`);
  const delays = async (path: string) => {
    const others = [];
    for (const host of hosts.slice(1)) others.push(await createRoute(`${host}/ok`));
    const fifth = await createRoute(`${hosts[0]}${path}`);
    await client.query("update deliveries set created_at = clock_timestamp() - interval '1 hour'");
    for (let round = 0; round < ROUNDS; round++) {
      await client.query(COPIES, [[...others, fifth], 1]);
      await sleep(ROUND_MS);
    }
    await over(others);
    const { rows } = await client.query<{ ms: number }>(
      `select extract(epoch from completed_at - created_at)::float * 1000 as ms from deliveries
       where route_id = any ($1) and created_at > clock_timestamp() - interval '30 minutes'`,
      [others],
    );
    await deleteRoutes();
    const ms = rows.map((row) => row.ms);
    return { p50: percentile(ms, 50), p99: percentile(ms, 99) };
  };
  const well = await delays("/ok");
  const hanging = await delays("/hang");
  const cell = ({ p50, p99 }: typeof well) => `${p50.toFixed(1)} / ${p99.toFixed(1)} ms`;
  console.log(`From the insert to the end of a delivery, p50 / p99: ${cell(well)}; with one receiver in five hanging:`);
  console.log(`${cell(hanging)} of the others (p99 ${(hanging.p99 / well.p99).toFixed(2)} times)\n`);
}

/** Rounds of runs without and with three routes, in turns, so that both meet the same machine. */
async function measureRuns(port: number): Promise<void> {
  await measureTasks(stage, { concurrency: 16, runs: 500, work: "one call" });
  console.log("| service + database CPU of a run, ms | with three deliveries | more |\n| --: | --: | --: |");
  for (let pair = 0; pair < RUN_PAIRS; pair++) {
    const without = await costOfRun();
    for (const path of ["a", "b", "c"]) await createRoute(`http://127.0.0.1:${port}/${path}`);
    const within = await costOfRun();
    await deleteRoutes();
    const more = { service: within.service - without.service, database: within.database - without.database };
    console.log(`| ${[without, within, more].map(sumOf).join(" | ")} |`);
  }
}

function sumOf({ service, database }: Cpu): string {
  return `${service.toFixed(2)} + ${database.toFixed(2)} = ${(service + database).toFixed(2)}`;
}

async function costOfRun(): Promise<Cpu> {
  const runs = 1_000;
  const { serviceCpuMs, databaseCpuMs } = await measureTasks(stage, { concurrency: 16, runs, work: "one call" });
  const spent = await measureCpu();
  await pendingNone();
  const { service, database } = spent();
  return { service: serviceCpuMs + service / runs, database: databaseCpuMs + database / runs };
}

/** CPU time, in milliseconds. */
interface Cpu {
  readonly service: number;
  readonly database: number;
}

/** Begins to measure CPU, without that of the watcher; returns a function that ends it. */
async function measureCpu(): Promise<() => Cpu> {
  const { rows } = await watcher.query<{ pid: number }>("select pg_backend_pid() as pid");
  const pid = rows[0]?.pid ?? 0;
  const read = () => ({ ...stageCpuMs(stage), watcher: treeCpuMs(pid) });
  const before = read();
  return () => {
    const after = read();
    return {
      service: after.service - before.service,
      database: after.database - before.database - (after.watcher - before.watcher),
    };
  };
}

async function createRoute(url: string): Promise<string> {
  const { id } = await stage.call("POST", "/console/api/routes", { name: url, type: "http", config: { url } });
  await stage.call("POST", `/console/api/routes/${id}/test`, {});
  if (!url.endsWith("/hang")) await over([id]);
  return id;
}

async function deleteRoutes(): Promise<void> {
  await client.query("delete from output_routes");
}

async function deliver(routes: readonly string[], count: number): Promise<void> {
  await client.query(COPIES, [routes, count]);
  await over(routes);
}

async function over(routes: readonly string[]): Promise<void> {
  const pending = "select from deliveries where status = 'pending' and route_id = any ($1) limit 1";
  while ((await watcher.query(pending, [routes])).rowCount !== 0) await sleep(20);
}

async function pendingNone(): Promise<void> {
  while ((await watcher.query("select from deliveries where status = 'pending' limit 1")).rowCount !== 0)
    await sleep(20);
}

function perSecond(seconds: number): string {
  return (DELIVERIES / seconds).toFixed(0);
}

function each(ms: number): string {
  return (ms / DELIVERIES).toFixed(3);
}
