/**
 * How a piece of work stands that the brain of a team has given to a worker: `revision_requested` when it has to be
 * done again, `completed` when its result waits for the brain's judgement.
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
