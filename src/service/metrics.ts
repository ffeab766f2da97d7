import type { PoolUse } from "#db/database.ts";
import type { OperatorFigures } from "#db/queries/queue/operator-figures.ts";
import type { Observation } from "#domain/observation.ts";

/** The values read when metrics are collected. */
export interface MetricSources {
  /** What the database says of the whole installation. */
  readonly readFigures: () => Promise<OperatorFigures>;
  /** When the certificate of the database's server ends; undefined without TLS. */
  readonly readCertificateEnd: () => Promise<Date | undefined>;
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
