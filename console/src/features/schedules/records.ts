import type { components } from "#client/gen/schema.ts";

/** A schedule. */
export type Schedule = components["schemas"]["Schedule"];
/** What became of a time of a schedule. */
export type Fire = components["schemas"]["ScheduleFire"];
/** The template of the tasks that a schedule or a trigger creates. */
export type Template = Pick<Schedule, "assigned_agent_id" | "assigned_team_id" | "title" | "description" | "priority">;
