import type { Requirements } from "./requirement.ts";

/** The clients that come with the service. */
export const client = {
  "client.operations": {
    states: "The TypeScript client has a typed method for each operation, and one class of errors.",
    source: "goal",
  },
  "client.pages": { states: "A list of the TypeScript client leads through all its pages.", source: "goal" },
  "client.streams": {
    states: "Its streams resume after cuts without a gap or a doubled event, and end with the run or their signal.",
    source: "goal",
  },
  "client.retries": {
    states: "It sends again what may be sent twice: each POST under one Idempotency-Key, and waits at the rate limit.",
    source: "goal",
  },
  "client.readme": { states: "The examples of its README run.", source: "goal" },
  "client.python": {
    states: "The Python example creates an agent, runs a task, resumes its stream and answers a question.",
    source: "goal",
  },
} as const satisfies Requirements<"client">;
