import type { LinkProps } from "@tanstack/react-router";
import type { UsagePlace } from "./queries.ts";

/** The kinds in the order in which they are shown, with their names. */
export const KINDS = [
  { kind: "team", one: "team", many: "teams" },
  { kind: "schedule", one: "schedule", many: "schedules" },
  { kind: "trigger", one: "trigger", many: "triggers" },
  { kind: "trello_channel", one: "Trello board", many: "Trello boards" },
  { kind: "webhook", one: "webhook", many: "webhooks" },
  { kind: "budget", one: "budget", many: "budgets" },
  { kind: "alert", one: "alert", many: "alerts" },
  { kind: "route", one: "destination", many: "destinations" },
] as const satisfies readonly { kind: UsagePlace["kind"]; one: string; many: string }[];

/** The screen that shows a record. */
export function linkTo({ kind, id }: UsagePlace, workspace: string): LinkProps {
  const params = { workspace, id };
  switch (kind) {
    case "team":
      return { to: "/w/$workspace/teams/$id", params };
    case "schedule":
      return { to: "/w/$workspace/schedules/$id", params };
    case "trigger":
      return { to: "/w/$workspace/triggers/$id", params };
    case "trello_channel":
      return { to: "/w/$workspace/triggers", params: { workspace } };
    case "webhook":
      return { to: "/w/$workspace/destinations", params: { workspace }, search: { tab: "webhooks" } };
    case "budget":
      return { to: "/w/$workspace/usage", params: { workspace } };
    case "alert":
      return { to: "/w/$workspace/alerts", params: { workspace }, search: { alert: id } };
    case "route":
      return { to: "/w/$workspace/destinations/$id", params };
  }
}
