import type { Requirements } from "./requirement.ts";

/** Caps on what is spent. */
export const budgets = {
  "budgets.scopes": {
    states: "Spending can be capped for the workspace, an agent, a team and a single run, in USD and in tokens.",
    source: "goal",
  },
  "budgets.periods": {
    states: "A cap counts a run, a day or a month in UTC, or everything.",
    source: "goal",
  },
  "budgets.exceeded": {
    states:
      "A call that may exceed a cap is not made: the run ends with budget_exceeded, which cap it is, what is used, and where to change it.",
    source: "goal",
  },
  "budgets.worst-case": {
    states:
      "Before a call its prompt and longest answer are reserved at the model's price; the answer is held to that length.",
    source: "goal",
  },
  "budgets.no-overshoot": {
    states: "Calls concurrently, in several processes and through crashes, never use more than a cap.",
    source: "goal",
  },
  "budgets.wait": {
    states: "A call that fits in only when others have been settled waits for them.",
    source: "goal",
  },
  "budgets.settled": {
    states: "When a call is over, what it used takes the place of what was reserved; nothing stays reserved.",
    source: "goal",
  },
  "budgets.failed-calls": {
    states:
      "A rejected call costs nothing; one that broke off, or of which nobody says what it used, counts as what it may have cost.",
    source: "goal",
  },
  "budgets.crash": {
    states: "A call whose process died counts as what it may have cost, once; finished calls are not counted again.",
    source: "goal",
  },
  "budgets.crash-queued": {
    states: "What a killed run has reserved counts as used while it waits for its turn again: nobody waits for it.",
    source: "goal",
  },
  "budgets.crash-own": {
    states:
      "What a run has reserved for a call that its next execution does not make counts as used; it waits for none.",
    source: "goal",
  },
  "budgets.ask": {
    states: "With on_breach ask a person decides: approving adds the cap once more, rejecting ends the run.",
    source: "goal",
  },
  "budgets.unpriced": {
    states: "Under a cap in USD a model without a price is not called.",
    source: "goal",
  },
  "budgets.run-cap": {
    states: "POST of a task or a run takes a budget for each of its attempts.",
    source: "goal",
  },
  "budgets.embeddings": {
    states:
      "Embeddings are reserved and counted like calls of models; what a cap does not allow is not embedded, found by its words, and says why.",
    source: "goal",
  },
  "budgets.earlier-spending": {
    states: "A new budget counts what was spent in its period before.",
    source: "goal",
  },
  "budgets.live": { states: "Budgets show what is used and reserved now.", source: "goal" },
  "budgets.crud": {
    states: "Budgets are listed, read, made, changed and deleted in the console's API.",
    source: "goal",
  },
  "budgets.roles": {
    states: "Admins manage budgets; everybody may read them, and members may cap the runs that they start.",
    source: "goal",
  },
} as const satisfies Requirements<"budgets">;
