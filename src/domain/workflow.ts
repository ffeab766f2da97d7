/** The names under which all processes on one database share their durable work. */
export const WORKFLOW = {
  application: "muster",
  queue: "tasks",
  name: "run-task",
  /**
   * The version of the step sequence, not of the program: a run is finished only by processes of
   * the version that began it. Change it when recorded runs could not be replayed by the new code.
   */
  version: "1",
} as const;
