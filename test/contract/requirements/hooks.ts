import type { Requirements } from "./requirement.ts";

/** Webhook subscriptions of the envelope API and their deliveries. */
export const hooks = {
  "hooks.list.active": {
    states: "GET lists the workspace's active subscriptions.",
    source: "contract",
  },
  "hooks.create.returns-record": {
    states: "POST with target_url and event returns the subscription.",
    source: "contract",
  },
  "hooks.create.target-url-required": {
    states: "A missing or malformed target_url is 400 with its path.",
    source: "contract",
  },
  "hooks.create.events": {
    states:
      "The events are task_started, task_completed, task_failed, task_waiting_for_input, team_run_started, team_run_completed and team_run_failed.",
    source: "decision",
  },
  "hooks.create.dotted-events": {
    states: "Dotted spellings such as task.completed are accepted and stored with underscores.",
    source: "decision",
  },
  "hooks.create.unknown-event-400": {
    states: "Any other event is 400.",
    source: "decision",
  },
  "hooks.create.filters": {
    states: "agent_id and team_id restrict a subscription to one agent or team.",
    source: "decision",
  },
  "hooks.create.filters-checked": {
    states: "An agent_id or team_id outside the workspace is 400 with its path.",
    source: "decision",
  },
  "hooks.create.secret-shown-once": {
    states: "Only the response to POST contains the secret.",
    source: "decision",
  },
  "hooks.record.fields": {
    states: "A subscription has id, target_url, event, agent_id, team_id, is_active and created_at.",
    source: "decision",
  },
  "hooks.delete.status-204": {
    states: "DELETE with an id returns 204, and the subscription receives no more deliveries.",
    source: "decision",
  },
  "hooks.delivery.body": {
    states: "A delivery's body is the payload of output routes plus id, the id of the task or team run.",
    source: "decision",
  },
  "hooks.delivery.independent-of-routes": {
    states: "An agent's output_route_ids does not restrict subscriptions.",
    source: "decision",
  },
  "hooks.delivery.signed": {
    states: "Deliveries are signed with the subscription's secret, like those of HTTP routes.",
    source: "decision",
  },
  "hooks.delivery.attempts-and-log": {
    states: "Deliveries are retried and logged like those of routes.",
    source: "decision",
  },
  "hooks.delivery.gone-removes": {
    states: "A 410 response of the receiver removes its subscription.",
    source: "decision",
  },
} as const satisfies Requirements<"hooks">;
