import type { Requirements } from "./requirement.ts";

/** Addresses whose requests become tasks. */
export const triggers = {
  "triggers.resource": {
    states: "Triggers are listed newest first with cursors, created, read, changed and deleted by members.",
    source: "goal",
  },
  "triggers.token.once": {
    states:
      "A trigger's URL is shown on creation, contains a token that begins with mst_hook_, and is stored as a hash; no log contains it.",
    source: "goal",
  },
  "triggers.token.rotate": {
    states: "After a trigger's URL is rotated, the old URL no longer works.",
    source: "goal",
  },
  "triggers.deliver": {
    states: "A POST to the URL creates a task for the agent or team and returns 202 with its id.",
    source: "goal",
  },
  "triggers.payload": {
    states:
      "The payload is in the task's description: formatted JSON with all digits, or other text unchanged, cut at a limit.",
    source: "goal",
  },
  "triggers.unknown-404": { states: "An unknown trigger URL is 404.", source: "goal" },
  "triggers.payload.form": {
    states: "The fields of a form arrive as JSON.",
    source: "goal",
  },
  "triggers.handshake": {
    states: "Slack's check of the URL gets its challenge back, GitHub's ping an answer; neither starts a run.",
    source: "goal",
  },
  "triggers.signature.time": {
    states:
      "Deliveries signed as Standard Webhooks or Slack sign are accepted for five minutes and once, whatever other id a copy has.",
    source: "goal",
  },
  "triggers.reject-repeats": {
    states: "A trigger can reject a body that it accepted within the last five minutes.",
    source: "goal",
  },
  "triggers.signature": {
    states: "A trigger with a secret accepts only bodies signed with it in X-Hub-Signature-256; others are 401.",
    source: "goal",
  },
  "triggers.idempotent": {
    states: "Deliveries with the same id create one task, also concurrently; with another body it is 409.",
    source: "goal",
  },
  "triggers.pause": { states: "A paused trigger returns 409.", source: "goal" },
  "triggers.unreadable-400": { states: "A body that does not match its type, or is not text, is 400.", source: "goal" },
  "triggers.limit": {
    states:
      "Deliveries count among what the plan allows a minute outside the envelope API; more are 429 with Retry-After.",
    source: "goal",
  },
  "triggers.log": {
    states: "The log records each delivery, also rejected ones with the reason.",
    source: "goal",
  },
  "triggers.deleted": {
    states: "Triggers are deleted with their agent or team; the tasks that they created stay.",
    source: "goal",
  },
} as const satisfies Requirements<"triggers">;
