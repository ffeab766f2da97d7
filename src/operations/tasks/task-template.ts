import { invalid } from "#domain/invalid.ts";

/** What the database rejects about the agent or team of a schedule or a trigger: the ends of the constraints' names. */
const UNFIT = [
  ["_agent_fkey", "assigned_agent_id", "the workspace has no such agent"],
  ["_team_fkey", "assigned_team_id", "the workspace has no such team"],
  ["_assignee_check", "assigned_agent_id", "name either an agent or a team"],
] as const;

/** The fields that say who gets the tasks of a schedule or a trigger. */
export interface Assignee {
  readonly assigned_agent_id?: string | null | undefined;
  readonly assigned_team_id?: string | null | undefined;
}

/** Who is assigned takes the place of the agent or the team that was. */
export function withOneAssignee<Patch extends Assignee>(patch: Patch): Patch {
  const { assigned_agent_id: agentId, assigned_team_id: teamId } = patch;
  if (agentId != null && teamId == null) return { ...patch, assigned_team_id: null };
  if (teamId != null && agentId == null) return { ...patch, assigned_agent_id: null };
  return patch;
}

/** Agents and teams are checked by the database itself: a reference never leaves its workspace. @throws always. */
export function rejectInvalidAssignee(error: unknown): never {
  const constraint = error instanceof Error && "constraint" in error ? String(error.constraint) : "";
  const fault = UNFIT.find(([end]) => constraint.endsWith(end));
  if (fault === undefined) throw error;
  const [, path, message] = fault;
  throw invalid("body", [{ path, message }]);
}
