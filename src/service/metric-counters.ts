import { Counter, Gauge, Histogram } from "@prometheus-io/client";
import type { Registry } from "@prometheus-io/client";
import type { Observation } from "#domain/observation.ts";
import { VERSION } from "#domain/version.ts";

const MS_PER_SECOND = 1_000;

/** Bucket bounds in seconds: from an immediate claim to a queue that was blocked for an hour. */
const DELAY_BUCKETS = [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 3_600];
const CALL_BUCKETS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

type Counters = ReturnType<typeof createCounters>;

/** Creates the metrics that this process counts itself, and the one that says which version it is. */
export function createCounters(registers: Registry[]) {
  return {
    info: new Gauge({
      registers,
      name: "muster_info",
      help: "1, with the version of the service.",
      labelNames: ["version"],
      collect() {
        this.set({ version: VERSION }, 1);
      },
    }),
    started: new Counter({
      registers,
      name: "muster_job_executions_started_total",
      help: "Executions of jobs that this process started.",
      labelNames: ["kind"],
    }),
    delay: new Histogram({
      registers,
      name: "muster_job_start_delay_seconds",
      help: "Time from the creation of a job to its first execution.",
      labelNames: ["kind"],
      buckets: DELAY_BUCKETS,
    }),
    ended: new Histogram({
      registers,
      name: "muster_job_execution_seconds",
      help: "Duration of executions of jobs: done, failed (retried) or released (another process continues).",
      labelNames: ["kind", "outcome"],
      buckets: CALL_BUCKETS,
    }),
    calls: new Histogram({
      registers,
      name: "muster_provider_call_seconds",
      help: "Duration of model calls: ok, aborted (by a cancel or a shutdown), or the kind of the error.",
      labelNames: ["provider", "outcome"],
      buckets: CALL_BUCKETS,
    }),
    requests: new Histogram({
      registers,
      name: "muster_http_request_seconds",
      help: "Time until the response of HTTP requests begins.",
      labelNames: ["method", "route", "status"],
      buckets: REQUEST_BUCKETS,
    }),
    lost: new Counter({
      registers,
      name: "muster_database_connections_lost_total",
      help: "Connections to the database that broke.",
    }),
    reports: new Counter({
      registers,
      name: "muster_report_reads_total",
      help: "Reports that were read since DATABASE_READ_URL is set: from the replica (current), or from the primary and why.",
      labelNames: ["server", "reason"],
    }),
    deliveries: new Counter({
      registers,
      name: "muster_deliveries_total",
      help: "Attempts of deliveries by the type of the receiver: delivered, retried (another attempt follows) or lost.",
      labelNames: ["type", "outcome"],
    }),
    takenOver: new Counter({
      registers,
      name: "muster_jobs_taken_over_total",
      help: "Jobs of dead processes that this process queued again.",
      labelNames: ["kind"],
    }),
    spans: new Counter({
      registers,
      name: "muster_trace_spans_total",
      help: "Spans that this process exported: sent, rejected (never sent again) or delayed (sent again later).",
      labelNames: ["outcome"],
    }),
    traceLag: new Gauge({
      registers,
      name: "muster_trace_lag_seconds",
      help: "How long the oldest span had been waiting when this process last exported.",
    }),
    pageMessages: new Counter({
      registers,
      name: "muster_page_messages_total",
      help: "Messages of visitors to agents' pages: accepted, or limited (rejected by a limit).",
      labelNames: ["outcome"],
    }),
    leasesLost: new Counter({
      registers,
      name: "muster_leases_lost_total",
      help: "How often other processes presumed this one dead.",
    }),
    writesRejected: new Counter({
      registers,
      name: "muster_writes_rejected_total",
      help: "Writes of runs that were rejected, because the runs had been cancelled or ran elsewhere.",
    }),
  };
}

/** Counts an observation. */
export function countObservation(counters: Counters, observed: Observation): void {
  const { started, delay, ended, calls, requests } = counters;
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
      return counters.lost.inc();
    case "report_read":
      return counters.reports.inc({ server: observed.server, reason: observed.reason });
    case "delivery_attempt":
      return counters.deliveries.inc({ type: observed.receiver, outcome: observed.outcome });
    case "jobs_taken_over":
      return counters.takenOver.inc({ kind: observed.kind }, observed.jobs);
    case "spans_exported":
      return counters.spans.inc({ outcome: observed.outcome }, observed.spans);
    case "trace_lag":
      return counters.traceLag.set(observed.ms / MS_PER_SECOND);
    case "page_message":
      return counters.pageMessages.inc({ outcome: observed.outcome });
    case "lease_lost":
      return counters.leasesLost.inc();
    case "write_rejected":
      return counters.writesRejected.inc();
  }
}
