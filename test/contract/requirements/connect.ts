import type { Requirements } from "./requirement.ts";

/** What the screens for schedules, triggers, destinations, protocols and the marketplace need. */
export const connect = {
  "connect.deliveries.health": {
    states:
      "GET /console/api/deliveries/health returns the states of the last 50 deliveries of each target, newest first.",
    source: "goal",
  },
  "connect.deliveries.filters": {
    states: "Deliveries are filtered by team run and by start time.",
    source: "goal",
  },
  "connect.hooks.pause": {
    states: "A webhook subscription can be paused and resumed; while it is paused nothing is delivered.",
    source: "goal",
  },
  "connect.schedules.preview": {
    states: "POST /console/api/schedules/preview returns the next five times of a pattern, also across a clock change.",
    source: "goal",
  },
  "connect.schedules.run": {
    states:
      "Run now creates a task of a schedule immediately, also of a paused one; the log records it, and the schedule's times stay.",
    source: "goal",
  },
  "connect.schedules.run-once": {
    states: "Run now with one Idempotency-Key creates one task, however many processes receive it.",
    source: "goal",
  },
  "connect.schedules.run-overlap": {
    states: "If a schedule's tasks must not overlap, run now is 409 until its last task ends.",
    source: "goal",
  },
  "connect.planned.filters": {
    states: "Schedules and triggers are filtered by agent, team and paused state.",
    source: "goal",
  },
  "connect.triggers.last-delivery": {
    states: "A trigger shows the time of its last delivery and whether it was accepted.",
    source: "goal",
  },
  "connect.remote-agents.test": {
    states: "A test of a remote agent sends a message and returns the reply or the error.",
    source: "goal",
  },
  "connect.published": {
    states: "GET /console/api/published lists the agents published to MCP and A2A with their URLs.",
    source: "goal",
  },
  "connect.pages.first-agent": {
    states: "While there is no agent, the forms of schedules and triggers lead to the first one.",
    source: "goal",
  },
  "connect.pages.destinations": {
    states:
      "The page of a destination adds, tests and repairs it: attempts with request and response, and redelivery of all.",
    source: "goal",
  },
  "connect.pages.schedules": {
    states:
      "The page of a schedule creates it in plain words or by cron, previews it in two zones, pauses it and runs it now.",
    source: "goal",
  },
  "connect.pages.triggers": {
    states:
      "A trigger shows its URL once with a command that delivers; its page shows the deliveries and rotates the URL.",
    source: "goal",
  },
  "connect.pages.protocols": {
    states: "A page connects, tests and disables remote agents; tokens are never shown.",
    source: "goal",
  },
  "connect.pages.marketplace": {
    states: "The marketplace is searched by text and tag; one button installs an agent.",
    source: "goal",
  },
  "connect.pages.review": {
    states: "The page of a copy from the marketplace shows its prompt and tools to be confirmed before it works.",
    source: "goal",
  },
  "connect.pages.webhooks": {
    states: "A page creates, pauses and rotates webhook subscriptions; secrets are shown once.",
    source: "goal",
  },
} as const satisfies Requirements<"connect">;
