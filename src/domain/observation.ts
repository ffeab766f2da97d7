import type { JobKindName } from "./tasks/job.ts";

/** An event in this process, for metrics; durations are in milliseconds. */
export type Observation =
  | {
      readonly type: "job_started";
      readonly kind: JobKindName;
      /** How long the job was queued; absent when it was claimed before, or resumed. */
      readonly delayMs: number | undefined;
    }
  | {
      readonly type: "job_ended";
      readonly kind: JobKindName;
      /** done: it ended or waits for a person; failed: it will be retried; released: another execution continues it. */
      readonly outcome: "done" | "failed" | "released";
      readonly durationMs: number;
    }
  | {
      readonly type: "provider_call";
      readonly provider: string;
      /** The kind of the error, such as `rate_limit`; `ok` without one; `aborted` by a cancel or a shutdown. */
      readonly outcome: string;
      readonly durationMs: number;
    }
  | {
      readonly type: "http_request";
      readonly method: string;
      /** The pattern of the path, such as `/files/:id`: paths with ids would be too many. */
      readonly route: string;
      readonly status: number;
      readonly durationMs: number;
    }
  | { readonly type: "database_connection_lost" }
  | {
      /** A report was read while there is a replica. */
      readonly type: "report_read";
      readonly server: "primary" | "replica";
      /** Why the primary answered; `current` when the replica did. */
      readonly reason: string;
    }
  | {
      readonly type: "delivery_attempt";
      /** The type of the receiver. */
      readonly receiver: string;
      /** delivered; retried: another attempt follows; lost: it was the last one. */
      readonly outcome: "delivered" | "retried" | "lost";
    }
  | {
      readonly type: "jobs_taken_over";
      readonly kind: string;
      readonly jobs: number;
    }
  | {
      readonly type: "spans_exported";
      /** sent; rejected: the receiver will never take them; delayed: they are sent again. */
      readonly outcome: "sent" | "rejected" | "delayed";
      readonly spans: number;
    }
  /** How long the oldest span has been waiting for its export. */
  | { readonly type: "trace_lag"; readonly ms: number }
  /** A visitor of an agent's page sent a message, which was accepted or which a limit rejected. */
  | { readonly type: "page_message"; readonly outcome: "accepted" | "limited" }
  /** Other processes presumed this one dead. */
  | { readonly type: "lease_lost" }
  /** This process no longer owned the job for which it wrote. */
  | { readonly type: "write_rejected" };

/** Records an observation. It must be fast, and never throws. */
export type Observe = (observation: Observation) => void;
