import { renderTemplate } from "#domain/agents/output-template.ts";
import type { AgentSnapshot } from "#domain/tasks/run-job.ts";
import type { TurnAnswer } from "./turn-answer.ts";

/** The result of a run: the agent's reply, rendered with its output template if it has one. */
export function renderResult(agent: AgentSnapshot, title: string, answer: TurnAnswer): string {
  if (agent.template == null) return answer.text;
  return renderTemplate(agent.template.body, {
    task_title: title,
    task_result: answer.text,
    agent_name: agent.name,
    timestamp: answer.answeredAt,
    tokens_used: String(answer.tokensUsed),
    model: answer.model,
  });
}
