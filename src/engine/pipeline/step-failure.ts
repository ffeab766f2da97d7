import { RunFailure } from "../run-failure.ts";

/** Whether a step can fail with this and the run go on; whatever else is thrown is for the run itself. */
export function isStepFailure(error: unknown): error is RunFailure {
  return error instanceof RunFailure && error.code !== "CRASH_LOOP";
}
