import type { Requirements } from "./requirement.ts";

/** Rules that report what goes wrong. */
export const alerts = {
  "alerts.kinds": {
    states:
      "An alert fires from a threshold on: the share of ended runs that failed, the cost of an hour, the age of an open question or a queued run, failed deliveries of a route in a row.",
    source: "goal",
  },
  "alerts.min-runs": {
    states: "A failure rate needs a minimum number of ended runs; with fewer, the alert does not fire.",
    source: "goal",
  },
  "alerts.once": {
    states: "An alert sends one event when it starts to fire and one when it is resolved, and none while it stays.",
    source: "goal",
  },
  "alerts.two-processes": {
    states: "With two processes, each change of an alert's state is sent once.",
    source: "goal",
  },
  "alerts.one-transaction": {
    states:
      "The change of a state and its delivery are one transaction: a failure between them loses and repeats none.",
    source: "goal",
  },
  "alerts.fair": {
    states: "Alerts are checked in turn by workspace; one that cannot be checked delays no other.",
    source: "goal",
  },
  "alerts.paused": {
    states: "Runs that wait because new work is paused do not count as queued.",
    source: "goal",
  },
  "alerts.disabled": {
    states: "A disabled alert is not checked and is ok; enabled again, it is checked immediately.",
    source: "goal",
  },
  "alerts.deleted": {
    states:
      "An alert about a deleted agent, team or route is deleted with it; one whose destination was deleted says so and sends nothing.",
    source: "goal",
  },
  "alerts.manage": {
    states: "Members create, change, enable, disable and delete alerts; viewers read them. Bad fields are named.",
    source: "goal",
  },
  "alerts.limit": { states: "A plan limits the number of alerts.", source: "goal" },
  "alerts.test": { states: "A marked test of an alert is sent to its destination.", source: "goal" },
  "alerts.audit": {
    states: "The audit log records created, changed and deleted alerts, and none of their checks.",
    source: "goal",
  },
  "alerts.overview": { states: "The overview lists the alerts that fire, and Home shows them.", source: "goal" },
  "alerts.console": { states: "The console lists, creates, changes, tests and deletes alerts.", source: "goal" },
  "alerts.cli": { states: "The command line manages alerts.", source: "goal" },
} as const satisfies Requirements<"alerts">;
