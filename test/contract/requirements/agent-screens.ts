import type { Requirements } from "./requirement.ts";

/** Agents, tools and what an agent is configured with, as the console shows them. */
export const agentScreens = {
  "agent-screens.filters": {
    states: "GET /functions/v1/api-agents finds agents by text, status and tag; all filters have to fit.",
    source: "goal",
  },
  "agent-screens.stats": {
    states:
      "GET /console/api/agents/{id}/stats tells an agent's runs, successes, durations, tokens and cost by hour or day; /agents/stats tells them of up to 100 agents.",
    source: "goal",
  },
  "agent-screens.stats.counters": {
    states: "The figures of agents are read from counters by hour; no task is read for them.",
    source: "goal",
  },
  "agent-screens.used-by": {
    states:
      "GET /console/api/agents/{id}/used-by and /teams/{id}/used-by list what names an agent or a team, and where others can call it.",
    source: "goal",
  },
  "agent-screens.built-in-tools": {
    states:
      "GET /console/api/tools/built-in lists the tools of the program with their schemas, and the setting that one lacks.",
    source: "goal",
  },
  "agent-screens.key-test": {
    states:
      "A test of a provider's key makes one call, with the stored key or one that is given, and says what the provider answered.",
    source: "goal",
  },
  "agent-screens.key-test.secret": {
    states:
      "Neither a stored key nor one that is tried is in the answer of a test, and a key that is tried is not stored.",
    source: "goal",
  },
  "agent-screens.key-test.guard": {
    states:
      "A test needs the role admin, reaches no private address that the operator did not allow, and is limited per minute.",
    source: "goal",
  },
  "agent-screens.edit": {
    states:
      "An agent's form keeps unsaved changes over a reload and names them; saving makes a version; versions are compared by word and restored.",
    source: "goal",
  },
  "agent-screens.try": {
    states: "An agent is tried in a conversation beside its form, which says what is not saved and so not tried.",
    source: "goal",
  },
  "agent-screens.tool-secret": {
    states: "The value of a tool's header is never in the page again once it is saved; its last four characters are.",
    source: "goal",
  },
  "agent-screens.tool-test": {
    states: "A custom tool is called from its form as it is saved, and each call is in its log.",
    source: "goal",
  },
  "agent-screens.key-test.dialog": {
    states: "A key is tested from its dialog before it is stored, and the dialog says what the provider answered.",
    source: "goal",
  },
  "agent-screens.saved": {
    states: "Voices and output templates that agents share are made, changed and deleted in the settings.",
    source: "goal",
  },
} as const satisfies Requirements<"agent-screens">;
