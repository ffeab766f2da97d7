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
