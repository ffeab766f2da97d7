import { codeOf } from "#lib/error-code.ts";
/** SQLSTATE deadlock_detected. */
const DEADLOCK = "40P01";
const MAX_TRIES = 5;

/**
 * Runs a transaction, and runs it again when PostgreSQL has aborted it because of a deadlock. Other effects of the
 * function must be safe to repeat.
 */
export async function retryDeadlock<T>(transact: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await transact();
    } catch (error) {
      if (tries === MAX_TRIES || codeOf(error) !== DEADLOCK) throw error;
    }
  }
}
