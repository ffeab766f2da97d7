import type { Requirements } from "./requirement.ts";

/** What the screens for schedules, triggers, destinations, protocols and the marketplace need. */
export const connect = {
  "connect.deliveries.health": {
    states: "GET /console/api/deliveries/health tells how the last 50 deliveries of each target stand, newest first.",
    source: "goal",
  },
  "connect.deliveries.filters": {
    states: "Deliveries are filtered by team run and by a time since when.",
    source: "goal",
  },
  "connect.hooks.pause": {
    states: "A webhook subscription is paused and resumed; while it is paused nothing is delivered.",
    source: "goal",
  },
  "connect.schedules.preview": {
    states: "POST /console/api/schedules/preview tells the next five times of a pattern, through a change of clocks.",
    source: "goal",
  },
  "connect.schedules.run": {
    states: "A schedule makes a task at once, paused or not; the log says so, and its times stay.",
    source: "goal",
  },
  "connect.schedules.run-once": {
    states: "Run now with one Idempotency-Key makes one task, however many processes get it.",
    source: "goal",
  },
  "connect.schedules.run-overlap": {
    states: "Run now is 409 while the last task of a schedule has not ended whose tasks must not overlap.",
    source: "goal",
  },
  "connect.planned.filters": {
    states: "Schedules and triggers are filtered by agent, team, and whether they are paused.",
    source: "goal",
  },
  "connect.triggers.last-delivery": {
    states: "A trigger tells when something was delivered to it last, and whether it was accepted.",
    source: "goal",
  },
  "connect.remote-agents.test": {
    states: "A remote agent is tested with a message; its answer, or why there is none, comes back.",
    source: "goal",
  },
  "connect.published": {
    states: "GET /console/api/published lists the agents published to MCP and A2A with their addresses.",
    source: "goal",
  },
  "connect.pages.destinations": {
    states:
      "A destination is added, tested and mended on its page: attempts with request and response, and redelivery of all.",
    source: "goal",
  },
  "connect.pages.schedules": {
    states: "A schedule is made in plain words or by cron, previewed in two zones, paused and run now on its page.",
    source: "goal",
  },
  "connect.pages.triggers": {
    states: "A trigger shows its address once with a line that delivers; its page tells what came, and rotates it.",
    source: "goal",
  },
  "connect.pages.protocols": {
    states: "Remote agents are connected, tested and turned off on a page; tokens are never shown.",
    source: "goal",
  },
  "connect.pages.marketplace": {
    states: "The marketplace is searched by text and tag, and an offer is installed with one button.",
    source: "goal",
  },
  "connect.pages.webhooks": {
    states: "Webhook subscriptions are made, paused and rotated on a page; secrets are shown once.",
    source: "goal",
  },
} as const satisfies Requirements<"connect">;
