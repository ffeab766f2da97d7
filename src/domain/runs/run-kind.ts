/** What a run is: the work on a task, or that of a team, with or without a task. */
export type RunKind = "task" | "team_run";
