import type { Requirements } from "./requirement.ts";

/** The sums by hour and day, and what Home shows. */
export const overview = {
  "overview.counters.attempts": {
    states:
      "Each attempt of a task, or of a team run without a task, is counted once, in the hour and with the status of its end.",
    source: "goal",
  },
  "overview.counters.processes": {
    states: "Several processes that count concurrently count each attempt and each usage record once.",
    source: "goal",
  },
  "overview.counters.crash": {
    states: "Attempts are counted once, with their cost and error code, however often a process is killed.",
    source: "goal",
  },
  "overview.counters.deletion": {
    states: "Attempts of runs that are deleted later stay counted; counters are deleted with their workspace.",
    source: "goal",
  },
  "overview.counters.usage": {
    states: "Usage reports are the same before and after the aggregation of past hours.",
    source: "goal",
  },
  "overview.counters.exact": {
    states:
      "Reports by hour and by day are the sums of their attempts and usage, whichever of them are added up already and wherever the period begins and ends.",
    source: "goal",
  },
  "overview.now": {
    states:
      "GET /console/api/overview returns the open work by status, the oldest queued, questions due, failing destinations, next schedules and the live processes.",
    source: "goal",
  },
  "overview.ended": {
    states:
      "The overview returns by hour or day the number of runs that ended by status, their durations, tokens and cost, and the most frequent error codes and agents.",
    source: "goal",
  },
  "overview.refused": {
    states: "A period that is empty, too long or not a time is 400 and names the parameter.",
    source: "goal",
  },
  "overview.workspace": {
    states: "Every member may read the overview; it contains one workspace only.",
    source: "goal",
  },
} as const satisfies Requirements<"overview">;
