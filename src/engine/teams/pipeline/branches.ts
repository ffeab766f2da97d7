import type { AgentSnapshot } from "#domain/tasks/run-job.ts";
import { HeldError } from "../../queue/ownership.ts";
import { Paused } from "../../run/paused.ts";
import { RunFailure, isStepFailure } from "../../run/run-failure.ts";
import type { TeamRun } from "../run/team-run-context.ts";
import type { Contribution, StepAttempt } from "./pipeline-step.ts";
import { stepPrompt } from "./step-prompt.ts";
import { takeCompleteTurn } from "./take-complete-turn.ts";

/** A failed branch of a fan-out. */
export interface FailedBranch {
  readonly agent: AgentSnapshot;
  readonly failure: RunFailure;
}

type Branch = Contribution | FailedBranch;

/**
 * Runs the agents of a fan-out concurrently. Returns or throws after all of them have settled: with fail_fast the first
 * failure aborts the others; with continue_on_partial failures are part of the results.
 * @throws RunFailure of a branch with fail_fast; Paused when a branch waits for a person; otherwise as TeamRun.turn
 */
export async function takeBranches(run: TeamRun, attempt: StepAttempt): Promise<readonly Branch[]> {
  const { parallel_agents = [], fan_out_failure } = attempt.step.config;
  const agents = parallel_agents.map((id) => run.agent(id));
  const stop = new AbortController();
  const turns = agents.map(async (agent, index): Promise<Branch> => {
    try {
      return { agent, answer: await takeBranch(run, attempt, { agents, index, signal: stop.signal }) };
    } catch (error) {
      if (isStepFailure(error) && fan_out_failure === "continue_on_partial") return { agent, failure: error };
      // If a branch waits, for a person or a rate limit, the others may finish their current work.
      if (!(error instanceof Paused || error instanceof HeldError)) stop.abort();
      throw isStepFailure(error) ? new RunFailure(error.code, `${agent.name}: ${error.message}`) : error;
    }
  });
  const settled = await Promise.allSettled(turns);
  const errors: unknown[] = settled.flatMap((turn) => (turn.status === "rejected" ? [turn.reason] : []));
  if (errors.length > 0) throw mostSevere(errors, stop.signal);
  return settled.flatMap((turn) => (turn.status === "fulfilled" ? [turn.value] : []));
}

/** One agent of a fan-out. */
interface FanOutAgent {
  readonly agents: readonly AgentSnapshot[];
  readonly index: number;
  readonly signal: AbortSignal;
}

function takeBranch(run: TeamRun, { step, key, previous }: StepAttempt, { agents, index, signal }: FanOutAgent) {
  const { instructions, expected_output, merge_agent_id } = step.config;
  // The combined output decides on the format.
  const expected = merge_agent_id == null ? expected_output : "";
  const part = `You are one of ${agents.length} agents that work on it concurrently.`;
  const content = stepPrompt(run, step, { previous, instructions, expected, part });
  const agent = agents[index];
  if (agent === undefined) throw new Error("A seat is one of the agents'.");
  return takeCompleteTurn(run, {
    key: `${key}:branch:${index}`,
    agent,
    conversation: [{ role: "user", content }],
    stepName: `${step.name}: ${agent.name} (${index + 1} of ${agents.length})`,
    signal,
  });
}

/**
 * Chooses among the errors of the branches: first an error that ends the execution, then a failure, then a question to
 * a person (a failed step asks no question), and last an aborted branch.
 */
function mostSevere(errors: readonly unknown[], stop: AbortSignal): unknown {
  const rank = (error: unknown) => {
    if (stop.aborted && error === stop.reason) return 3;
    if (error instanceof Paused) return 2;
    return isStepFailure(error) ? 1 : 0;
  };
  return errors.toSorted((one, other) => rank(one) - rank(other))[0];
}
