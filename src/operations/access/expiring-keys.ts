import type { Database } from "#db/database.ts";
import { warnOfKeys } from "#db/queries/access/keys.ts";

/** Keys of which one poll tells; the rest follows at the next. */
const BATCH = 100;

/**
 * Tells the audit log, and so the routes and webhooks of admins, which keys expire within 14 and within 3 days: once each,
 * with any number of processes. Returns the number of keys.
 */
export function warnOfExpiringKeys({ db }: { readonly db: Database }): Promise<number> {
  return db.transaction((tx) => warnOfKeys(tx, BATCH));
}
