import type { TeamConfig } from "#domain/teams/team-config.ts";
import type { TeamRun } from "../run/team-run-context.ts";
import type { Participant, Roster } from "./discussion.ts";

/**
 * The participants of a discussion. A facilitator that chooses speakers or ends the discussion is the moderator, and
 * not a speaker, even if the config lists it among the agents.
 * @throws RunFailure when an agent of the team was deleted
 */
export function resolveRoster(run: TeamRun, config: TeamConfig<"collaboration">): Roster {
  const { agent_ids, facilitator_agent_id: facilitatorId } = config;
  const ids = facilitatorId == null ? agent_ids : [...new Set([...agent_ids, facilitatorId])];
  const everybody = withNames(run, ids);
  const facilitator = everybody.find(({ agent }) => agent.id === facilitatorId);
  const moderator = isModerated(config) ? facilitator : undefined;
  const speakers = everybody.filter((one) => one !== moderator && agent_ids.includes(one.agent.id));
  const [first] = speakers;
  if (first === undefined) throw new Error("A discussion has at least two agents.");
  return { speakers, moderator, selector: facilitator ?? first };
}

function isModerated({ speaker_selection, termination_condition }: TeamConfig<"collaboration">): boolean {
  return speaker_selection === "facilitator" || termination_condition === "facilitator_decision";
}

function withNames(run: TeamRun, ids: readonly string[]): Participant[] {
  const taken = new Set<string>();
  return ids.map((id) => {
    const agent = run.agent(id);
    let name = agent.name;
    for (let copy = 2; taken.has(name.toLowerCase()); copy++) name = `${agent.name} (${copy})`;
    taken.add(name.toLowerCase());
    return { agent, name };
  });
}
