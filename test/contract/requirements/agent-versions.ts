import type { Requirements } from "./requirement.ts";

/** Versions of agents. */
export const agentVersions = {
  "agent-versions.each-change": {
    states: "Every change of a field that affects an agent's runs creates a version, on every surface.",
    source: "goal",
  },
  "agent-versions.only-what-shapes-runs": {
    states: "A change of other fields, or to the same values, creates no version.",
    source: "goal",
  },
  "agent-versions.who": { states: "A version records its creator and its time.", source: "goal" },
  "agent-versions.of-run": {
    states: "A task records the version that its attempt was dispatched with; a retry records its own.",
    source: "goal",
  },
  "agent-versions.of-usage": {
    states: "Each usage record, also of a team's step, records the version, except where a fork changed the agent.",
    source: "goal",
  },
  "agent-versions.list": {
    states: "Versions are listed newest first with cursors, and read individually.",
    source: "goal",
  },
  "agent-versions.diff": {
    states: "Two versions are compared field by field, and texts of several lines line by line.",
    source: "goal",
  },
  "agent-versions.restore": {
    states: "Restoring a version creates a new one, without a saved voice or template that no longer exists.",
    source: "goal",
  },
  "agent-versions.deleted": { states: "Versions are deleted with their agent.", source: "goal" },
} as const satisfies Requirements<"agent-versions">;
