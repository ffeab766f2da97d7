/** The names under which all processes on one database share the runs of tasks. */
export const WORKFLOW = {
  application: "muster",
  queue: "tasks",
  name: "run-task",
  /**
   * The version of the step sequences, not of the program: a run is finished only by processes of
   * the version that began it. Change it when recorded runs could not be replayed by the new code.
   */
  version: "1",
} as const;

/** The same for the runs of teams. */
export const TEAM_WORKFLOW = { ...WORKFLOW, queue: "runs", name: "run-team" } as const;

/** The same for the reading of documents. */
export const INGEST_WORKFLOW = { ...WORKFLOW, queue: "documents", name: "ingest-document" } as const;

/** A queue of the durable engine. */
export type QueueName = (typeof WORKFLOW | typeof TEAM_WORKFLOW | typeof INGEST_WORKFLOW)["queue"];

/** The engine library's name for the state of a run that a process has claimed. */
export const CLAIMED = "PENDING";
