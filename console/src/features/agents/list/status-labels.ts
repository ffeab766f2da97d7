/** The labels of an agent's status. */
export const STATUS_LABELS = { idle: "Idle", running: "Running", failed: "Last run failed" } as const;
