import type { TeamMessage } from "#db/queries/teams/running-teams.ts";
import type { Contribution, PipelineStep, StepOutput } from "./pipeline-step.ts";

/** The reply of a step's agent, for the next agent; null when it comes from several agents. */
export function handoff(step: PipelineStep, { agent, answer }: Contribution, receiver: string | null): TeamMessage {
  return {
    ...about(step),
    sender_agent_id: agent.id,
    receiver_agent_id: receiver,
    message_type: "handoff",
    content: answer.text,
    tokens_used: answer.tokensUsed,
  };
}

/** The output of a step that was not done; it has no agent. */
export function given(step: PipelineStep, content: string): TeamMessage {
  return { ...notice(step, content), message_type: "handoff" };
}

/** The output of the complete pipeline. */
export function result({ step, text, by }: StepOutput): TeamMessage {
  const [only, ...others] = by;
  return {
    ...about(step),
    sender_agent_id: others.length === 0 ? (only?.agent.id ?? null) : null,
    receiver_agent_id: null,
    message_type: "result",
    content: text,
    tokens_used: by.reduce((sum, { answer }) => sum + answer.tokensUsed, 0),
  };
}

/** A message from the service itself about a step. */
export function notice(step: PipelineStep, content: string): TeamMessage {
  return {
    ...about(step),
    sender_agent_id: null,
    receiver_agent_id: null,
    message_type: "system",
    content,
    tokens_used: 0,
  };
}

function about({ index, name }: PipelineStep): Pick<TeamMessage, "step_idx" | "metadata"> {
  return { step_idx: index, metadata: { step_name: name } };
}
