import type { AgentSnapshot } from "#domain/tasks/run-job.ts";
import type { TeamRunJob } from "#domain/teams/team-run.ts";
import { dressResult } from "./dress-result.ts";
import type { TurnAnswer } from "../teams/team-run-context.ts";

/** The output of a team's run: what its last agent said, dressed in that agent's output template if it has one. */
export function dressOutput({ taskId, inputTask }: TeamRunJob, agent: AgentSnapshot, answer: TurnAnswer): string {
  const [firstLine = ""] = inputTask.split("\n", 1);
  return dressResult(agent, taskId === null ? firstLine : firstLine.replace(/^Task Title: /, ""), answer);
}
