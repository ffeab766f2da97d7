import type { LinkProps } from "@tanstack/react-router";
import type { components } from "#client/gen/schema.ts";
import { cost, count, plural } from "../../lib/format.ts";

/** A rule that is checked once a minute. */
export type Alert = components["schemas"]["Alert"];
/** What a rule watches. */
export type AlertKind = Alert["kind"];

/** The kinds in the order in which they are offered. */
export const KIND_LABELS: Readonly<Record<AlertKind, string>> = {
  failure_rate: "Failure rate",
  cost_per_hour: "Cost per hour",
  question_age: "Unanswered question",
  queue_age: "Waiting in the queue",
  route_failing: "Failing route",
};

/** A value in the unit of its kind; an en dash when nothing was measured. */
export function valueLabel(kind: AlertKind, value: number | null): string {
  if (value === null) return "–";
  switch (kind) {
    case "failure_rate":
      return `${Math.round(value * 10) / 10} %`;
    case "cost_per_hour":
      return cost(value);
    case "question_age":
    case "queue_age":
      return `${count(Math.floor(value))} min`;
    case "route_failing":
      return plural(value, "failed delivery", "failed deliveries");
  }
}

/** The screen that shows what an alert is about. */
export function subjectLink(
  { kind, watched_route_id: route }: Pick<Alert, "kind" | "watched_route_id">,
  workspace: string,
): LinkProps {
  const params = { workspace };
  switch (kind) {
    case "failure_rate":
      return { to: "/w/$workspace/runs", params, search: { status: ["failed"] } };
    case "cost_per_hour":
      return { to: "/w/$workspace/usage", params };
    case "question_age":
      return { to: "/w/$workspace/questions", params };
    case "queue_age":
      return { to: "/w/$workspace/runs", params, search: { status: ["dispatched"] } };
    case "route_failing":
      return route === null
        ? { to: "/w/$workspace/destinations", params }
        : { to: "/w/$workspace/destinations/$id", params: { workspace, id: route } };
  }
}
