import type { AgentSnapshot } from "#domain/tasks/run-job.ts";
import type { TeamConfig } from "#domain/teams/team-config.ts";
import type { TeamRun } from "../run/team-run-context.ts";

/** The part of a worker's system prompt that describes it to the brain, in characters. */
const MAX_HEAD = 300;

/** The brain's prompt after its own system prompt and voice: the task, its workers, and how to direct them. */
export function briefBrain(
  { job, memory }: Pick<TeamRun, "job" | "memory">,
  workers: readonly AgentSnapshot[],
  config: TeamConfig<"orchestrator">,
): string {
  return [
    `## Task\n${job.inputTask}`,
    ...(memory === undefined ? [] : [`## Team Memory\n${memory}`]),
    `## Your Workers\n${workers.map(describeAgent).join("\n")}`,
    `## How You Work\n${howToWork(config)}`,
  ].join("\n\n");
}

function describeAgent({ id, name, system_prompt: prompt }: AgentSnapshot): string {
  const line = prompt.trim().replaceAll(/\s+/g, " ");
  const head = line.length > MAX_HEAD ? `${line.slice(0, MAX_HEAD).toWellFormed()} …` : line;
  return `- ${name} (agent_id: ${id})${head === "" ? "" : `: ${head}`}`;
}

function howToWork({ max_delegation_depth: depth, quality_threshold: threshold }: TeamConfig<"orchestrator">): string {
  return [
    "You lead these workers and answer for the whole task.",
    "- Split the task and give its parts out with delegate_to_worker. Calls in one turn are worked on concurrently.",
    "- A worker sees neither this task nor the others' work: put all that it needs into the instruction.",
    `- Judge each result. Send it back with request_revision (at most ${depth} times each), or accept it with accept_result and a score from 0 to 1, at least ${threshold}.`,
    "- When you have what the task needs, call final_answer with the whole result.",
  ].join("\n");
}
