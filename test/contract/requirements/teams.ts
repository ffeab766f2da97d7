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
  "teams.draft.said": {
    states: "null, {} and the config that a draft shows make a draft, on create and on change.",
    source: "decision",
  },
  "teams.draft.run-rejected": {
    states: "A run of a draft is 409, and the error says in plain words what is missing.",
    source: "decision",
  },
  "teams.draft.run-fails": {
    states: "A run that a schedule starts for a draft fails, and its error says in plain words what is missing.",
    source: "goal",
  },
  "teams.create.mode-values": {
    states: "mode is pipeline, orchestrator or collaboration; anything else is 400.",
    source: "contract",
  },
  "teams.create.config-by-mode": {
    states: "config is validated by the rules of its mode; an error contains the path of the issue.",
    source: "decision",
  },
  "teams.create.foreign-agent-400": {
    states: "An agent in config from outside the workspace is 400 with its path.",
    source: "decision",
  },
  "teams.patch.returns-record": {
    states: "PATCH changes only the fields in its body and returns the team.",
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
    states: "An orchestrator's config has brain_agent_id and at least one worker in worker_agent_ids.",
    source: "decision",
  },
  "teams.orchestrator.config-defaults": {
    states: "Defaults: quality_threshold 0.7, max_delegation_depth 3, max_iterations 20 and routing_strategy auto.",
    source: "decision",
  },
  "teams.collaboration.config-shape": {
    states: "A collaboration's config has at least two agents in agent_ids.",
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
    states: 'Defaults: max_turns 10 and consensus_phrase "I agree with the consensus".',
    source: "decision",
  },
  "teams.collaboration.facilitator": {
    states: "facilitator_agent_id is the agent that chooses the speaker or ends the discussion.",
    source: "decision",
  },
  "teams.memory.config": {
    states: "memory has enabled (default false) and limit (default 3, from 1 to 10), in every mode.",
    source: "goal",
  },
  "teams.memory.kept": {
    states:
      "A team with memory stores one memory of each attempt of a run that completes or fails, written with the attempt's end.",
    source: "goal",
  },
  "teams.memory.told": {
    states:
      "The agents of a run get the outcomes of the most similar earlier runs in a section Team Memory, at most limit of them.",
    source: "goal",
  },
  "teams.memory.found": {
    states:
      "Memories are searched like knowledge: by keywords, and by meaning where a provider embeds. A failed search fails no run.",
    source: "goal",
  },
  "teams.memory.recorded": {
    states: "The memories of a run are recorded: it gets the same ones when it continues, and so does a fork of it.",
    source: "goal",
  },
  "teams.memory.listed": {
    states: "GET /console/api/teams/{id}/memories lists memories newest first, page by page.",
    source: "goal",
  },
  "teams.memory.deleted": {
    states: "Memories can be deleted individually or all together, and are deleted with their team.",
    source: "goal",
  },
} as const satisfies Requirements<"teams">;
