/** The labels of an agent's status; it waits when all of its runs in progress do. */
export const STATUS_LABELS = {
  idle: "Idle",
  running: "Running",
  waiting: "Waiting",
  failed: "Last run failed",
} as const;
