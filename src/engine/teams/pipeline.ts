import { renderOutput } from "../agent/render-output.ts";
import { requestStepApproval } from "./pipeline/request-step-approval.ts";
import { attemptStep } from "./pipeline/attempt-step.ts";
import { handoff, result } from "./pipeline/pipeline-messages.ts";
import { pipelineSteps } from "./pipeline/pipeline-step.ts";
import type { PipelineStep, StepOutput } from "./pipeline/pipeline-step.ts";
import { reuseFinishedSteps } from "./pipeline/reuse-finished-steps.ts";
import { RunFailure } from "../run/run-failure.ts";
import type { TeamRun } from "./run/team-run-context.ts";
import { defineTeamMode } from "./define-team-mode.ts";

/** The agents work in sequence; each gets the output of the one before. */
export default defineTeamMode({
  name: "pipeline",
  async run(_engine, run, config) {
    const steps = pipelineSteps(config);
    let last: StepOutput | undefined;
    for (const step of steps) {
      await run.atStep(step.index);
      const given = run.job.given?.[step.index];
      if (given !== undefined) {
        last = (await reuseFinishedSteps(run, step, given)) ?? last;
        continue;
      }
      if (step.index > 0 && !config.auto_handoff) requestStepApproval(run, step, last);
      const output = await attemptStep(run, step, last?.text);
      if (output === undefined) continue;
      last = output;
      const next = steps[step.index + 1];
      if (next !== undefined) await passOutput(run, output, next);
    }
    if (last === undefined) throw new RunFailure("MODEL_ERROR", "Every step failed and was skipped.");
    await run.recordMessage(result(last), "result");
    return { output: outputOf(run, last), finish: "stop" };
  },
});

async function passOutput(run: TeamRun, { step, by }: StepOutput, next: PipelineStep): Promise<void> {
  const receiver = next.config.type === "fan_out" ? null : (next.config.agent_id ?? null);
  for (const [index, contribution] of by.entries()) {
    await run.recordMessage(handoff(step, contribution, receiver), `step:${step.index}:handoff:${index}`);
  }
}

/**
 * The output of a fan-out lists each agent's text under its name, without an output template, even if only one
 * succeeded.
 */
function outputOf({ job }: TeamRun, { text, by }: StepOutput): string {
  const [only, ...others] = by;
  if (only === undefined || others.length > 0 || only.answer.text !== text) return text;
  return renderOutput(job, only.agent, only.answer);
}
