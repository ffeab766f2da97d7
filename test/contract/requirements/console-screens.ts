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
  "console.details.steady": {
    states: "Usage shows its parts together, so that none moves those below it while the page loads.",
    source: "goal",
  },
  "console.details.not-found": {
    states: "The page of a run that is not there leads back to Runs.",
    source: "goal",
  },
  "console.details.new-agent": {
    states:
      "What is typed for a new agent survives a reload of the tab, until the agent is created or it is discarded.",
    source: "goal",
  },
  "console.details.run-title": {
    states: "The title of a team run is the first line of its input; all of the input is on its page.",
    source: "goal",
  },
  "console.details.model-fault": {
    states:
      "An agent whose model provider, or that of its fallback model, is not set up is marked in the list and on its page, with a link to set it up.",
    source: "goal",
  },
  "console.details.times": {
    states: "A time of a schedule or a delivery to a trigger appears on its page as it happens.",
    source: "goal",
  },
  "console.run.branches": {
    states: "A run of 20 branches is one row that opens to few; cancelling it stops all of them, for good.",
    source: "goal",
  },
  "console.viewer": {
    states: "A viewer finds no control that would be rejected: what writes is disabled, with the role that it needs.",
    source: "goal",
  },
  "console.errors": {
    states:
      "Every screen tells an answer that is no data, and a lost connection, in the place of its content: the service's words, the request's id, and Retry.",
    source: "goal",
  },
  "console.pickers.all": {
    states: "Names and tags of agents are shown however many agents there are.",
    source: "goal",
  },
  "console.pickers": {
    states: "Agents and teams are chosen from a list; from more than 50 by searching at the server, by keys alone.",
    source: "goal",
  },
  "console.mcp-server": {
    states:
      "The tools of an MCP server are listed before it is saved; the values of its headers are never shown again.",
    source: "goal",
  },
} as const satisfies Requirements<"console">;
