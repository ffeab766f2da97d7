import { z } from "zod";
import { displayName } from "../display-name.ts";
import { givenId } from "../given-id.ts";
import { ALERT_KINDS, KIND_RULES, kindIssues } from "./alert-kinds.ts";
import type { AlertKind } from "./alert-kinds.ts";

/** The states of a rule. */
export const ALERT_STATES = ["ok", "firing"] as const;

const MAX_WINDOW_MINUTES = 1_440;
const DEFAULT_WINDOW_MINUTES = 60;
const DEFAULT_MIN_RUNS = 10;

const fields = z.strictObject({
  name: displayName(100).trim().describe("The display name; need not be unique."),
  kind: z
    .enum(ALERT_KINDS)
    .describe(
      "What is watched: the share of ended runs that failed, the cost of the last 60 minutes, the age of the oldest open question, of the oldest queued run, or failed deliveries of a route in a row.",
    ),
  threshold: z
    .number()
    .positive()
    .describe(
      "The alert fires from this value on: percent for failure_rate, US dollars for cost_per_hour, minutes for question_age and queue_age, deliveries for route_failing.",
    ),
  window_minutes: z
    .int()
    .min(5)
    .max(MAX_WINDOW_MINUTES)
    .nullish()
    .describe("Of failure_rate: how far back ended runs count; 60 by default."),
  min_runs: z
    .int()
    .min(1)
    .max(10_000)
    .nullish()
    .describe("Of failure_rate: with fewer ended runs in the window, the alert does not fire; 10 by default."),
  agent_id: givenId.nullish().describe("Only what this agent does; not for queue_age and route_failing."),
  team_id: givenId.nullish().describe("Only what this team does; not for queue_age and route_failing."),
  watched_route_id: givenId.nullish().describe("Of route_failing: only this output route; null for any."),
  route_id: givenId.nullish().describe("The output route that gets alert.firing and alert.resolved; null for none."),
  is_enabled: z.boolean().describe("false: it is not checked, and its state is ok."),
});

/** The body of POST /console/api/alerts. */
export const alertCreate = fields
  .extend({ is_enabled: fields.shape.is_enabled.default(true) })
  .superRefine((alert, context) => {
    for (const { path, message } of kindIssues(alert)) context.addIssue({ code: "custom", path: [path], message });
  })
  .describe("A rule that is checked once a minute.");

/** The body of PATCH /console/api/alerts/{id}. */
export const alertPatch = fields
  .omit({ kind: true })
  .partial()
  .describe("The fields to change. The alert is checked again immediately.");

/** An alert to create, validated. */
export type AlertCreate = z.output<typeof alertCreate>;

/** Changes to an alert, validated but for what its kind allows. */
export type AlertPatch = z.output<typeof alertPatch>;

/** Fields that a client may send back from a record; they are ignored. */
export const ALERT_READ_ONLY = [
  "id",
  "workspace_id",
  "target_name",
  "route_name",
  "state",
  "since",
  "last_value",
  "last_checked_at",
  "created_by",
  "created_at",
  "updated_at",
] as const;

/** The window and the minimum of a rule: of failure_rate those given or the defaults, of the others none. */
export function windowOf({
  kind,
  window_minutes,
  min_runs,
}: {
  readonly kind: AlertKind;
  readonly window_minutes?: number | null | undefined;
  readonly min_runs?: number | null | undefined;
}) {
  if (!KIND_RULES[kind].has.includes("window_minutes")) return { window_minutes: null, min_runs: null };
  return {
    window_minutes: window_minutes ?? DEFAULT_WINDOW_MINUTES,
    min_runs: min_runs ?? DEFAULT_MIN_RUNS,
  };
}
