import type { Requirements } from "./requirement.ts";

/** Agents, tools and what an agent is configured with, as the console shows them. */
export const agentScreens = {
  "agent-screens.filters": {
    states:
      "GET /functions/v1/api-agents filters agents by text, status and tag; an agent must match all filters. GET /console/api/agents/tags lists all tags.",
    source: "goal",
  },
  "agent-screens.stats": {
    states:
      "GET /console/api/agents/{id}/stats returns an agent's runs, successes, durations, tokens and cost by hour or day; /agents/stats returns them for up to 100 agents.",
    source: "goal",
  },
  "agent-screens.stats.waiting": {
    states: "The statistics of an agent say whether all of its runs in progress wait for a person.",
    source: "goal",
  },
  "agent-screens.stats.counters": {
    states:
      "Agents' statistics are read from sums by day, and by hour where a day is asked for in part, not from tasks.",
    source: "goal",
  },
  "agent-screens.used-by": {
    states:
      "GET /console/api/agents/{id}/used-by and /teams/{id}/used-by list all references to an agent or a team, and where others can call it.",
    source: "goal",
  },
  "agent-screens.built-in-tools": {
    states: "GET /console/api/tools/built-in lists the built-in tools with their schemas and any missing setting.",
    source: "goal",
  },
  "agent-screens.key-test": {
    states:
      "A test of a provider's key makes one call, with the stored key or a given one, and returns the provider's response.",
    source: "goal",
  },
  "agent-screens.key-test.secret": {
    states: "The response of a test contains neither a stored nor a given key; a given key is not stored.",
    source: "goal",
  },
  "agent-screens.key-test.guard": {
    states:
      "A test needs the role admin, is limited per minute, and rejects private addresses that the operator does not allow.",
    source: "goal",
  },
  "agent-screens.edit": {
    states:
      "An agent's form keeps and lists unsaved changes over a reload. Saving creates a version; versions are compared by word and restored.",
    source: "goal",
  },
  "agent-screens.model-settings": {
    states:
      "An agent's form has the settings that its model takes, and the reason why another one is not there. Fallback models, output schema and caching are set there.",
    source: "goal",
  },
  "agent-screens.run-settings": {
    states: "An agent's form says who gives approvals, and whether a run ends when its AG-UI client disconnects.",
    source: "goal",
  },
  "agent-screens.try": {
    states: "A conversation beside an agent's form tries the saved agent and lists unsaved changes.",
    source: "goal",
  },
  "agent-screens.try-other-agent": {
    states: "A conversation of another agent is not shown in the tab Try; the tab links to that agent.",
    source: "goal",
  },
  "agent-screens.playground": {
    states:
      "In the tab Try, conversations are listed and are URLs; a reply is run again with edits, shown beside the first with differences, cost and time, and its settings are saved as a version.",
    source: "goal",
  },
  "agent-screens.try-question": {
    states: "In the tab Try, a question of the agent is shown with its form and answered in the conversation.",
    source: "goal",
  },
  "agent-screens.try-stop": {
    states: "In the tab Try, Stop ends the answer in progress; the next message continues the conversation.",
    source: "goal",
  },
  "agent-screens.try-scroll": {
    states: "A streamed answer in the tab Try stays in view; a person who scrolls up to read is not taken back down.",
    source: "goal",
  },
  "agent-screens.try-resend": {
    states: "In the tab Try, a first message whose response was lost is sent again to the same task.",
    source: "goal",
  },
  "agent-screens.tool-secret": {
    states: "A saved header value of a tool is never on the page again, except for its last four characters.",
    source: "goal",
  },
  "agent-screens.tool-list": {
    states: "The custom tools, and the calls of each, are listed in pages, to the last one.",
    source: "goal",
  },
  "agent-screens.tool-test": {
    states: "The form of a custom tool calls the saved tool; the log contains each call.",
    source: "goal",
  },
  "agent-screens.key-test.dialog": {
    states: "The dialog of a key tests it before it is stored and shows the provider's response.",
    source: "goal",
  },
  "agent-screens.key-fields": {
    states: "The form of a provider's connection has its resource, region, project or API, and says what its key is.",
    source: "goal",
  },
  "agent-screens.saved": {
    states: "The settings create, change and delete voices and output templates that agents share.",
    source: "goal",
  },
} as const satisfies Requirements<"agent-screens">;
