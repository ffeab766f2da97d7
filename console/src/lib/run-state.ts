/** The states of a task or a team run, as people read them. */
export const RUN_STATES = [
  "pending",
  "scheduled",
  "queued",
  "running",
  "waiting",
  "completed",
  "failed",
  "cancelled",
] as const;

/** One of {@link RUN_STATES}. */
export type RunState = (typeof RUN_STATES)[number];

/** What each state is called. */
export const STATE_LABELS: Readonly<Record<RunState, string>> = {
  pending: "Not started",
  scheduled: "Scheduled",
  queued: "Queued",
  running: "Running",
  waiting: "Needs an answer",
  completed: "Completed",
  failed: "Failed",
  cancelled: "Cancelled",
};

/** The fields that determine the state of a row. */
export interface StatusFields {
  readonly kind: "task" | "run";
  readonly status: string;
  readonly scheduled_for?: string | null;
}

/** The state of a task or a team run by its status in the API. A team run that is pending waits in the queue. */
export function stateOf({ kind, status, scheduled_for: scheduledFor }: StatusFields): RunState {
  switch (status) {
    case "pending":
      if (kind === "run") return "queued";
      return scheduledFor == null ? "pending" : "scheduled";
    case "dispatched":
      return "queued";
    case "waiting_for_input":
      return "waiting";
    case "running":
    case "completed":
    case "failed":
    case "cancelled":
      return status;
    default:
      return "pending";
  }
}

/** Whether the run has ended. */
export function hasEnded(state: RunState): boolean {
  return state === "completed" || state === "failed" || state === "cancelled";
}
