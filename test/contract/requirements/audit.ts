import type { Requirements } from "./requirement.ts";

/** The audit log: who changed what. */
export const audit = {
  "audit.changes": {
    states:
      "GET /console/api/audit lists who created, changed and deleted which key, member, invitation, budget, route, webhook, agent and provider's key, and with which key of their own.",
    source: "goal",
  },
  "audit.runs": { states: "It lists who answered a question and who cancelled a run.", source: "goal" },
  "audit.same-transaction": {
    states: "An entry is written in the transaction of the change; a change that fails leaves none.",
    source: "goal",
  },
  "audit.append-only": { states: "No role of a request can add, change or delete entries.", source: "goal" },
  "audit.secrets": { states: "No entry holds a secret.", source: "goal" },
  "audit.filters": { states: "Entries are found by person, action, kind and time, in pages.", source: "goal" },
  "audit.admins": { states: "Admins read the log of their workspace; others do not.", source: "goal" },
} as const satisfies Requirements<"audit">;
