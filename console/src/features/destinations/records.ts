import type { components } from "#client/gen/schema.ts";

/** An output route. */
export type Route = components["schemas"]["OutputRoute"];
/** A type of output route with its form. */
export type RouteType = components["schemas"]["OutputRouteType"];
/** A delivery as lists show it. */
export type Delivery = components["schemas"]["Delivery"];
/** A delivery with its attempts. */
export type DeliveryDetails = components["schemas"]["DeliveryDetails"];
/** A webhook subscription. */
export type Hook = components["schemas"]["WebhookSubscription"];

/** What routes deliver by default. */
export const DEFAULT_EVENTS = ["task.completed", "task.failed", "team_run.completed", "team_run.failed"] as const;
/** What routes can deliver. */
export const ROUTE_EVENTS = [...DEFAULT_EVENTS, "task.waiting_for_input", "audit.recorded"] as const;
/** What can be subscribed to. */
export const HOOK_EVENTS = [
  "task_started",
  "task_completed",
  "task_failed",
  "task_waiting_for_input",
  "team_run_started",
  "team_run_completed",
  "team_run_failed",
  "audit_recorded",
] as const;

/** What a route is for, in words. */
export const ROUTE_KINDS = {
  results: "Results",
  people: "Questions to people",
  agent: "Conversations with an agent",
} as const satisfies Record<Route["kind"], string>;

/** The kind that was chosen. */
export function kindOf(text: string): Route["kind"] {
  return text === "people" || text === "agent" ? text : "results";
}

const EVENT_LABELS: Readonly<Record<string, string>> = {
  "task.started": "Task started",
  "task.completed": "Task completed",
  "task.failed": "Task failed",
  "task.waiting_for_input": "Task needs an answer",
  "team_run.started": "Team run started",
  "team_run.completed": "Team run completed",
  "team_run.failed": "Team run failed",
  "audit.recorded": "Audit entry recorded",
  "question.asked": "Question asked",
  "question.changed": "Question changed",
  "question.closed": "Question closed",
  "channel.reply": "Answer in a conversation",
  "channel.notice": "Notice in a conversation",
  "alert.firing": "Alert fires",
  "alert.resolved": "Alert resolved",
};

/** The label of an event; subscriptions write it with an underscore, deliveries with a dot. */
export function eventLabel(event: string): string {
  return EVENT_LABELS[event.replace(/^(task|team_run|audit)_/, "$1.")] ?? event;
}
