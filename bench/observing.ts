/**
 * Run by itself (`node bench/observing.ts [rounds]`): what traces and metrics add to the CPU of a run, service and
 * database together, on a machine that other work shares. So each is made large before it is measured: all runs of a
 * round are sampled, or none, by the `traceparent` of the request; metrics are read many times, and a run's observations
 * made many times.
 */
import { once } from "node:events";
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { createPrometheusMetrics } from "../src/service/prometheus-metrics.ts";
import { stageCpuMs } from "./lib/cpu.ts";
import { openStage } from "./lib/stage.ts";
import type { Stage } from "./lib/stage.ts";

const ROUNDS = Number(process.argv[2] ?? 7);
const RUNS = 600;
const AT_ONCE = 16;
/** The exporter looks for ended spans every two seconds. */
const SETTLED_MS = 5_000;
const IDLE_MS = 20_000;
const SCRAPES = 100;
const OBSERVED_RUNS = 100_000;
/** The share of runs that is sampled, and the load at which metrics are read every 15 s. */
const [SAMPLED, SECONDS_PER_SCRAPE, RUNS_PER_SECOND] = [0.1, 15, 100];

const receiver = await openReceiver();
const opsPort = await freePort();
const stage = await openStage({
  OPS_PORT: String(opsPort),
  OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
  OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
  OTEL_TRACES_SAMPLER_ARG: "0",
});
try {
  const { id: agent } = await stage.call("POST", "/functions/v1/api-agents", { name: "Bench", model: "gpt-4o" });
  for (const flag of ["00", "01"]) await load(agent, flag);
  await sleep(SETTLED_MS * 3);
  const idlePerMs = (await cpuOf(() => sleep(IDLE_MS))) / IDLE_MS;
  const perRun = await measureTraces(agent, idlePerMs);
  const scrape = (await cpuOf(() => scrapeAll(opsPort), idlePerMs)) / SCRAPES;
  const observations = observe();
  const metrics = observations + scrape / SECONDS_PER_SCRAPE / RUNS_PER_SECOND;
  console.log(
    `metrics: ${(observations * 1_000).toFixed(1)} µs for the observations of a run, ${scrape.toFixed(1)} ms a reading;`,
  );
  console.log(
    `read every ${SECONDS_PER_SCRAPE} s at ${RUNS_PER_SECOND} runs a second: ${share(metrics / perRun)} of a run`,
  );
} finally {
  await stage.close();
  receiver.close();
}

/** Prints what traces add; returns the CPU time of a run without them, in milliseconds. */
async function measureTraces(agent: string, idlePerMs: number): Promise<number> {
  const rounds: { readonly plain: number; readonly added: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const measured = { "00": 0, "01": 0 };
    for (const flag of round % 2 === 0 ? (["00", "01"] as const) : (["01", "00"] as const)) {
      measured[flag] = (await cpuOf(() => loadAndSettle(agent, flag), idlePerMs)) / RUNS;
    }
    const { "00": plain, "01": sampled } = measured;
    rounds.push({ plain, added: sampled / plain - 1 });
    console.log(`not sampled ${plain.toFixed(2)} ms a run, sampled ${sampled.toFixed(2)} ms`);
  }
  const added = (of: number) =>
    quantile(
      rounds.map((round) => round.added),
      of,
    );
  console.log(
    `traces of all runs add ${share(added(0.5))} (middle half ${share(added(0.25))} to ${share(added(0.75))});`,
  );
  console.log(`of one in ten: ${share(added(0.5) * SAMPLED)} (${receiver.requests()} requests)`);
  return quantile(
    rounds.map(({ plain }) => plain),
    0.5,
  );
}

async function loadAndSettle(agent: string, flag: string): Promise<void> {
  await load(agent, flag);
  await sleep(SETTLED_MS);
}

/** The CPU time of service and database in milliseconds, without what they do when idle. */
async function cpuOf(work: () => Promise<unknown>, idlePerMs = 0): Promise<number> {
  const [before, begun] = [stageCpuMs(stage), performance.now()];
  await work();
  const after = stageCpuMs(stage);
  return after.service - before.service + after.database - before.database - idlePerMs * (performance.now() - begun);
}

async function load(agent: string, flag: string): Promise<void> {
  let left = RUNS;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await run(stage, agent, flag);
    }),
  );
}

async function run({ url, aguiKey }: Stage, agent: string, flag: string): Promise<void> {
  const hex = () => randomUUID().replaceAll("-", "");
  const response = await fetch(`${url}/ag-ui/${agent}/sse`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${aguiKey}`,
      "Content-Type": "application/json",
      traceparent: `00-${hex()}-${hex().slice(16)}-${flag}`,
    },
    body: JSON.stringify({
      threadId: randomUUID(),
      runId: randomUUID(),
      state: {},
      messages: [{ id: randomUUID(), role: "user", content: "bench-observed 5x0" }],
      tools: [],
      context: [],
      forwardedProps: {},
    }),
  });
  const text = await response.text();
  if (!text.includes("RUN_FINISHED")) throw new Error(`The run did not finish: ${response.status} ${text}`);
}

async function scrapeAll(port: number): Promise<void> {
  for (let scrape = 0; scrape < SCRAPES; scrape++) await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}

/** The CPU time of what a run lets the service observe, in milliseconds. */
function observe(): number {
  const metrics = createPrometheusMetrics();
  const before = process.cpuUsage();
  for (let nth = 0; nth < OBSERVED_RUNS; nth++) {
    metrics.observe({
      type: "http_request",
      method: "POST",
      route: "/ag-ui/:id/sse",
      status: 200,
      durationMs: nth % 99,
    });
    metrics.observe({ type: "job_started", kind: "task", delayMs: nth % 99 });
    metrics.observe({ type: "provider_call", provider: "openai", outcome: "ok", durationMs: nth % 999 });
    metrics.observe({ type: "job_ended", kind: "task", outcome: "done", durationMs: nth % 999 });
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / OBSERVED_RUNS;
}

function share(of: number): string {
  return `${(of * 100).toFixed(1)} %`;
}

function quantile(values: readonly number[], of: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * of)] ?? 0;
}

/** A receiver of OTLP that takes everything. */
async function openReceiver() {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    request.resume().on("end", () => response.writeHead(200, { "content-type": "application/x-protobuf" }).end());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { url: `http://127.0.0.1:${portOf(server)}`, requests: () => requests, close: () => server.close() };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const port = portOf(server);
  server.close();
  await once(server, "close");
  return port;
}

function portOf(server: ReturnType<typeof createServer>): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server does not listen.");
  return address.port;
}
