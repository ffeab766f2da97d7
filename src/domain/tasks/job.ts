/** The kinds of jobs; each has a handler in `src/engine/kinds/`. */
export const JOB_KIND_NAMES = ["task", "team_run", "ingest", "delivery"] as const;

/** A kind of jobs. */
export type JobKindName = (typeof JOB_KIND_NAMES)[number];

/**
 * Returns the lane of a workspace's jobs: the part of the queue with its own slots, whose jobs are claimed in order.
 * Delegated work has a lane per depth, `<workspace id>/<depth>`. So runs that wait for work that they delegated to
 * agents of the same service cannot take the slots that it needs.
 */
export function laneOf(workspaceId: string, delegationDepth = 0): string {
  return delegationDepth === 0 ? workspaceId : `${workspaceId}/${delegationDepth}`;
}
