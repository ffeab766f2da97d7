import type { ModelError } from "#domain/models/model-call.ts";

const FIRST_PAUSE_MS = 1_000;
/** The share of a pause that chance adds at most: runs that failed together shall not come back together. */
const SPREAD = 0.25;

/**
 * How long to wait after a failed attempt of a model call, in milliseconds: twice as long each time, or what the
 * vendor asks for, and a little more. Never less than the vendor asks for.
 * @param attempt which attempt has failed, from 1
 */
export function retryPause(attempt: number, error: ModelError, random: () => number = Math.random): number {
  const pause = error.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** (attempt - 1);
  return Math.ceil(pause * (1 + SPREAD * random()));
}
