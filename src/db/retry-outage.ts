import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "#lib/error-code.ts";

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;

/**
 * SQLSTATE classes and codes of a server that is unavailable or shutting down, accepts no writes (disk full, or no
 * longer the primary), ended an idle session, resolved a deadlock, or gave up waiting for a lock; never of a wrong
 * statement.
 */
const OUTAGE_STATES = /^(08...|57P0[1235]|53[13]00|25006|25P0[34]|40P01|55P03)$/;
/** Network errors of the same kind. While a container restarts, its name may be unknown or its address unreachable. */
const OUTAGE_CODES =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ENOENT|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|E(HOST|NET)(UNREACH|DOWN))$/;
/**
 * SQLSTATEs of a statement that failed by itself on a server that works: it exceeded its time limit or an operator
 * cancelled it, the server had no memory for it, or a file could not be read or written.
 */
const STATEMENT_FAILURES = /^(57014|53200|58030)$/;
/** How often such a statement is repeated: another attempt may always fail. */
const MAX_STATEMENT_FAILURES = 3;

/** Whether an error means that the database was unreachable, or the connection was lost. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return (
    OUTAGE_STATES.test(code) ||
    OUTAGE_CODES.test(code) ||
    /connection (terminated|error)|timeout exceeded when trying to connect|timeout expired|query read timeout/i.test(
      error.message,
    )
  );
}

/**
 * Whether a login was rejected by a pooler: PgBouncer answers it with a protocol violation when it does not know the
 * role. Call it only after another role has logged in at the same address.
 */
export function isLoginRejection(error: unknown): boolean {
  return codeOf(error) === "08P01";
}

/** Whether an error means that waiting for a lock timed out. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === "55P03";
}

/** For the `catch` of a statement: undefined when waiting for a lock timed out. @throws any other error */
export function undefinedAtLock(error: unknown): undefined {
  if (!isLockTimeout(error)) throw error;
}

/**
 * Runs a function that writes to the database, and repeats it while the database is unavailable, and a few times when a
 * statement was cancelled, or the server had no memory for it or could not read a file. The function must be safe to
 * repeat, because the answer to a write may be lost.
 */
export async function retryOutage<T>(run: () => Promise<T>): Promise<T> {
  let failures = 0;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    try {
      return await run();
    } catch (error) {
      if (STATEMENT_FAILURES.test(codeOf(error))) failures += 1;
      else if (!isOutage(error)) throw error;
      if (failures > MAX_STATEMENT_FAILURES) throw error;
      await sleep(pause);
    }
  }
}
