import { setTimeout as sleep } from "node:timers/promises";

/** Each pause between two questions is longer by a half than the one before, so that long waits cost little CPU. */
const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 100;
/** Only what hangs takes so long, on a busy machine too. */
const DEFAULT_DEADLINE_MS = 30_000;

/**
 * Polls until there is a result: for what another process does asynchronously.
 * @param ask returns undefined, null or false until then
 * @throws Error naming `what` at the deadline.
 */
export async function eventually<T>(
  what: string,
  ask: () => T | Promise<T>,
  deadlineMs = DEFAULT_DEADLINE_MS,
): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = performance.now() + deadlineMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, MAX_PAUSE_MS)) {
    const answer = await ask();
    if (isThere(answer)) return answer;
    if (performance.now() > deadline) throw new Error(`Waited ${deadlineMs} ms in vain: ${what}`);
    await sleep(pauseMs);
  }
}

function isThere<T>(answer: T): answer is NonNullable<Exclude<T, false>> {
  return answer !== undefined && answer !== null && answer !== false;
}
