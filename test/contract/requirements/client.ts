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
  "client.python.operations": {
    states:
      "The Python client has a typed method for each operation, for threads and for asyncio, and one class of errors; its lists and table rows iterate over all pages.",
    source: "goal",
  },
  "client.python.streams": {
    states:
      "Streams of the Python client resume after cuts without a gap or a repeated event, and end with the run; a wait ends with the run or in time.",
    source: "goal",
  },
  "client.python.retries": {
    states:
      "The Python client retries idempotent requests: each POST under one Idempotency-Key. It waits at the rate limit, and follows no redirect.",
    source: "goal",
  },
  "client.python.recipes": { states: "The examples of the Python client's README and guide run.", source: "goal" },
  "client.python.types": { states: "The Python client and its examples pass mypy in strict mode.", source: "goal" },
} as const satisfies Requirements<"client">;
