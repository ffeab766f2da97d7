import type { TeamConfig } from "./team-config.ts";

/** The roles of agents in a team. */
export const MEMBER_ROLES = ["orchestrator", "worker", "reviewer", "participant"] as const;

/** One of {@link MEMBER_ROLES}. */
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** An agent in a config: its path (`config.steps.1.agent_id`), and its role. */
export interface NamedAgent {
  readonly path: string;
  readonly agentId: string;
  readonly role: MemberRole;
}

/** An agent of a team; each is a member once, however often the config names it. */
export interface TeamMember {
  readonly agentId: string;
  readonly role: MemberRole;
  /** Its position among the members, from 0. */
  readonly position: number;
}

/** Returns every agent of a config, in order. An agent that merges the results of others has the role of a reviewer. */
export function namedAgents(config: TeamConfig): readonly NamedAgent[] {
  if ("steps" in config) {
    return config.steps.flatMap((step, index) => [
      ...named(`steps.${index}.agent_id`, "worker", step.agent_id),
      ...namedList(`steps.${index}.parallel_agents`, "worker", step.parallel_agents),
      ...named(`steps.${index}.merge_agent_id`, "reviewer", step.merge_agent_id),
    ]);
  }
  if ("brain_agent_id" in config) {
    return [
      ...named("brain_agent_id", "orchestrator", config.brain_agent_id),
      ...namedList("worker_agent_ids", "worker", config.worker_agent_ids),
    ];
  }
  return [
    ...named("facilitator_agent_id", "orchestrator", config.facilitator_agent_id),
    ...namedList("agent_ids", "participant", config.agent_ids),
  ];
}

/** Returns the members of a team. An agent with several roles gets the first. */
export function membersOf(agents: readonly NamedAgent[]): readonly TeamMember[] {
  const roles = new Map<string, MemberRole>();
  for (const { agentId, role } of agents) if (!roles.has(agentId)) roles.set(agentId, role);
  return [...roles].map(([agentId, role], position) => ({ agentId, role, position }));
}

function named(path: string, role: MemberRole, agentId: string | null | undefined): NamedAgent[] {
  return agentId == null ? [] : [{ path: `config.${path}`, agentId, role }];
}

function namedList(path: string, role: MemberRole, agentIds: readonly string[] = []): NamedAgent[] {
  return agentIds.flatMap((agentId, index) => named(`${path}.${index}`, role, agentId));
}
