import { setTimeout as sleep } from "node:timers/promises";

/**
 * Waits for work to end, at most this many milliseconds; the work itself continues. @throws the work's error, until
 * then
 */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, sleep(ms, undefined, { ref: false })]);
}
