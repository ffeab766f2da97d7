import {
  claimDeliveries,
  deleteOldDeliveries,
  nextDelivery,
  recordAttempts,
  releaseDelivery,
} from "#db/queries/delivery-queue.ts";
import type { ClaimedDelivery, EndedAttempt } from "#db/queries/delivery-queue.ts";
import { retryOutage } from "#db/retry-outage.ts";
import type { AttemptOutcome } from "#destinations/delivery/attempt-delivery.ts";
import { createBatcher } from "#lib/batcher.ts";
import { newId } from "#lib/ids.ts";
import { failedAttempt, runDelivery } from "./run-delivery.ts";
import type { DeliveryServices } from "./delivery-services.ts";

/** Attempts of this process at a time; of one receiver, and of one host, so that a slow one leaves room for others. */
const MAX_RUNNING = 64;
const MAX_PER_TARGET = 8;
const MAX_PER_HOST = 16;
/** How long a claim holds after the attempt must be over. */
const LEASE_MARGIN_MS = 5_000;
/** A lost notification, or the deliveries of a process that died, are found after this. */
const POLL_INTERVAL_MS = 5_000;
/** Before the next claim when everything that is due belongs to receivers at their limit. */
const BUSY_PAUSE_MS = 500;
const WRITE_INTERVAL_MS = 5;
const MAX_BATCH = 100;
const RETENTION_INTERVAL_MS = 600_000;
const RETENTION_BATCH = 1_000;
/** A subscription is tried once more after so long. */
const SUBSCRIPTION_RETRY_DELAYS = [5];
const GONE = 410;

/** Makes the deliveries that are due. */
export interface DeliveryWorker {
  start(): void;
  /** Claims what is due now: there are new deliveries. */
  wake(): void;
  /** Ends the attempts in flight after `graceMs` at the latest; what they leave, another process or the next start does. */
  stop(graceMs: number): Promise<void>;
}

/** Creates a process's worker; several processes share the work by claims in the database. */
export function createDeliveryWorker(services: DeliveryServices): DeliveryWorker {
  const { db, log, settings } = services;
  const closing = new AbortController();
  const running = new Map<string, { readonly delivery: ClaimedDelivery; readonly done: Promise<void> }>();
  const record = createBatcher({
    intervalMs: WRITE_INTERVAL_MS,
    maxBatch: MAX_BATCH,
    async write(attempts: readonly EndedAttempt[]) {
      await retryOutage(() => recordAttempts(db, attempts));
      return attempts;
    },
  });
  let isOn = false;
  let timer: NodeJS.Timeout | undefined;
  let retention: NodeJS.Timeout | undefined;
  let polling: Promise<void> | undefined;
  let wasWoken = false;

  function wake(): void {
    wasWoken = true;
    if (!isOn || polling !== undefined) return;
    clearTimeout(timer);
    polling = poll()
      .catch((error: unknown) => {
        log.warn({ err: error }, "could not claim deliveries");
        return POLL_INTERVAL_MS;
      })
      .then((ms) => {
        polling = undefined;
        if (isOn) timer = setTimeout(wake, wasWoken ? 0 : ms);
      });
  }

  /** Claims as much as can run; returns how long to wait before the next time, in milliseconds. */
  async function poll(): Promise<number> {
    wasWoken = false;
    const free = MAX_RUNNING - running.size;
    if (free <= 0) return POLL_INTERVAL_MS;
    const claimed = await claimDeliveries(db, { free, ...loadOf([...running.values()], settings.timeoutMs) });
    for (const delivery of claimed) begin(delivery);
    if (claimed.length > 0) return 0;
    const inMs = (await nextDelivery(db)) ?? POLL_INTERVAL_MS;
    return Math.min(Math.max(inMs, BUSY_PAUSE_MS), POLL_INTERVAL_MS);
  }

  function begin(delivery: ClaimedDelivery): void {
    const done = make(delivery)
      .catch(async (error: unknown) => {
        // Without this, the delivery would be due again only when its claim has lapsed.
        await releaseDelivery(db, delivery).catch(() => undefined);
        if (!closing.signal.aborted) log.warn({ err: error, deliveryId: delivery.id }, "a delivery was interrupted");
      })
      .finally(() => {
        running.delete(delivery.id);
        wake();
      });
    running.set(delivery.id, { delivery, done });
  }

  async function make(delivery: ClaimedDelivery): Promise<void> {
    const outcome = await runDelivery(services, delivery, closing.signal).catch((error: unknown) => {
      closing.signal.throwIfAborted();
      log.error({ err: error, deliveryId: delivery.id }, "a delivery failed in an unforeseen way");
      return failedAttempt("Internal error; see the server log.");
    });
    await record(endOf(delivery, outcome));
  }

  return {
    wake,
    start() {
      isOn = true;
      wake();
      retention = setInterval(() => {
        deleteOld(services).catch((error: unknown) => log.warn({ err: error }, "could not delete old deliveries"));
      }, RETENTION_INTERVAL_MS);
    },
    async stop(graceMs) {
      isOn = false;
      clearTimeout(timer);
      clearInterval(retention);
      const grace = setTimeout(() => closing.abort(), graceMs);
      await polling;
      await Promise.all([...running.values()].map(({ done }) => done));
      clearTimeout(grace);
    },
  };
}

function loadOf(running: readonly { readonly delivery: ClaimedDelivery }[], timeoutMs: number) {
  const targets = new Map<string, number>();
  const hosts = new Map<string, number>();
  for (const { delivery } of running) {
    targets.set(delivery.targetId, (targets.get(delivery.targetId) ?? 0) + 1);
    hosts.set(delivery.host, (hosts.get(delivery.host) ?? 0) + 1);
  }
  const limits = { perTarget: MAX_PER_TARGET, perHost: MAX_PER_HOST };
  return { targets, hosts, ...limits, leaseMs: timeoutMs + LEASE_MARGIN_MS };
}

function endOf(delivery: ClaimedDelivery, outcome: AttemptOutcome): EndedAttempt {
  const { isFinal, ...logged } = outcome;
  const delays = delivery.retryDelays ?? SUBSCRIPTION_RETRY_DELAYS;
  const delay = outcome.status === "failed" && !isFinal ? delays[delivery.attemptCount] : undefined;
  return {
    ...logged,
    id: delivery.id,
    claims: delivery.claims,
    logId: newId(),
    retryInMs: delay === undefined ? null : delay * 1_000,
    isGone: outcome.httpCode === GONE,
  };
}

/** Deletes the log beyond its 30 days. */
async function deleteOld({ db }: DeliveryServices): Promise<void> {
  for (let deleted = RETENTION_BATCH; deleted === RETENTION_BATCH;) {
    deleted = await deleteOldDeliveries(db, RETENTION_BATCH);
  }
}
