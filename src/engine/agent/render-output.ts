import type { AgentSnapshot } from "#domain/tasks/run-job.ts";
import type { TeamRunJob } from "#domain/teams/team-run.ts";
import { renderResult } from "./render-result.ts";
import type { TurnAnswer } from "./turn-answer.ts";

/** The output of a team run: the last agent's reply, rendered with that agent's output template if it has one. */
export function renderOutput({ taskId, inputTask }: TeamRunJob, agent: AgentSnapshot, answer: TurnAnswer): string {
  const [firstLine = ""] = inputTask.split("\n", 1);
  return renderResult(agent, taskId === null ? firstLine : firstLine.replace(/^Task Title: /, ""), answer);
}
