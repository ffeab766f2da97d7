import type { Requirements } from "./requirement.ts";

/** What the operator of an instance sees and does. */
export const ops = {
  "ops.tenants": {
    states: "The operator lists all workspaces by load, cost, storage or failures, by pages, from sums that exist.",
    source: "goal",
  },
  "ops.access": {
    states: "Only owners of the first workspace, in that workspace, operate the instance; others get 403.",
    source: "goal",
  },
  "ops.hold": {
    states:
      "A workspace that the operator holds is read as before; new work gets 409 with the reason, and its runs stop until the release.",
    source: "goal",
  },
  "ops.hold.due": {
    states:
      "What becomes due in a held workspace (schedules, deliveries, answered questions) waits, and happens once after the release; triggers reject meanwhile.",
    source: "goal",
  },
  "ops.erase": {
    states: "The operator erases a workspace after typing its name: access ends at once, rows and files follow.",
    source: "goal",
  },
  "ops.erase.crash": {
    states:
      "Erasures of several workspaces at once, and of killed processes, continue until no row and no file is left.",
    source: "goal",
  },
  "ops.processes": {
    states: "The operator sees the processes with version, start, last beat and jobs, and the jobs of each kind.",
    source: "goal",
  },
  "ops.log-level": {
    states: "The operator changes the log level of all processes or of one for some time; it ends by itself.",
    source: "goal",
  },
} as const satisfies Requirements<"ops">;
