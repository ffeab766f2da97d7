import { personalMail } from "#destinations/delivery/personal-mail.ts";
import type { EndedAttempt } from "#db/queries/destinations/delivery-attempts.ts";
import type { ClaimedJob, JobOwner } from "#db/queries/queue/job-owner.ts";
import type { PendingDelivery } from "#db/queries/destinations/pending-deliveries.ts";
import type { AttemptOutcome } from "#destinations/delivery/attempt-delivery.ts";
import { callAfterCheck } from "#lib/safe-fetch/pause-guard.ts";
import { newId } from "#lib/ids.ts";
import { release } from "#db/queries/queue/jobs.ts";
import { failedAttempt } from "../destinations/failed-attempt.ts";
import { PATIENT_RETRY_DELAYS } from "#domain/destinations/default-retries.ts";
import type { Postponed } from "../destinations/run-reply.ts";
import { ensureOwner } from "../queue/lease.ts";
import { OwnershipLostError } from "../queue/ownership.ts";
import type { EngineServices } from "../run/run-context.ts";
import { defineJobKind } from "./define-job-kind.ts";
import type { JobExecution } from "./define-job-kind.ts";

/** A subscription delivery is retried once, after this many seconds. */
const SUBSCRIPTION_RETRY_DELAYS = [5];
/** After this many deaths of processes during an attempt, it has failed. */
const MAX_CRASHES = 3;
const GONE = 410;
/** Of what a conversation in a channel is told, in seconds: somebody waits for it. */
const CHANNEL_RETRY_DELAYS = [2, 10, 60, 300];

/**
 * A delivery: each execution makes and records one attempt. If a retry is due later, the job returns to the queue with
 * that time; otherwise it ends with the delivery.
 */
export default defineJobKind<unknown>({
  name: "delivery",
  // A step, so that a closing process waits for the response.
  run: (engine, execution) => engine.runs.step(() => deliver(engine, execution)),
});

async function deliver(engine: EngineServices, { job, signal }: JobExecution<unknown>): Promise<void> {
  const { deliveries } = engine;
  const delivery = await deliveries.read(job.subjectId);
  if (delivery === undefined) return engine.discard(job);
  const outcome = await callAfterCheck(
    () => ensureOwner(engine, job),
    () => attempt(engine, job, { delivery, signal }),
  );
  if ("delayMs" in outcome) return release(engine.db, [job], outcome);
  engine.slowReceivers.note(job.lane, outcome.hasTimedOut);
  const ended = endOf(job, delivery, outcome);
  if (!(await deliveries.record(ended))) throw new OwnershipLostError(`Delivery ${delivery.id} has another owner.`);
  report(engine, delivery, ended);
}

async function attempt(
  { deliveries, log }: EngineServices,
  { crashCount }: ClaimedJob,
  { delivery, signal }: { readonly delivery: PendingDelivery; readonly signal: AbortSignal },
): Promise<AttemptOutcome | Postponed> {
  if (crashCount >= MAX_CRASHES) return failedAttempt(`The process died ${crashCount} times during this delivery.`);
  try {
    return await deliveries.attempt(delivery, signal);
  } catch (error) {
    signal.throwIfAborted();
    log.error({ err: error, deliveryId: delivery.id }, "a delivery failed in an unforeseen way");
    return failedAttempt("Internal error; see the server log.");
  }
}

/** Counts an attempt, and warns of a delivery whose last attempt has failed, without what the receiver responded. */
function report({ observe, log }: EngineServices, delivery: PendingDelivery, ended: EndedAttempt): void {
  const { status, retryInMs, httpCode, error } = ended;
  const outcome = status === "success" ? "delivered" : retryInMs === null ? "lost" : "retried";
  const { id, workspaceId, type, event, taskId, teamRunId } = delivery;
  observe({ type: "delivery_attempt", receiver: type, outcome });
  if (outcome !== "lost") return;
  const reason = httpCode === null ? error : `HTTP ${httpCode}`;
  const facts = { delivery_id: id, workspace_id: workspaceId, run_id: taskId ?? teamRunId, type, event, reason };
  log.warn(facts, "a delivery was lost: its last attempt failed");
}

function endOf(
  { jobId, executorId, fence }: JobOwner,
  delivery: PendingDelivery,
  { isFinal, waitMs, ...logged }: AttemptOutcome,
): EndedAttempt {
  const delays = retryDelaysOf(delivery);
  const delay = logged.status === "failed" && !isFinal ? delays[delivery.attemptCount] : undefined;
  return {
    ...logged,
    job: { jobId, executorId, fence },
    id: delivery.id,
    logId: newId(),
    retryInMs: waitMs ?? (delay === undefined ? null : delay * 1_000),
    isLimited: waitMs !== null,
    isGone: logged.httpCode === GONE,
  };
}

function retryDelaysOf({ event, type, retryDelays }: PendingDelivery): readonly number[] {
  if (event.startsWith("channel.")) return CHANNEL_RETRY_DELAYS;
  return retryDelays ?? (type === personalMail.type ? PATIENT_RETRY_DELAYS : SUBSCRIPTION_RETRY_DELAYS);
}
