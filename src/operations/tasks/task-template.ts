import { invalid } from "#domain/invalid.ts";

/** Suffixes of the constraints by which the database rejects the agent or team of a schedule or a trigger. */
const INVALID_ASSIGNEE_CONSTRAINTS = [
  ["_agent_fkey", "assigned_agent_id", "the workspace has no such agent"],
  ["_team_fkey", "assigned_team_id", "the workspace has no such team"],
  ["_assignee_check", "assigned_agent_id", "name either an agent or a team"],
] as const;

/** The fields that assign the tasks of a schedule or a trigger. */
export interface Assignee {
  readonly assigned_agent_id?: string | null | undefined;
  readonly assigned_team_id?: string | null | undefined;
}

/** A new assignee replaces the previous agent or team. */
export function replaceAssignee<Patch extends Assignee>(patch: Patch): Patch {
  const { assigned_agent_id: agentId, assigned_team_id: teamId } = patch;
  if (agentId != null && teamId == null) return { ...patch, assigned_team_id: null };
  if (teamId != null && agentId == null) return { ...patch, assigned_agent_id: null };
  return patch;
}

/** The database itself checks agents and teams: a reference cannot point outside its workspace. @throws always. */
export function rejectInvalidAssignee(error: unknown): never {
  const constraint = error instanceof Error && "constraint" in error ? String(error.constraint) : "";
  const issue = INVALID_ASSIGNEE_CONSTRAINTS.find(([end]) => constraint.endsWith(end));
  if (issue === undefined) throw error;
  const [, path, message] = issue;
  throw invalid("body", [{ path, message }]);
}
