import type { Requirements } from "./requirement.ts";

/** The clients that come with the service. */
export const client = {
  "client.operations": {
    states: "The TypeScript client has a typed method for each operation, and one class of errors.",
    source: "goal",
  },
  "client.pages": { states: "Lists of the TypeScript client iterate over all pages.", source: "goal" },
  "client.streams": {
    states:
      "Streams of the TypeScript client resume after cuts without a gap or a repeated event, and end with the run or their signal.",
    source: "goal",
  },
  "client.retries": {
    states:
      "The TypeScript client retries idempotent requests: each POST under one Idempotency-Key. It waits at the rate limit.",
    source: "goal",
  },
  "client.release": {
    states: "The TypeScript client's package can only be published with the address of its repository.",
    source: "goal",
  },
  "client.package": {
    states:
      "The packed TypeScript client can be published: it has its licence, links nowhere in the checkout, and works with types in projects of ES modules and of CommonJS.",
    source: "goal",
  },
  "client.size": {
    states: "A bundle has only the operations that a program names: a call costs 6 kB.",
    source: "goal",
  },
  "client.browsers": {
    states: "The TypeScript client works on http pages, and in browsers that cannot iterate over streams.",
    source: "goal",
  },
  "client.readme": { states: "The examples of the TypeScript client's README run.", source: "goal" },
  "client.python.redirect": {
    states: "The Python example follows no redirect, which would carry the key to another address.",
    source: "goal",
  },
  "client.python.retries": {
    states:
      "The Python example sends GET and POST again after network errors, 5xx and 429, and reports the wrong fields of other rejections.",
    source: "goal",
  },
  "client.python": {
    states: "The Python example creates an agent, runs a task, resumes its stream and answers a question.",
    source: "goal",
  },
} as const satisfies Requirements<"client">;
