import type { Requirements } from "./requirement.ts";

/** The counters by hour, and what Home shows. */
export const overview = {
  "overview.counters.attempts": {
    states:
      "Each attempt of a task, or of a team run without one, is counted once, in the hour and with the status of its end.",
    source: "goal",
  },
  "overview.counters.processes": {
    states: "Several processes that count at the same time count each attempt and each usage record once.",
    source: "goal",
  },
  "overview.counters.crash": {
    states: "Attempts are counted once, with their cost and error code, however often a process is killed meanwhile.",
    source: "goal",
  },
  "overview.counters.deletion": {
    states: "Attempts of runs that are deleted later stay counted; counters go with their workspace.",
    source: "goal",
  },
  "overview.counters.usage": {
    states: "Usage reports are the same before and after past hours have been summed up.",
    source: "goal",
  },
  "overview.now": {
    states:
      "GET /console/api/overview tells the open work by status, the oldest queued, questions due, failing destinations, next schedules and the processes alive.",
    source: "goal",
  },
  "overview.ended": {
    states:
      "It tells by hour or day what ended with which status, its durations, tokens and cost; and which codes and agents lead.",
    source: "goal",
  },
  "overview.refused": {
    states: "A time that is empty, too long or not a time is 400 and names the parameter.",
    source: "goal",
  },
  "overview.workspace": { states: "Every member may read the overview; it shows one workspace only.", source: "goal" },
} as const satisfies Requirements<"overview">;
