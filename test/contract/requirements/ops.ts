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
  "ops.erase.receipt": {
    states:
      "An erasure has a receipt without personal data: what was removed, how much, when, at whose word, and what is kept and why.",
    source: "goal",
  },
  "ops.erase.planted": {
    states: "No text in any column, file or stored response of a workspace is left after its erasure.",
    source: "goal",
  },
  "ops.erase.person": {
    states:
      "An erased person's access ends at once; their name, address, sign-ins, keys and grants are gone from tables, logs and stored responses; what they decided stays, by an erased person.",
    source: "goal",
  },
  "ops.erase.person.only-owner": {
    states: "A person who is the only owner of a workspace is not erased; the answer names the workspace.",
    source: "goal",
  },
  "ops.erase.api": {
    states: "Owners of the first workspace erase a person and read the receipts by the API.",
    source: "goal",
  },
  "ops.erase.resumed": {
    states: "A killed erasure continues where it was, by the same command or in a process that serves, to its receipt.",
    source: "goal",
  },
  "ops.console": {
    states: "The console has a screen for the operator, with all that muster ops does; others have no link to it.",
    source: "goal",
  },
  "ops.console.held-copy": {
    states: "Every screen of a restored copy says that it is held and how it is released, until it is.",
    source: "goal",
  },
  "ops.processes": {
    states: "The operator sees the processes with version, start, last beat and jobs, and the jobs of each kind.",
    source: "goal",
  },
  "ops.replica.reports": {
    states:
      "With DATABASE_READ_URL a streaming replica answers usage, the sums of agents and overviews, the operator's figures and the export of the audit log; a metric counts them.",
    source: "goal",
  },
  "ops.replica.current": {
    states:
      "What a client may have changed just before is never read from the replica: runs, agents, what waits now, holds and plans of workspaces.",
    source: "goal",
  },
  "ops.replica.tenancy": {
    states: "The replica shows a workspace nothing of another one.",
    source: "goal",
  },
  "ops.replica.lag": {
    states: "A replica that is behind by more than DATABASE_READ_LAG is not used until it has caught up.",
    source: "goal",
  },
  "ops.replica.lost": {
    states:
      "When the replica dies or freezes, the primary answers, without an error and also what was being read; the replica is used again when it is back. Readiness does not depend on it.",
    source: "goal",
  },
  "ops.replica.promoted": {
    states: "A promoted replica is not used any more.",
    source: "goal",
  },
  "ops.replica.judged": {
    states:
      "A server that is no standby, or one of another database, another schema version or another role, answers no reports.",
    source: "goal",
  },
  "ops.replica.alone": {
    states: "DATABASE_READ_URL without DATABASE_URL ends the start with a sentence that names both.",
    source: "goal",
  },
  "ops.replica.doctor": {
    states: "The doctor says whether the replica answers reports, or why not.",
    source: "goal",
  },
  "ops.hold.questions": {
    states:
      "No question expires while its workspace or its restored copy is held; after the release it has as much time left as before.",
    source: "goal",
  },
  "ops.log-level": {
    states:
      "The operator changes the log level of all processes or of one for some time, and sees which one is set; it ends by itself.",
    source: "goal",
  },
} as const satisfies Requirements<"ops">;
