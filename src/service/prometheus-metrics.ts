import { setTimeout as sleep } from "node:timers/promises";
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "@prometheus-io/client";
import type { JobCount } from "#db/queries/queue/claim-jobs.ts";
import type { Observation } from "#domain/observation.ts";
import packageFile from "../../package.json" with { type: "json" };
import type { MetricSources, Metrics } from "./metrics.ts";

const MS_PER_SECOND = 1_000;
/** Prometheus waits for 10 s by default, and other scrapers less. */
const DATABASE_ANSWER_MS = 1_500;
/** Standard metrics whose names `promtool check metrics` rejects. */
const MISNAMED = [
  "nodejs_active_handles_total",
  "nodejs_active_requests_total",
  "nodejs_active_resources_total",
  "nodejs_eventloop_utilization_histogram",
  "nodejs_eventloop_utilization_summary",
];

/** Bucket bounds in seconds: from an immediate claim to a queue that was blocked for an hour. */
const DELAY_BUCKETS = [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 3_600];
const CALL_BUCKETS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Creates metrics with Prometheus's library. Those of Node wake the process a hundred times a second. */
export function createPrometheusMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  const info = {
    name: "muster_info",
    help: "The version of the service.",
    labelNames: ["version"],
    registers: [registry],
  };
  new Gauge(info).set({ version: packageFile.version }, 1);
  const counters = createCounters([registry]);
  return {
    observe: (observation) => count(counters, observation),
    connect: (sources) => gaugesOf(sources).forEach((gauge) => registry.registerMetric(gauge)),
    collect: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
  };
}

type Counters = ReturnType<typeof createCounters>;

function createCounters(registers: Registry[]) {
  const seconds = { registers } as const;
  return {
    started: new Counter({
      ...seconds,
      name: "muster_job_executions_started_total",
      help: "Executions of jobs that this process began.",
      labelNames: ["kind"],
    }),
    delay: new Histogram({
      ...seconds,
      name: "muster_job_start_delay_seconds",
      help: "Time from the creation of a job to its first execution.",
      labelNames: ["kind"],
      buckets: DELAY_BUCKETS,
    }),
    ended: new Histogram({
      ...seconds,
      name: "muster_job_execution_seconds",
      help: "Duration of executions of jobs by how they ended.",
      labelNames: ["kind", "outcome"],
      buckets: CALL_BUCKETS,
    }),
    calls: new Histogram({
      ...seconds,
      name: "muster_provider_call_seconds",
      help: "Duration of calls of model providers by their outcome: ok, aborted, or the kind of the error.",
      labelNames: ["provider", "outcome"],
      buckets: CALL_BUCKETS,
    }),
    requests: new Histogram({
      ...seconds,
      name: "muster_http_request_seconds",
      help: "Time until the response of HTTP requests begins.",
      labelNames: ["method", "route", "status"],
      buckets: REQUEST_BUCKETS,
    }),
    lost: new Counter({
      ...seconds,
      name: "muster_database_connections_lost_total",
      help: "Connections to the database that broke.",
    }),
  };
}

function count({ started, delay, ended, calls, requests, lost }: Counters, observed: Observation): void {
  switch (observed.type) {
    case "job_started":
      started.inc({ kind: observed.kind });
      if (observed.delayMs !== undefined) delay.observe({ kind: observed.kind }, observed.delayMs / MS_PER_SECOND);
      return;
    case "job_ended":
      return ended.observe({ kind: observed.kind, outcome: observed.outcome }, observed.durationMs / MS_PER_SECOND);
    case "provider_call":
      return calls.observe(
        { provider: observed.provider, outcome: observed.outcome },
        observed.durationMs / MS_PER_SECOND,
      );
    case "http_request": {
      const { method, route, status } = observed;
      return requests.observe({ method, route, status }, observed.durationMs / MS_PER_SECOND);
    }
    case "database_connection_lost":
      return lost.inc();
  }
}

/** Not registered yet: see above. */
function gaugesOf({ countJobs, poolUse, openStreams, activeJobs }: MetricSources): Gauge[] {
  const registers: Registry[] = [];
  let counting: Promise<readonly JobCount[] | undefined> | undefined;
  /** Both gauges of the database share one answer; undefined when there is none in time. */
  const countInTime = () =>
    (counting ??= Promise.race([countJobs(), sleep(DATABASE_ANSWER_MS, undefined, { ref: false })])
      .catch(() => undefined)
      .finally(() => (counting = undefined)));
  return [
    new Gauge({
      registers,
      name: "muster_database_up",
      help: "1 when the database answers, else 0; then the metrics that are read from it are missing.",
      async collect() {
        this.set((await countInTime()) === undefined ? 0 : 1);
      },
    }),
    new Gauge({
      registers,
      name: "muster_jobs",
      help: "Jobs in the database by kind and state; the same in every process.",
      labelNames: ["kind", "state"],
      async collect() {
        this.reset();
        for (const { kind, state, jobs } of (await countInTime()) ?? []) this.set({ kind, state }, jobs);
      },
    }),
    new Gauge({
      registers,
      name: "muster_active_jobs",
      help: "Jobs that this process runs.",
      collect() {
        this.set(activeJobs());
      },
    }),
    new Gauge({
      registers,
      name: "muster_open_streams",
      help: "Event streams that are open in this process.",
      collect() {
        this.set(openStreams());
      },
    }),
    new Gauge({
      registers,
      name: "muster_database_connections",
      help: "Connections of this process's pools; waiting are callers without one.",
      labelNames: ["pool", "state"],
      collect() {
        for (const { pool, total, idle, waiting } of poolUse()) {
          this.set({ pool, state: "busy" }, total - idle);
          this.set({ pool, state: "idle" }, idle);
          this.set({ pool, state: "waiting" }, waiting);
        }
      },
    }),
  ];
}
