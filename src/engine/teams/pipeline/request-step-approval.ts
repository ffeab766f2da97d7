import { RunFailure } from "../../run/run-failure.ts";
import type { TeamRun } from "../run/team-run-context.ts";
import type { PipelineStep, StepOutput } from "./pipeline-step.ts";

const WAITS_MS = 7 * 86_400_000;
const MAX_NAME_SHOWN = 100;
const MAX_OUTPUT_SHOWN = 9_000;

/**
 * Asks a person whether the run may continue with a step.
 * @param last the output so far, shown to the person
 * @throws Paused while there is no answer; RunFailure when the person rejects
 */
export function requestStepApproval(run: TeamRun, step: PipelineStep, last: StepOutput | undefined): void {
  const place = `step ${step.index + 1} of ${step.names.length}`;
  const prompt = {
    type: "approval",
    title: `Continue with ${place} (${cut(step.name, MAX_NAME_SHOWN)})?`,
    description:
      last === undefined ? "No step has given an output yet." : `Output so far:\n\n${cut(last.text, MAX_OUTPUT_SHOWN)}`,
  } as const;
  const answer = run.ask(`step:${step.index}`, { kind: "prompt", prompt, timeoutMs: WAITS_MS });
  if (answer["approved"] === true) return;
  throw new RunFailure("HANDOFF_REFUSED", `A person stopped the run before ${place} (${step.name}).`);
}

function cut(text: string, length: number): string {
  return (text.length > length ? `${text.slice(0, length)} …` : text).toWellFormed();
}
