import type { Requirements } from "./requirement.ts";

/** Addresses whose requests become tasks. */
export const triggers = {
  "triggers.resource": {
    states: "Triggers are listed newest first with cursors, created, read, changed and deleted by members.",
    source: "goal",
  },
  "triggers.token.once": {
    states: "The address is shown when it is made, begins with mst_hook_, and is stored as a hash; no log holds it.",
    source: "goal",
  },
  "triggers.token.rotate": {
    states: "A trigger can be given another address, and the old one then opens nothing.",
    source: "goal",
  },
  "triggers.deliver": {
    states: "A POST to the address makes a task for the agent or team and is answered with 202 and its id.",
    source: "goal",
  },
  "triggers.payload": {
    states:
      "The payload is in the task's description: JSON laid out with all digits, other text as it came, cut at a limit.",
    source: "goal",
  },
  "triggers.unknown-404": { states: "An unknown address is 404.", source: "goal" },
  "triggers.signature": {
    states: "A trigger with a secret takes only what is signed with it in X-Hub-Signature-256; anything else is 401.",
    source: "goal",
  },
  "triggers.idempotent": {
    states: "Deliveries with the same id make one task, also when they come at once; with another body it is 409.",
    source: "goal",
  },
  "triggers.pause": { states: "A paused trigger rejects with 409.", source: "goal" },
  "triggers.unreadable-400": { states: "A body that is not what its type says, or no text, is 400.", source: "goal" },
  "triggers.limit": {
    states: "Each trigger takes as many deliveries in a minute as the plan allows requests, then 429 with Retry-After.",
    source: "goal",
  },
  "triggers.log": {
    states: "The log tells of each delivery, also of the rejected ones with the reason.",
    source: "goal",
  },
  "triggers.deleted": { states: "They go with their agent or team; the tasks that they made stay.", source: "goal" },
} as const satisfies Requirements<"triggers">;
