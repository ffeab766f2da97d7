import type { Requirements } from "./requirement.ts";

/** The audit log: who changed what. */
export const audit = {
  "audit.changes": {
    states:
      "GET /console/api/audit lists who created, changed and deleted which key, member, invitation, budget, route, webhook, agent and provider key, and with which of their own keys.",
    source: "goal",
  },
  "audit.connections": {
    states:
      "The audit log has MCP servers, custom tools, remote agents, triggers, Trello channels, push configurations, teams, knowledge, schedules, exports and sign-ins, with the URL but not its query.",
    source: "goal",
  },
  "audit.deleted-workspaces": {
    states: "Owners of the first workspace read the log of any workspace, also of a deleted one, with its deletion.",
    source: "goal",
  },
  "audit.retention": {
    states: "The log of a deleted workspace is deleted 365 days after the workspace; other entries stay.",
    source: "goal",
  },
  "audit.sign-in-failures": {
    states: "The audit log has each wrong password, in the workspaces of the account.",
    source: "goal",
  },
  "audit.ndjson": {
    states: "GET /console/api/audit?format=ndjson returns all entries that match, one in each line.",
    source: "goal",
  },
  "audit.runs": {
    states: "The audit log lists who answered a question, and who cancelled or deleted a run.",
    source: "goal",
  },
  "audit.same-transaction": {
    states: "An entry is written in the transaction of its change; a failed change writes none.",
    source: "goal",
  },
  "audit.append-only": { states: "No database role of requests can add, change or delete entries.", source: "goal" },
  "audit.secrets": { states: "No entry contains a secret.", source: "goal" },
  "audit.filters": { states: "Entries are filtered by person, action, kind and time, in pages.", source: "goal" },
  "audit.event": {
    states:
      "A route that lists audit.recorded, or an admin's subscription, gets each entry of the audit log; only admins read what was sent.",
    source: "goal",
  },
  "audit.admins": { states: "Admins read the log of their workspace; others do not.", source: "goal" },
} as const satisfies Requirements<"audit">;
