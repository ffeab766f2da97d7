import type { Requirements } from "./requirement.ts";

/** Versions of agents. */
export const agentVersions = {
  "agent-versions.each-change": {
    states: "Every change of a field that shapes an agent's runs is a version, whichever surface made it.",
    source: "goal",
  },
  "agent-versions.only-what-shapes-runs": {
    states: "A change of other fields, or to the same values, is none.",
    source: "goal",
  },
  "agent-versions.who": { states: "A version says who made it and when.", source: "goal" },
  "agent-versions.of-run": {
    states: "A task records the version that its attempt ran, as it was dispatched; a retry records its own.",
    source: "goal",
  },
  "agent-versions.of-usage": {
    states: "Each usage record, those of teams' steps too, records the version; none where a fork changed the agent.",
    source: "goal",
  },
  "agent-versions.list": {
    states: "Versions are listed newest first with cursors, and read one by one.",
    source: "goal",
  },
  "agent-versions.diff": {
    states: "Two versions are compared field by field, texts of several lines line by line.",
    source: "goal",
  },
  "agent-versions.restore": {
    states: "A version can be restored, which makes a new one; a saved voice or template that is gone is left out.",
    source: "goal",
  },
  "agent-versions.deleted": { states: "They are deleted with their agent.", source: "goal" },
} as const satisfies Requirements<"agent-versions">;
