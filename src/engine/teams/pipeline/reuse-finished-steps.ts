import type { GivenPart } from "#domain/teams/run-fork.ts";
import type { TeamRun } from "../run/team-run-context.ts";
import { given } from "./pipeline-messages.ts";
import type { PipelineStep, StepOutput } from "./pipeline-step.ts";
import { joinContributions } from "./step-prompt.ts";

/**
 * Reuses a step that a fork does not repeat: its output, without an output template, or undefined when it was skipped.
 * Messages of the other run are copied already; only an output given by a person gets a new message.
 */
export async function reuseFinishedSteps(
  run: TeamRun,
  step: PipelineStep,
  parts: readonly GivenPart[],
): Promise<StepOutput | undefined> {
  const [only, ...others] = parts;
  if (only === undefined) return undefined;
  const spoken = parts.map(({ name, text }) => ({ agent: { name }, answer: { text } }));
  const text = others.length === 0 ? only.text : joinContributions(spoken);
  await run.recordMessage(given(step, text), `step:${step.index}:handoff:0`);
  return { step, text, by: [] };
}
