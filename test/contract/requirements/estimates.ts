import type { Requirements } from "./requirement.ts";

/** What a run will cost. */
export const estimates = {
  "estimates.task": {
    states:
      "POST /api-tasks?estimate=true answers with p50 and p90 of cost, tokens and time of up to the last 200 completed runs of the agent's version, and creates nothing.",
    source: "goal",
  },
  "estimates.version": {
    states: "With fewer than five runs of the current version, the runs of all versions of the agent count.",
    source: "goal",
  },
  "estimates.cap": {
    states: "An estimate with a cap says which share of the runs it would have stopped.",
    source: "goal",
  },
  "estimates.team": { states: "A team's task is estimated from the team's runs.", source: "goal" },
  "estimates.run": {
    states: "A run tells what it has cost, and what going on and running again will cost.",
    source: "goal",
  },
  "estimates.rejected": {
    states: "An estimate of what a task could not be is rejected like the task.",
    source: "goal",
  },
  "estimates.client": { states: "The clients have a method of its own for estimates.", source: "goal" },
  "estimates.what-if": {
    states: "The recorded tokens of any runs are priced for every model of the catalogue, with its cache prices.",
    source: "goal",
  },
  "estimates.console": {
    states: "The console says what a new task, a retry and an approval will cost, and what a cap would stop.",
    source: "goal",
  },
} as const satisfies Requirements<"estimates">;
