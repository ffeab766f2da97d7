/** The states of a task, in the order of its life cycle. */
export const TASK_STATUSES = [
  "pending",
  "dispatched",
  "running",
  "waiting_for_input",
  "completed",
  "failed",
  "cancelled",
] as const;

/** One of {@link TASK_STATUSES}. */
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** The urgency of a task; more urgent tasks of a workspace start first. */
export const TASK_PRIORITIES = ["low", "medium", "high", "urgent"] as const;

/**
 * The allowed transitions of a task: from a state, to the next states. The statement
 * that restarts a run takes its condition from {@link sourcesOf}; the others are held to it by the test of the life cycle.
 */
export const TASK_TRANSITIONS: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = Object.freeze({
  pending: ["dispatched", "cancelled"],
  dispatched: ["running", "cancelled"],
  running: ["waiting_for_input", "completed", "failed", "cancelled"],
  waiting_for_input: ["running", "failed", "cancelled"],
  completed: ["dispatched"],
  failed: ["dispatched"],
  cancelled: ["dispatched"],
});

/** True if a task in this state has ended, unless it is restarted. */
export function isTerminal(status: TaskStatus): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

/** True if a task may change from one state to another. */
export function canTransition(from: TaskStatus, to: TaskStatus): boolean {
  return TASK_TRANSITIONS[from].includes(to);
}

/** Returns the states from which a task may enter a state: the condition of a guarded update. */
export function sourcesOf(to: TaskStatus): readonly TaskStatus[] {
  return TASK_STATUSES.filter((from) => canTransition(from, to));
}
