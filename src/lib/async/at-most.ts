import { setTimeout as sleep } from "node:timers/promises";

/** Waits for work to end, but no longer than so many milliseconds: then it is left to itself. @throws what the work throws until then. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, sleep(ms, undefined, { ref: false })]);
}
