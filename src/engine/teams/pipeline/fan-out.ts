import { RunFailure } from "../../run/run-failure.ts";
import type { TeamRun } from "../run/team-run-context.ts";
import { takeBranches } from "./branches.ts";
import type { FailedBranch } from "./branches.ts";
import { handoff, notice } from "./pipeline-messages.ts";
import type { Contribution, StepAttempt, StepOutput } from "./pipeline-step.ts";
import { joinContributions, stepPrompt } from "./step-prompt.ts";
import { takeCompleteTurn } from "./take-complete-turn.ts";

const DEFAULT_MERGE = "Make one result of the fan-out results.";
const MERGE_PART = "Other agents have worked on it concurrently; you make one result of theirs.";

/** Runs the agents of a step concurrently and combines their replies into one output. */
export async function fanOut(run: TeamRun, attempt: StepAttempt): Promise<StepOutput> {
  const { step, key } = attempt;
  const branches = await takeBranches(run, attempt);
  const failed = branches.filter((branch) => "failure" in branch);
  const by = branches.filter((branch) => "answer" in branch);
  if (by.length === 0) throw allBranchesFailed(failed);
  for (const [index, { agent, failure }] of failed.entries()) {
    await run.recordMessage(
      notice(step, `Continues without ${agent.name}: ${failure.message}`),
      `${key}:lost:${index}`,
    );
  }
  if (step.config.merge_agent_id == null) return { step, text: joinContributions(by), by };
  return merge(run, attempt, by);
}

async function merge(run: TeamRun, { step, key, previous }: StepAttempt, branches: readonly Contribution[]) {
  const { merge_agent_id, merge_instructions = "", expected_output: expected } = step.config;
  const agent = run.agent(merge_agent_id ?? "");
  for (const [index, contribution] of branches.entries()) {
    await run.recordMessage(handoff(step, contribution, agent.id), `${key}:given:${index}`);
  }
  const instructions = merge_instructions.trim() === "" ? DEFAULT_MERGE : merge_instructions;
  const content = stepPrompt(run, step, { previous, branches, instructions, expected, part: MERGE_PART });
  const answer = await takeCompleteTurn(run, {
    key: `${key}:merge`,
    agent,
    conversation: [{ role: "user", content }],
    stepName: `${step.name}: ${agent.name} (merge)`,
  });
  return { step, text: answer.text, by: [{ agent, answer }] };
}

function allBranchesFailed(failed: readonly FailedBranch[]): RunFailure {
  const reasons = failed.map(({ agent, failure }) => `${agent.name}: ${failure.message}`);
  return new RunFailure(failed[0]?.failure.code ?? "INTERNAL_ERROR", `No agent succeeded. ${reasons.join("; ")}`);
}
