/** The kinds of jobs; each has a handler in `src/engine/kinds/`. */
export const JOB_KIND_NAMES = ["task", "team_run", "ingest", "delivery"] as const;

/** A kind of jobs. */
export type JobKindName = (typeof JOB_KIND_NAMES)[number];
