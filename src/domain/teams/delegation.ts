/**
 * The states of a delegation by a team's brain to a worker: `revision_requested` when it must be redone, `completed`
 * when its result waits for the brain's evaluation.
 */
export const DELEGATION_STATUSES = [
  "pending",
  "running",
  "completed",
  "revision_requested",
  "accepted",
  "failed",
] as const;

/** One of {@link DELEGATION_STATUSES}. */
export type DelegationStatus = (typeof DELEGATION_STATUSES)[number];
