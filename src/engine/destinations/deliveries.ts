import { outlastOutages } from "#db/outlast-outages.ts";
import { recordAttempts } from "#db/queries/destinations/delivery-attempts.ts";
import type { EndedAttempt } from "#db/queries/destinations/delivery-attempts.ts";
import { readPendingDeliveries } from "#db/queries/destinations/pending-deliveries.ts";
import type { PendingDelivery } from "#db/queries/destinations/pending-deliveries.ts";
import type { AttemptOutcome } from "#destinations/delivery/attempt-delivery.ts";
import { createBatcher } from "#lib/async/batcher.ts";
import { createReplyMemory } from "./reply-memory.ts";
import { runDelivery } from "./run-delivery.ts";
import type { Postponed } from "./run-reply.ts";
import type { DeliveryServices } from "./delivery-services.ts";

/** Deliveries that are claimed within this time are read by one statement, in milliseconds. */
const READ_INTERVAL_MS = 2;
/** The minimum time between two records of attempts, in milliseconds. */
const RECORD_INTERVAL_MS = 10;
/** How long a record waits for others, in milliseconds: the deliveries of runs that end together end shortly apart. */
const RECORD_LINGER_MS = 8;
const MAX_BATCH = 100;

/** What the delivery handler works with; statements of concurrent deliveries are batched. */
export interface Deliveries {
  /** Reads a delivery; undefined when it has ended or was deleted. */
  read(id: string): Promise<PendingDelivery | undefined>;
  /**
   * Makes one attempt, or says for how long it does nothing: until another delivery has ended, or an answer has grown. The wait of an attempt is null when the
   * delivery has waited long enough for its receiver's rate limit. @throws the signal's reason; an Error for faults that
   * no receiver can cause
   */
  attempt(delivery: PendingDelivery, signal: AbortSignal): Promise<AttemptOutcome | Postponed>;
  /** Records an attempt, then ends or delays its job; false when the execution no longer owns the job. */
  record(attempt: EndedAttempt): Promise<boolean>;
}

/** Creates the deliveries of a process. */
export function createDeliveries(services: DeliveryServices): Deliveries {
  const db = outlastOutages(services.db);
  const memory = createReplyMemory();
  const read = createBatcher({
    intervalMs: READ_INTERVAL_MS,
    maxBatch: MAX_BATCH,
    write: async (ids: readonly string[]) => {
      const found = await readPendingDeliveries(db, ids);
      return found.map((delivery) => ({ delivery }));
    },
  });
  const record = createBatcher({
    intervalMs: RECORD_INTERVAL_MS,
    lingerMs: () => RECORD_LINGER_MS,
    maxBatch: MAX_BATCH,
    write: (attempts: readonly EndedAttempt[]) => recordAttempts(db, attempts),
  });
  return {
    read: async (id) => (await read(id)).delivery,
    async attempt(delivery, signal) {
      const outcome = await runDelivery(services, delivery, { signal, memory });
      if ("delayMs" in outcome) return outcome;
      const left = services.settings.maxLimitedMs - (delivery.limitedForMs ?? 0);
      return { ...outcome, waitMs: left > 0 && outcome.waitMs !== null ? Math.min(outcome.waitMs, left) : null };
    },
    record,
  };
}
