import type { Transaction } from "../database.ts";
import { statement } from "../statement.ts";

const LIMIT = statement({
  name: "limit-lock-wait",
  text: `select set_config('lock_timeout', '100ms', true)`,
});

/** Shortens the lock time limit for the rest of a transaction that others share. */
export async function limitLockWait(tx: Transaction): Promise<void> {
  await tx.query(LIMIT);
}
