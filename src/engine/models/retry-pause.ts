import type { ModelError } from "#domain/models/model-call.ts";

const FIRST_PAUSE_MS = 1_000;
/** The maximum share of random delay in a pause, so that runs that failed together do not retry together. */
const SPREAD = 0.25;

/**
 * The pause after a failed model call, in milliseconds: exponential, or what the provider asks for, plus random delay.
 * Never shorter than the provider asks for.
 * @param attempt the number of the failed attempt, from 1
 */
export function retryPause(attempt: number, error: ModelError, random: () => number = Math.random): number {
  const pause = error.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** (attempt - 1);
  return Math.ceil(pause * (1 + SPREAD * random()));
}
