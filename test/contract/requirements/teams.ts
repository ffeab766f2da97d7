import type { Requirements } from "./requirement.ts";

/** Teams: fields, members and the configuration of each mode. */
export const teams = {
  "teams.list.with-members": {
    states: "GET lists the workspace's teams, each with its members.",
    source: "contract",
  },
  "teams.get.one": { states: "GET with an id returns one team.", source: "contract" },
  "teams.create.returns-record": {
    states: "POST creates a team from name, description, mode and config and returns it.",
    source: "contract",
  },
  "teams.create.mode-values": {
    states: "mode is pipeline, orchestrator or collaboration; anything else is 400.",
    source: "contract",
  },
  "teams.create.config-by-mode": {
    states: "config is validated by the rules of its mode, and a fault names its path.",
    source: "decision",
  },
  "teams.create.foreign-agent-400": {
    states: "An agent in config that is not of the workspace is 400 with its path.",
    source: "decision",
  },
  "teams.patch.returns-record": {
    states: "PATCH changes the fields it names and returns the team.",
    source: "contract",
  },
  "teams.delete.removes": { states: "DELETE removes the team.", source: "contract" },
  "teams.record.extra-fields": {
    states: "A team record has output_route_ids, is_marketplace, members, created_at and updated_at.",
    source: "decision",
  },
  "teams.record.member-shape": {
    states: "A member has id, agent_id, role, position and config.",
    source: "decision",
  },
  "teams.record.member-roles": {
    states: "A member's role is orchestrator, worker, reviewer or participant.",
    source: "decision",
  },
  "teams.pipeline.config-shape": {
    states: "A pipeline's config has an array steps and a boolean auto_handoff.",
    source: "contract",
  },
  "teams.pipeline.step-fields": {
    states: "A step has agent_id, step_name, instructions, expected_output, on_failure and max_retries.",
    source: "contract",
  },
  "teams.pipeline.step-fan-out-fields": {
    states:
      "A step may be of type sequential or fan_out, with parallel_agents, merge_agent_id, merge_instructions and fan_out_failure.",
    source: "decision",
  },
  "teams.pipeline.fan-out-failure-values": {
    states: "fan_out_failure is fail_fast or continue_on_partial.",
    source: "decision",
  },
  "teams.pipeline.on-failure-values": {
    states: "on_failure is retry, stop or skip, and stop when absent.",
    source: "decision",
  },
  "teams.pipeline.max-retries-range": {
    states: "max_retries is 0 to 10.",
    source: "decision",
  },
  "teams.orchestrator.config-shape": {
    states: "An orchestrator's config names brain_agent_id and at least one worker in worker_agent_ids.",
    source: "decision",
  },
  "teams.orchestrator.config-defaults": {
    states:
      "quality_threshold is 0.7, max_delegation_depth 3, max_iterations 20 and routing_strategy auto unless given.",
    source: "decision",
  },
  "teams.collaboration.config-shape": {
    states: "A collaboration's config names at least two agents in agent_ids.",
    source: "decision",
  },
  "teams.collaboration.speaker-selection-values": {
    states: "speaker_selection is round_robin, llm_select or facilitator.",
    source: "decision",
  },
  "teams.collaboration.termination-values": {
    states: "termination_condition is max_turns, consensus or facilitator_decision.",
    source: "decision",
  },
  "teams.collaboration.config-defaults": {
    states: 'max_turns is 10 and consensus_phrase "I agree with the consensus" unless given.',
    source: "decision",
  },
  "teams.collaboration.facilitator": {
    states: "facilitator_agent_id names the agent that chooses or ends when the facilitator does so.",
    source: "decision",
  },
  "teams.memory.config": {
    states: "memory is enabled (false unless given) and limit (3, from 1 to 10), in every mode.",
    source: "goal",
  },
  "teams.memory.kept": {
    states:
      "A team that remembers has a memory of each attempt of a run that completed or failed, written with its end and once.",
    source: "goal",
  },
  "teams.memory.told": {
    states:
      "The agents of a run are told in a section Team Memory what came of the earlier runs most like its task, at most limit of them.",
    source: "goal",
  },
  "teams.memory.found": {
    states:
      "Memories are searched as knowledge is: by words, and by meaning where a provider embeds; one that fails fails no run.",
    source: "goal",
  },
  "teams.memory.recorded": {
    states: "What a run is told is recorded: it is told the same when it continues, and so is a fork of it.",
    source: "goal",
  },
  "teams.memory.listed": {
    states: "GET /console/api/teams/{id}/memories lists them newest first, page by page.",
    source: "goal",
  },
  "teams.memory.deleted": {
    states: "They can be deleted one by one and all at once, and go with their team.",
    source: "goal",
  },
} as const satisfies Requirements<"teams">;
