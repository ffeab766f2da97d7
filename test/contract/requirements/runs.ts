import type { Requirements } from "./requirement.ts";

/** Team runs: the endpoint, the record, its messages, and how each mode executes. */
export const runs = {
  "runs.links.off": {
    states: "Links to runs are disabled until an admin allows them; disabling them ends existing links.",
    source: "goal",
  },
  "runs.links.shows": {
    states:
      "A link shows one attempt of a run without an account, live, to read only: its request and result, and its steps and cost where its creator wants; never what was sent to a model, nor another run.",
    source: "goal",
  },
  "runs.links.end": {
    states:
      "A link to a run ends at its expiry, with the run or its creator's membership, and when it is revoked; its token is stored as a hash only, and the audit log has its creation and its revocation.",
    source: "goal",
  },
  "runs.links.limits": {
    states: "A run has at most 20 open links; reads by one link are limited, with Retry-After.",
    source: "goal",
  },
  "runs.links.page": {
    states: "The page of a link asks search engines not to index it, and sends no referrer.",
    source: "goal",
  },
  "runs.links.console": {
    states: "The page of a run makes links and revokes them; at 360 px a person without an account reads the run.",
    source: "goal",
  },
  "runs.feedback": {
    states:
      "A person gives a run, or one message of it, a thumb, a note and a corrected answer; a second time replaces the first. The run's record has all of it.",
    source: "goal",
  },
  "runs.feedback.list": {
    states: "The list of runs counts the feedback of the current attempt, and is filtered by it.",
    source: "goal",
  },
  "runs.feedback.refused": {
    states: "Feedback that says nothing, is unknown or too long, or is about no run, is rejected with the reason.",
    source: "goal",
  },
  "runs.feedback.roles": {
    states: "Members give feedback and withdraw their own; admins withdraw anybody's.",
    source: "goal",
  },
  "runs.feedback.ag-ui": {
    states: "POST /ag-ui/runs/{runId}/feedback records what the user of a client says of a run or a message.",
    source: "goal",
  },
  "runs.feedback.gone": { states: "Feedback is deleted with its run.", source: "goal" },
  "runs.feedback.console": {
    states:
      "In the console feedback is given on the page of a run, at a message and after an answer; the list shows it.",
    source: "goal",
  },
  "runs.list.all": {
    states: "GET lists the runs of the workspace.",
    source: "contract",
  },
  "runs.list.by-team": {
    states: "GET with team_id lists the runs of that team.",
    source: "contract",
  },
  "runs.get.with-messages": {
    states: "GET with an id returns one run including its messages.",
    source: "contract",
  },
  "runs.create.starts": {
    states: "POST with team_id and input_task starts a run and returns it.",
    source: "contract",
  },
  "runs.create.fields-required": {
    states: "A missing team_id or input_task is 400 with its path.",
    source: "contract",
  },
  "runs.create.foreign-team-404": {
    states: "A run of an unknown or foreign team is 404.",
    source: "decision",
  },
  "runs.record.fields": {
    states:
      "A run has id, team_id, workspace_id, status, input_task, output, error, current_step_idx, usage, created_by, created_at, started_at and completed_at.",
    source: "decision",
  },
  "runs.record.statuses": {
    states: "A run is pending, running, waiting_for_input, completed, failed or cancelled.",
    source: "decision",
  },
  "runs.record.message-fields": {
    states:
      "A message has id, run_id, sender_agent_id, receiver_agent_id, message_type, content, metadata, step_idx, tokens_used and created_at.",
    source: "decision",
  },
  "runs.record.message-types": {
    states:
      "message_type is delegation, handoff, broadcast, tool_call, result, system, rejection, revision_request or discussion.",
    source: "decision",
  },
  "runs.patch.cancel": {
    states: "PATCH with status cancelled cancels a run that is not terminal.",
    source: "decision",
  },
  "runs.patch.rerun": {
    states: "PATCH with status pending runs a terminal run again.",
    source: "decision",
  },
  "runs.patch.unchanged": {
    states: "The status that a run has is no change, in any state: 200.",
    source: "decision",
  },
  "runs.patch.other-status-409": {
    states: "Any other status is 409.",
    source: "decision",
  },
  "runs.fork.starts": {
    states:
      "POST /console/api/runs/{id}/fork with from_step starts a run of the same team on the same input; its forked_from contains the original run and the step.",
    source: "decision",
  },
  "runs.fork.reuses": {
    states: "A fork of a pipeline's run reuses the outputs of the earlier steps; none of them is repeated.",
    source: "decision",
  },
  "runs.fork.collaboration": {
    states:
      "A fork of a collaboration starts at a turn: its thread and messages contain the earlier turns, and no agent repeats them.",
    source: "decision",
  },
  "runs.fork.orchestrator": {
    states:
      "A fork of an orchestrator's run starts at an iteration of the brain: it reuses the earlier calls, their results and the workers' replies, and pays for none of them again.",
    source: "decision",
  },
  "runs.fork.own-usage": {
    states: "The usage of a fork covers its own steps only.",
    source: "decision",
  },
  "runs.fork.changes": {
    states:
      "changes.prompt replaces the instructions of the step and changes.model the model of its agents, in that run and in forks of it.",
    source: "decision",
  },
  "runs.fork.aside": {
    states: "In a collaboration and with an orchestrator changes.prompt is an additional message at the step.",
    source: "decision",
  },
  "runs.fork.changed-answer": {
    states:
      "changes.answer as an object replaces a person's answer in the step: work before the question is reused, work after it is repeated.",
    source: "goal",
  },
  "runs.fork.answer": {
    states:
      "changes.answer as a text replaces the step's output, and the run continues after the step; an orchestrator's run ends with it.",
    source: "decision",
  },
  "runs.fork.rerun": {
    states: "A fork that is run again starts at its step again, with its changes.",
    source: "decision",
  },
  "runs.fork.stream": {
    states:
      "The event log of a fork contains its own steps; work reused inside a turn is logged without text and costs.",
    source: "decision",
  },
  "runs.fork.refusals": {
    states:
      "An unknown step or model and an answer that does not fit are 400. A step that the run has not reached, an answer that was never given and a deleted team are 409.",
    source: "decision",
  },
  "runs.retry.purged": {
    states:
      "A task whose steps were deleted after the retention cannot be retried, or forked from a later call: 409, and it is run again instead. One that never started can be retried.",
    source: "goal",
  },
  "runs.retry.from-failed-step": {
    states:
      "POST /console/api/runs/{id}/retry forks a failed or cancelled run of any mode from its last step; any other state is 409.",
    source: "decision",
  },
  "runs.pipeline.in-order": {
    states: "A pipeline runs its steps in the order of its config.",
    source: "contract",
  },
  "runs.pipeline.step-prompt-sections": {
    states:
      "A step's prompt has the sections Task, Previous Step Output, Fan-Out Results, Your Instructions, Expected Output Format and Pipeline Context as second-level headings.",
    source: "decision",
  },
  "runs.pipeline.output-last-step": {
    states: "The output of a pipeline is that of its last step that was not skipped.",
    source: "decision",
  },
  "runs.pipeline.retry": {
    states: "A failing step with on_failure retry is retried up to max_retries times.",
    source: "contract",
  },
  "runs.pipeline.retry-back-off": {
    states: "Retries wait one second, doubled each time; after the last one the run stops.",
    source: "decision",
  },
  "runs.pipeline.stop": {
    states: "A failing step with on_failure stop fails the run.",
    source: "decision",
  },
  "runs.pipeline.skip": {
    states: "A failing step with on_failure skip is skipped and the run continues.",
    source: "decision",
  },
  "runs.pipeline.handoff-approval": {
    states: "With auto_handoff false the run waits for an approval between steps.",
    source: "decision",
  },
  "runs.pipeline.fan-out-parallel": {
    states: "The agents of a fan_out step work concurrently.",
    source: "decision",
  },
  "runs.pipeline.fan-out-merge": {
    states: "merge_agent_id combines the results of a fan_out step by merge_instructions.",
    source: "decision",
  },
  "runs.pipeline.fan-out-fail-fast": {
    states: "With fail_fast one failing branch fails the step.",
    source: "decision",
  },
  "runs.pipeline.fan-out-partial": {
    states: "With continue_on_partial the step continues with the successful branches.",
    source: "decision",
  },
  "runs.orchestrator.delegate": {
    states: "The brain's tool delegate_to_worker takes agent_id and instruction and returns the worker's reply.",
    source: "decision",
  },
  "runs.orchestrator.delegate-parallel": {
    states: "Several delegations in one turn of the brain run concurrently.",
    source: "decision",
  },
  "runs.orchestrator.revision": {
    states: "request_revision takes delegation_id and feedback and returns the work to its worker.",
    source: "decision",
  },
  "runs.orchestrator.revision-depth": {
    states: "A delegation is revised at most max_delegation_depth times.",
    source: "decision",
  },
  "runs.orchestrator.accept": {
    states: "accept_result takes delegation_id and score and records the score.",
    source: "decision",
  },
  "runs.orchestrator.quality-threshold": {
    states: "A score below quality_threshold does not accept a result as long as it can be revised.",
    source: "decision",
  },
  "runs.orchestrator.final-answer": {
    states: "final_answer takes output and ends the run with it.",
    source: "decision",
  },
  "runs.orchestrator.max-iterations": {
    states: "A brain that does not end within max_iterations turns fails the run.",
    source: "decision",
  },
  "runs.orchestrator.own-prompt-kept": {
    states: "The brain keeps its own system prompt and voice.",
    source: "decision",
  },
  "runs.orchestrator.delegations-readable": {
    states: "Delegations are stored and can be read with the run.",
    source: "decision",
  },
  "runs.orchestrator.workers-only": {
    states: "Only the team's workers get work; for any other id the brain gets a list of the workers.",
    source: "goal",
  },
  "runs.orchestrator.ping-pong": {
    states: "The same worker gets the same instruction at most twice.",
    source: "goal",
  },
  "runs.orchestrator.plain-answer": {
    states: "A brain that replies in plain text ends the run with that reply.",
    source: "goal",
  },
  "runs.orchestrator.worker-failure": {
    states: "A failing worker fails its delegation, not the run.",
    source: "goal",
  },
  "runs.collaboration.round-robin": {
    states: "With round_robin the agents speak in turn.",
    source: "decision",
  },
  "runs.collaboration.llm-select": {
    states: "With llm_select a model chooses the next speaker among the agents.",
    source: "decision",
  },
  "runs.collaboration.facilitator-select": {
    states: "With facilitator the facilitator chooses the next speaker.",
    source: "decision",
  },
  "runs.collaboration.max-turns": {
    states: "The discussion ends after max_turns turns.",
    source: "decision",
  },
  "runs.collaboration.consensus": {
    states:
      "The discussion ends when at least half of the last N messages contain the consensus phrase, N being the number of agents.",
    source: "decision",
  },
  "runs.collaboration.facilitator-ends": {
    states: "The facilitator ends the discussion with DISCUSSION COMPLETE.",
    source: "decision",
  },
  "runs.collaboration.output": {
    states: "A collaboration's output contains its last contribution and the whole thread.",
    source: "decision",
  },
  "runs.collaboration.own-settings": {
    states: "A speaker uses its own system prompt, voice, tools, max_tokens and fallback model.",
    source: "goal",
  },
  "runs.modes.voice-and-tools": {
    states: "In every mode each agent uses its own voice, tools, knowledge, max_tokens and fallback model.",
    source: "decision",
  },
  "runs.modes.usage-per-step": {
    states: "Every mode writes a usage record per step.",
    source: "decision",
  },
  "runs.record.usage-by-turn": {
    states: "A single run's record has usage_by_turn: the usage of each agent turn, in tokens and dollars.",
    source: "goal",
  },
  "runs.modes.messages": {
    states: "Every mode records its messages.",
    source: "decision",
  },
  "runs.modes.cancel": {
    states: "Cancelling a run stops all of its work in every mode.",
    source: "decision",
  },
  "runs.modes.time-limit": {
    states: "A run that takes longer than RUN_TIMEOUT, not counting waits for people, fails and aborts its work.",
    source: "goal",
  },
  "runs.modes.crash-resume": {
    states: "In every mode a run whose process dies continues after its last finished step.",
    source: "decision",
  },
  "runs.modes.output-template": {
    states: "A run's output is rendered with the output template of its last agent.",
    source: "decision",
  },
} as const satisfies Requirements<"runs">;
