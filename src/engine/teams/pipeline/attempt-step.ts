import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { RUN_ERROR_CODES } from "#domain/streams/stream-event.ts";
import { RunFailure, isStepFailure } from "../../run/run-failure.ts";
import type { TeamRun } from "../run/team-run-context.ts";
import { fanOut } from "./fan-out.ts";
import { notice } from "./pipeline-messages.ts";
import type { PipelineStep, StepAttempt, StepOutput } from "./pipeline-step.ts";
import { stepPrompt } from "./step-prompt.ts";
import { takeCompleteTurn } from "./take-complete-turn.ts";

const FIRST_PAUSE_MS = 1_000;

const failedAttempt = z.object({
  code: z.enum(RUN_ERROR_CODES),
  message: z.string(),
  /** In milliseconds since 1970. */
  failedAt: z.number(),
});

type FailedAttempt = z.output<typeof failedAttempt>;

/**
 * Runs a step with as many attempts as its config allows. Returns the step's output, or undefined when the step failed
 * and is skipped.
 * @param previous the output of the last step that was not skipped
 * @throws RunFailure that names the step when it failed and is not skipped; otherwise as TeamRun.turn
 */
export async function attemptStep(
  run: TeamRun,
  step: PipelineStep,
  previous: string | undefined,
): Promise<StepOutput | undefined> {
  const { on_failure, max_retries } = step.config;
  const attempts = on_failure === "retry" ? max_retries + 1 : 1;
  for (let attempt = 0; ; attempt++) {
    const key = `step:${step.index}:attempt:${attempt}`;
    const done = await tryOnce(run, { step, key, previous });
    if (!("failedAt" in done)) return done;
    if (attempt + 1 < attempts) {
      await say(run, step, { key, text: `Attempt ${attempt + 1} of ${attempts} failed: ${done.message}` });
      await waitAfter(run, done, FIRST_PAUSE_MS * 2 ** attempt);
    } else if (on_failure === "skip") {
      await say(run, step, { key, text: `Skipped, because it failed: ${done.message}` });
      return undefined;
    } else {
      throw new RunFailure(done.code, `Step ${step.index + 1} (${step.name}) failed: ${done.message}`);
    }
  }
}

/** Makes an attempt. Its failure is recorded, so that another execution does not repeat it. */
async function tryOnce(run: TeamRun, attempt: StepAttempt): Promise<StepOutput | FailedAttempt> {
  const key = `${attempt.key}:failed`;
  const known = run.recall(key, failedAttempt);
  if (known !== undefined) return known;
  try {
    return await (attempt.step.config.type === "fan_out" ? fanOut(run, attempt) : takeStep(run, attempt));
  } catch (error) {
    if (!isStepFailure(error)) throw error;
    const { code, message } = error;
    return run.step(key, failedAttempt, () => Promise.resolve({ value: { code, message, failedAt: Date.now() } }));
  }
}

async function takeStep(run: TeamRun, { step, key, previous }: StepAttempt): Promise<StepOutput> {
  const { agent_id, instructions, expected_output: expected } = step.config;
  const agent = run.agent(agent_id ?? "");
  const content = stepPrompt(run, step, { previous, instructions, expected });
  const conversation = [{ role: "user", content }] as const;
  const answer = await takeCompleteTurn(run, { key, agent, conversation, stepName: step.name });
  return { step, text: answer.text, by: [{ agent, answer }] };
}

function say(run: TeamRun, step: PipelineStep, { key, text }: { readonly key: string; readonly text: string }) {
  return run.recordMessage(notice(step, text), `${key}:notice`);
}

/** Waits for the rest of the pause: after a crash, part of it has passed. */
async function waitAfter(run: TeamRun, { failedAt }: FailedAttempt, pauseMs: number): Promise<void> {
  const left = Math.min(failedAt + pauseMs - Date.now(), pauseMs);
  if (left > 0) await sleep(left, undefined, { signal: run.signal });
}
