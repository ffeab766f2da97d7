import type { Reference } from "../resource-kind.ts";

/** Where schedules and triggers name the agent or the team of their tasks. */
export const ASSIGNEES: readonly Reference[] = [
  { at: "assigned_agent_id", to: "agent" },
  { at: "assigned_team_id", to: "team" },
];
