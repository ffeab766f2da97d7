import { setTimeout as sleep } from "node:timers/promises";

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;

/**
 * SQLSTATE classes and codes that mean that the server is away or going away, takes no writes (its disk is full, or it
 * is no longer the one that does), has ended the session for its idleness, or has broken a deadlock at the cost of this
 * statement or given up its wait for a lock; not that the statement is wrong.
 */
const OUTAGE_STATES = /^(08...|57P0[1235]|53[13]00|25006|25P0[34]|40P01|55P03)$/;
/** The same of the way there. A container's name is unknown, or its address leads nowhere, while it is restarted. */
const OUTAGE_CODES =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ENOENT|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|E(HOST|NET)(UNREACH|DOWN))$/;

/** Whether an error says that the database could not be reached, or left in the middle. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return (
    OUTAGE_STATES.test(code) ||
    OUTAGE_CODES.test(code) ||
    /connection (terminated|error)|timeout exceeded when trying to connect|timeout expired|query read timeout/i.test(
      error.message,
    )
  );
}

/** Whether an error says that the wait for a lock was given up. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "55P03";
}

/**
 * Runs something that writes to the database, repeatedly while the database is away.
 * What it does must be safe to do twice: the answer to a write may be lost after it was made.
 */
export async function retryOutage<T>(run: () => Promise<T>): Promise<T> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    try {
      return await run();
    } catch (error) {
      if (!isOutage(error)) throw error;
      await sleep(pause);
    }
  }
}
