import { useAgents, useTeams } from "../agents/queries.ts";

/** What the values of {@link AssigneeOptions} begin with, before the id. */
export const AGENT = "agent:";
/** See {@link AGENT}. */
export const TEAM = "team:";

/** Who does a task, as the API takes it. */
export type Assignee = { readonly assigned_agent_id: string } | { readonly assigned_team_id: string };

/** Reads the value of an {@link AssigneeOptions}; undefined when none is chosen. */
export function assigneeOf(value: string): Assignee | undefined {
  if (value.startsWith(AGENT)) return { assigned_agent_id: value.slice(AGENT.length) };
  if (value.startsWith(TEAM)) return { assigned_team_id: value.slice(TEAM.length) };
  return undefined;
}

/** The options of a list of agents and teams. */
export function AssigneeOptions() {
  const agents = useAgents().data;
  const teams = useTeams().data;
  return (
    <>
      <optgroup label="Agents">
        {agents?.map(({ id, name }) => (
          <option key={id} value={AGENT + id}>
            {name}
          </option>
        ))}
      </optgroup>
      {teams !== undefined && teams.length > 0 && (
        <optgroup label="Teams">
          {teams.map(({ id, name }) => (
            <option key={id} value={TEAM + id}>
              {name}
            </option>
          ))}
        </optgroup>
      )}
    </>
  );
}
