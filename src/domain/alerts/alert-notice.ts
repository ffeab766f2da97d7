import { z } from "zod";
import { ALERT_KINDS } from "./alert-kinds.ts";
import type { AlertKind } from "./alert-kinds.ts";

/** The events of alerts. */
export const ALERT_EVENTS = ["alert.firing", "alert.resolved"] as const;

/** What an alert found at a check. */
export const alertReading = z.object({
  value: z.number().nullable().describe("In the unit of the threshold; null if there was nothing to measure."),
  runs: z.int().nullable().describe("Of failure_rate: the ended runs in the window."),
  failed: z.int().nullable().describe("Of failure_rate: those that failed."),
  route_id: z.string().nullable().describe("Of route_failing: the route with the most failures in a row."),
  route_name: z.string().nullable(),
});

/** See {@link alertReading}. */
export type AlertReading = Readonly<z.output<typeof alertReading>>;

/** What receivers learn of an alert whose state has changed. */
export const alertNotice = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(ALERT_KINDS),
  state: z.enum(["firing", "resolved"]),
  threshold: z.number(),
  window_minutes: z.int().nullable(),
  agent_id: z.string().nullable(),
  team_id: z.string().nullable(),
  target_name: z.string().nullable().describe("The agent, the team or the watched route; null for the workspace."),
  is_test: z.boolean(),
  ...alertReading.shape,
});

/** See {@link alertNotice}. */
export type AlertNotice = Readonly<z.output<typeof alertNotice>>;

/** What a notice says, in sentences. */
export function noticeText(notice: AlertNotice): string {
  const limit = `The alert fires from ${valueText(notice.kind, notice.threshold)}.`;
  if (notice.is_test) return `This is a test of the alert "${notice.name}". Nothing is wrong. ${limit}`;
  const found = `${FOUND[notice.kind](notice)} ${limit}`;
  return notice.state === "firing" ? found : `Resolved. ${found}`;
}

/** What a notice is about: the agent, the team or the route, or the workspace. */
export function noticeSubject({ route_name: route, target_name: target }: AlertNotice): string {
  return target ?? route ?? "Workspace";
}

/** The page of the console that shows what a notice is about, inside of the workspace. */
export function noticePath({ kind, route_id: route }: AlertNotice): string {
  return kind === "route_failing" && route !== null ? `destinations/${route}` : PAGES[kind];
}

const PAGES: Readonly<Record<AlertKind, string>> = {
  failure_rate: "runs?status=failed",
  cost_per_hour: "usage",
  question_age: "questions",
  queue_age: "runs?status=dispatched",
  route_failing: "destinations",
};

const FOUND: Readonly<Record<AlertKind, (notice: AlertNotice) => string>> = {
  failure_rate: ({ failed, runs, window_minutes: window, value }) =>
    `${failed ?? 0} of the ${runs ?? 0} runs that ended in the last ${window ?? 0} minutes failed${
      value === null ? ", too few runs for a rate" : `: ${valueText("failure_rate", value)}`
    }.`,
  cost_per_hour: ({ value }) => `The last 60 minutes cost ${valueText("cost_per_hour", value ?? 0)}.`,
  question_age: ({ value }) =>
    value === null ? "No question is open." : `The oldest open question waits for ${valueText("question_age", value)}.`,
  queue_age: ({ value }) =>
    value === null ? "No run waits in the queue." : `The oldest queued run waits for ${valueText("queue_age", value)}.`,
  route_failing: ({ value, route_name: route }) =>
    route === null
      ? "All deliveries arrive."
      : `${valueText("route_failing", value ?? 0)} of "${route}" failed in a row.`,
};

function valueText(kind: AlertKind, value: number): string {
  switch (kind) {
    case "failure_rate":
      return `${round(value)} %`;
    case "cost_per_hour":
      return `$${value.toFixed(value < 1 ? 4 : 2)}`;
    case "question_age":
    case "queue_age":
      return Math.floor(value) === 1 ? "1 minute" : `${Math.floor(value)} minutes`;
    case "route_failing":
      return value === 1 ? "1 delivery" : `${value} deliveries`;
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
