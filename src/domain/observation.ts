import type { JobKindName } from "./tasks/job.ts";

/** What happened in this process, for metrics; durations are in milliseconds. */
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
      /** done: it ended or waits for a person; failed: it is tried again; released: another execution continues it. */
      readonly outcome: "done" | "failed" | "released";
      readonly durationMs: number;
    }
  | {
      readonly type: "provider_call";
      readonly provider: string;
      /** The kind of the error, as in `rate_limit`; `ok` without one. */
      readonly outcome: string;
      readonly durationMs: number;
    }
  | {
      readonly type: "http_request";
      readonly method: string;
      /** The pattern of the path, such as `/files/:id`: paths with ids in them would be too many. */
      readonly route: string;
      readonly status: number;
      readonly durationMs: number;
    }
  | { readonly type: "database_connection_lost" };

/** Takes what was observed. It must be quick, and never throws. */
export type Observe = (observation: Observation) => void;
