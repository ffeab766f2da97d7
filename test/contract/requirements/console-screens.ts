import type { Requirements } from "./requirement.ts";

/** What people see and do on screens of the console. */
export const consoleScreens = {
  "console.agents.week": {
    states: "The list of agents and an agent's runs show what the last 7 days came to.",
    source: "goal",
  },
  "console.agents.used-by": {
    states: "An agent's page lists what uses it, and the dialog that deletes it names what changes with that.",
    source: "goal",
  },
  "console.run.tries": {
    states: "The timeline draws a hatched bar for each try of a model call that failed.",
    source: "goal",
  },
  "console.links.list": {
    states: "The links of a workspace or a question are listed page by page, without their tokens.",
    source: "goal",
  },
  "console.links.revoke": {
    states: "A revoked link answers as one that never existed; making and revoking one is in the audit log.",
    source: "goal",
  },
  "console.pages.access": {
    states: "Keys, members and invitations are listed page by page; no row is lost or shown twice.",
    source: "goal",
  },
} as const satisfies Requirements<"console">;
