import type { TeamMessage } from "#db/queries/teams/running-teams.ts";
import type { Contribution, PipelineStep, StepOutput } from "./pipeline-step.ts";

/** What an agent of a step has said, for the agent that continues with it; null when that is not one alone. */
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

/** The output of a step that was not done; it belongs to no agent. */
export function given(step: PipelineStep, content: string): TeamMessage {
  return { ...notice(step, content), message_type: "handoff" };
}

/** What the whole pipeline has come to. */
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

/** What the service itself has to say about a step. */
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
