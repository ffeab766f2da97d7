import type { Database } from "./database.ts";
import { retryOutage } from "./retry-outage.ts";

/**
 * Returns the database for jobs: it repeats what fails in an outage, as {@link retryOutage} does. Every statement and
 * every transaction must be safe to repeat, because the answer to a write may be lost. What must see a lock time-out, or
 * must not be repeated, uses the database itself; so do beats, checks of ownership and shared transactions.
 */
export function outlastOutages(db: Database): Database {
  return {
    ...db,
    query: (statement, values) => retryOutage(() => db.query(statement, values)),
    transaction: (run) => retryOutage(() => db.transaction(run)),
    inWorkspace(tenant) {
      const { who, query, transaction } = db.inWorkspace(tenant);
      return {
        who,
        query: (statement, values) => retryOutage(() => query(statement, values)),
        transaction: (run) => retryOutage(() => transaction(run)),
      };
    },
  };
}
