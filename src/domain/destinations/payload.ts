import { z } from "zod";
import { ALERT_EVENTS, alertNotice } from "../alerts/alert-notice.ts";
import { FINISH_REASONS } from "../models/reply-parts.ts";

/** The events of output routes that choose none. */
export const DEFAULT_EVENTS = ["task.completed", "task.failed", "team_run.completed", "team_run.failed"] as const;

/** The events that output routes can subscribe to. */
export const ROUTE_EVENTS = [...DEFAULT_EVENTS, "task.waiting_for_input", "audit.recorded"] as const;

/** One of {@link ROUTE_EVENTS}. */
export type RouteEvent = (typeof ROUTE_EVENTS)[number];

/** Additional events for webhook subscriptions only. */
const SUBSCRIPTION_EVENTS = ["task.started", "team_run.started"] as const;
/** The length of `result_preview` in code points. */
const PREVIEW_LENGTH = 500;

const attachment = z.object({
  name: z.string(),
  type: z.string().describe("The media type."),
  size: z.int().describe("In bytes."),
  url: z.string().describe("Signed; expires after 24 hours."),
  direction: z.string().describe("input: given to the task; output: produced by it."),
});

/** The payload of every destination: the end of a task or a team run, an entry of the audit log, or an alert. */
export const payload = z.object({
  event: z.enum([...ROUTE_EVENTS, ...SUBSCRIPTION_EVENTS, ...ALERT_EVENTS]),
  task_id: z.string().nullable().describe("Set for task events only."),
  team_run_id: z.string().nullable().describe("Set for team-run events only."),
  task_title: z.string(),
  agent_name: z
    .string()
    .describe("The agent, for a team run the team, for an audit entry the person, for an alert its subject."),
  status: z
    .enum(["completed", "failed", "running", "waiting_for_input", "firing", "resolved"])
    .describe(
      "completed or failed; waiting_for_input of a question; of alerts firing or resolved; webhook subscriptions have further values.",
    ),
  result_preview: z.string().describe("The first 500 characters of the result."),
  result_full: z.string().describe("The result; of a question its text and the page that answers it."),
  error: z.string().nullable(),
  finish_reason: z
    .enum(FINISH_REASONS)
    .optional()
    .describe("Why the last reply ended, if it did not end by itself: the result may be incomplete."),
  timestamp: z.string().describe("When the task or run ended, ISO 8601."),
  attachments: z.array(attachment),
  audit_entry: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("The entry as GET /console/api/audit shows it. Set for audit.recorded only."),
  alert: alertNotice
    .extend({ url: z.string().describe("The page of the console that shows its subject.") })
    .optional()
    .describe("Set for alert.firing and alert.resolved only."),
});

/** See {@link payload}. */
export type Payload = Readonly<z.output<typeof payload>>;

/** Returns the start of a result, up to 500 code points. */
export function previewOf(result: string): string {
  let end = 0;
  for (let count = 0; count < PREVIEW_LENGTH && end < result.length; count++) {
    end += (result.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return result.slice(0, end);
}
