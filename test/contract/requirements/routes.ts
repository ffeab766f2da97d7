import type { Requirements } from "./requirement.ts";

/** Output routes: events, payload, delivery, signing and outgoing safety. */
export const routes = {
  "routes.event.task-completed": {
    states: "task.completed fires when a task of an agent succeeds.",
    source: "contract",
  },
  "routes.event.task-failed": {
    states: "task.failed fires when a task of an agent fails.",
    source: "contract",
  },
  "routes.event.team-run-completed": {
    states: "team_run.completed fires when a run of any mode finishes.",
    source: "contract",
  },
  "routes.event.team-run-failed": {
    states: "team_run.failed fires when a run fails.",
    source: "contract",
  },
  "routes.event.only-subscribed": {
    states: "A route gets only events that it subscribes to.",
    source: "contract",
  },
  "routes.select.all-by-default": {
    states: "Every active route of the workspace gets every matching event.",
    source: "contract",
  },
  "routes.select.none": {
    states: "No delivery is sent for an agent or team with an empty output_route_ids.",
    source: "contract",
  },
  "routes.select.listed": {
    states: "An agent or team with a list delivers to the routes of that list only.",
    source: "contract",
  },
  "routes.select.inactive": {
    states: "An inactive route gets nothing.",
    source: "contract",
  },
  "routes.payload.fields": {
    states:
      "A payload has event, task_id, team_run_id, task_title, agent_name, status, result_preview, result_full, error, timestamp and attachments.",
    source: "contract",
  },
  "routes.payload.one-subject": {
    states: "task_id is set for task events only and team_run_id for run events only; the other is null.",
    source: "contract",
  },
  "routes.payload.status": {
    states: "status is completed or failed.",
    source: "contract",
  },
  "routes.payload.preview": {
    states: "result_preview is the first 500 characters of the result.",
    source: "contract",
  },
  "routes.payload.full": {
    states: "result_full is the complete result.",
    source: "contract",
  },
  "routes.payload.attachments": {
    states: "An attachment has name, type, size, url and direction.",
    source: "contract",
  },
  "routes.payload.identical": {
    states: "Every destination gets the same payload.",
    source: "contract",
  },
  "routes.delivery.retry-once": {
    states: "A failed delivery is retried once, five seconds later.",
    source: "contract",
  },
  "routes.delivery.rate-limit": {
    states:
      "A delivery that a receiver's rate limit rejects waits as long as the receiver says, up to ten minutes by default; this counts as no attempt, and the receiver's deliveries are paced from then on.",
    source: "goal",
  },
  "routes.delivery.2xx-is-success": {
    states: "Any 2xx response of an HTTP destination is a success.",
    source: "contract",
  },
  "routes.delivery.log": {
    states: "Every attempt is logged with timestamp, event, status, HTTP code and error message.",
    source: "contract",
  },
  "routes.delivery.log-retention": {
    states: "Log entries are kept for 30 days.",
    source: "contract",
  },
  "routes.delivery.outbox": {
    states: "Deliveries are written in the transaction that ends the task, so that no crash loses one.",
    source: "decision",
  },
  "routes.delivery.redeliver": {
    states: "Redeliver creates a new delivery.",
    source: "decision",
  },
  "routes.delivery.id-header": {
    states: "X-Service-Delivery is the delivery's id and the same on every attempt.",
    source: "decision",
  },
  "routes.delivery.context-headers": {
    states: "X-Service-Event and X-Service-Timestamp are sent.",
    source: "decision",
  },
  "routes.delivery.certificate": {
    states: "A receiver's invalid certificate is a logged attempt: nothing is sent, and the delivery is not lost.",
    source: "goal",
  },
  "routes.delivery.limits": {
    states:
      "A process has at most 16 deliveries in flight to a route, and 32 of a workspace to a host; other receivers are not delayed.",
    source: "goal",
  },
  "routes.delivery.slow": {
    states: "A receiver that timed out last time gets two slots of a process until it replies.",
    source: "goal",
  },
  "routes.delivery.timeout": {
    states: "An attempt is aborted after 10 seconds.",
    source: "decision",
  },
  "routes.signature.hmac": {
    states: "With a secret, X-Service-Signature is sha256= and the hex HMAC-SHA256 of the raw body keyed with it.",
    source: "contract",
  },
  "routes.signature.absent-without-secret": {
    states: "Without a secret no signature is sent.",
    source: "contract",
  },
  "routes.manage.console-api": {
    states: "Routes are managed under /console/api/routes.",
    source: "decision",
  },
  "routes.manage.send-test": {
    states: "A test delivery can be sent from a route.",
    source: "contract",
  },
  "routes.manage.types": {
    states:
      "The types are http, slack, discord, telegram, teams, asana, trello, notion, github, email, smtp, linear, google_sheets, google_gmail, google_docs and google_calendar.",
    source: "decision",
  },
  "routes.manage.config-validated": {
    states: "A route's configuration is validated by its type; the error lists missing required fields.",
    source: "contract",
  },
  "routes.secrets.encrypted": {
    states: "Secrets of routes are encrypted with AES-256-GCM.",
    source: "decision",
  },
  "routes.secrets.never-returned": {
    states: "A secret is shown only as four dots and its last four characters.",
    source: "decision",
  },
  "routes.safety.https-only": {
    states: "HTTP routes must be https.",
    source: "decision",
  },
  "routes.safety.loopback-setting": {
    states: "ALLOW_PRIVATE_URLS=true allows plain http to loopback.",
    source: "decision",
  },
  "routes.safety.private-addresses": {
    states: "Private, link-local and metadata addresses are rejected after names are resolved.",
    source: "decision",
  },
  "routes.safety.ip-literals": {
    states: "The same addresses written as IP literals are rejected.",
    source: "decision",
  },
  "routes.safety.redirects": {
    states: "Each redirect is checked too, and at most three are followed.",
    source: "decision",
  },
  "routes.vendor-bases": {
    states: "The base URL of every vendor is a setting.",
    source: "decision",
  },
} as const satisfies Requirements<"routes">;
