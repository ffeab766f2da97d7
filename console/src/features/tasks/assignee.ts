import { pickedValue, readPicked } from "../pickers/records.ts";

/** Who may do a task. */
export const ASSIGNEE_KINDS = ["agent", "team"] as const;

/** Who does a task, as the API takes it. */
export type Assignee = { readonly assigned_agent_id: string } | { readonly assigned_team_id: string };

/** Reads the value of a picker; undefined when none is chosen. */
export function assigneeOf(value: string): Assignee | undefined {
  const picked = readPicked(value);
  if (picked === undefined) return undefined;
  return picked.kind === "agent" ? { assigned_agent_id: picked.id } : { assigned_team_id: picked.id };
}

/** The assignee of a record as the value of a picker; undefined for none. */
export function assigneeValue(of: {
  readonly assigned_agent_id: string | null;
  readonly assigned_team_id: string | null;
}): string | undefined {
  if (of.assigned_agent_id !== null) return pickedValue("agent", of.assigned_agent_id);
  return of.assigned_team_id === null ? undefined : pickedValue("team", of.assigned_team_id);
}
