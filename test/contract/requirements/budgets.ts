import type { Requirements } from "./requirement.ts";

/** Caps on what is spent. */
export const budgets = {
  "budgets.scopes": {
    states: "Spending can be capped for the workspace, an agent, a team and a single run, in USD and in tokens.",
    source: "goal",
  },
  "budgets.periods": {
    states: "A cap applies to a run, a day or a month in UTC, or the total.",
    source: "goal",
  },
  "budgets.exceeded": {
    states:
      "A call that may exceed a cap is not made: the run ends with budget_exceeded. The error contains the cap, its usage, and where to change it.",
    source: "goal",
  },
  "budgets.worst-case": {
    states:
      "Before a call the service reserves the price of its prompt and longest reply; the reply is limited to that length.",
    source: "goal",
  },
  "budgets.no-overshoot": {
    states: "Concurrent calls, in several processes and through crashes, never use more than a cap.",
    source: "goal",
  },
  "budgets.wait": {
    states: "A call that fits only after other calls are charged waits for them.",
    source: "goal",
  },
  "budgets.wait-visible": {
    states: "The stream says when a call begins to wait for a budget, why, and when it no longer waits.",
    source: "decision",
  },
  "budgets.apart": {
    states: "A lock on one workspace's budget delays no call of another workspace.",
    source: "goal",
  },
  "budgets.settled": {
    states: "When a call ends, its actual usage replaces its reservation; nothing stays reserved.",
    source: "goal",
  },
  "budgets.failed-calls": {
    states: "A rejected call costs nothing; an aborted call, or one without reported usage, counts as its worst case.",
    source: "goal",
  },
  "budgets.reported-usage": {
    states: "An interrupted call whose provider had reported its usage is charged with that usage.",
    source: "goal",
  },
  "budgets.crash": {
    states: "A call whose process died counts once as its worst case; finished calls are not counted again.",
    source: "goal",
  },
  "budgets.crash-queued": {
    states: "Reservations of a killed run count as used while it is queued; no call waits for them.",
    source: "goal",
  },
  "budgets.crash-own": {
    states:
      "A run's reservation for a call that its next execution does not make counts as used; the run waits for none of its own.",
    source: "goal",
  },
  "budgets.ask": {
    states: "With on_breach ask a person decides: approval adds the cap once more, rejection ends the run.",
    source: "goal",
  },
  "budgets.unpriced": {
    states: "Under a cap in USD, a model without a price is not called.",
    source: "goal",
  },
  "budgets.run-cap": {
    states: "POST of a task or a run takes a budget for each of its attempts.",
    source: "goal",
  },
  "budgets.embeddings": {
    states:
      "Embeddings are reserved and charged like model calls. Text over a cap is not embedded; it is found by keywords, and the reason is shown.",
    source: "goal",
  },
  "budgets.earlier-spending": {
    states: "A new budget includes earlier spending in its period.",
    source: "goal",
  },
  "budgets.live": { states: "Budgets show current usage and reservations.", source: "goal" },
  "budgets.crud": {
    states: "The console API lists, reads, creates, changes and deletes budgets.",
    source: "goal",
  },
  "budgets.roles": {
    states: "Admins manage budgets; every role reads them; members cap the runs that they start.",
    source: "goal",
  },
} as const satisfies Requirements<"budgets">;
