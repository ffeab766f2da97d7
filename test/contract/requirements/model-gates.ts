import type { Requirements } from "./requirement.ts";

/** The rate limits of model providers, shared by runs, workspaces and processes. */
export const modelGates = {
  "model-gates.closed": {
    states:
      "A 429 of a provider closes the connection and model for the runs of all processes until the time that it names.",
    source: "goal",
  },
  "model-gates.waits-as-rows": {
    states:
      "A run that waits for a rate limit for more than 2 s holds no slot; its record and its stream say until when and why.",
    source: "goal",
  },
  "model-gates.cancel": {
    states: "A run that waits for a rate limit is cancelled at once, and no call is made for it.",
    source: "goal",
  },
  "model-gates.attempts": {
    states: "Rejections of a call count as its attempts, also when the run waited in between.",
    source: "goal",
  },
  "model-gates.survives-kill": {
    states: "A wait for a rate limit survives kill -9 of its process, and does not count for the run's time limit.",
    source: "goal",
  },
  "model-gates.fair": {
    states: "Workspaces that share a key take turns: one call of a workspace does not wait for all calls of another.",
    source: "goal",
  },
  "model-gates.paced": {
    states: "Calls near the limit that a provider's headers name are made at its pace; none is rejected.",
    source: "goal",
  },
  "model-gates.moment": {
    states:
      "A 429 without numbers makes the calls of the last minute the limit; one for a few seconds limits nothing after them.",
    source: "goal",
  },
  "model-gates.team": {
    states: "When a branch of a team run waits for a rate limit, the others finish their work and none is paid twice.",
    source: "goal",
  },
  "model-gates.breaker": {
    states:
      "After three failures in a row in one process, no process calls a model for a minute if the agent has a fallback.",
    source: "goal",
  },
  "model-gates.free": {
    states: "A connection far from its limits costs no statement per call.",
    source: "goal",
  },
} as const satisfies Requirements<"model-gates">;
