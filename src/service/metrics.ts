import type { PoolUse } from "#db/database.ts";
import type { JobCount } from "#db/queries/queue/claim-jobs.ts";
import type { Observation } from "#domain/observation.ts";

/** The values read when metrics are collected. */
export interface MetricSources {
  /** The number of jobs in the database by kind and state. */
  readonly countJobs: () => Promise<readonly JobCount[]>;
  readonly poolUse: () => readonly PoolUse[];
  readonly openStreams: () => number;
  readonly activeJobs: () => number;
}

/** The metrics of a process. */
export interface Metrics {
  readonly observe: (observation: Observation) => void;
  /** Connects the source of those values, once it exists. */
  connect(sources: MetricSources): void;
  /** All metrics in Prometheus's text format, and its media type. */
  collect(): Promise<{ readonly text: string; readonly contentType: string }>;
}
