import { hashKey } from "#domain/access/api-key.ts";
import { AppError, notFound } from "#domain/errors.ts";
import { serviceIn } from "#domain/access/role.ts";
import { describeDelivery, hashOfBody, isSignedWith, triggerSecretContext } from "#domain/schedules/trigger.ts";
import type { Delivery } from "#domain/schedules/trigger.ts";
import type { JobTransaction } from "#db/queries/queue/jobs.ts";
import { acceptDelivery, earlierDelivery, findTrigger, rejectDelivery } from "#db/queries/schedules/triggers.ts";
import type { DeliveryRow, OpenTrigger } from "#db/queries/schedules/triggers.ts";
import { newId } from "#lib/ids.ts";
import { JsonSyntaxError } from "#lib/text/parse-json.ts";
import type { Services } from "../context.ts";
import { insertDispatched } from "../tasks/insert-dispatched.ts";
import { withJobs } from "../tasks/with-jobs.ts";

/** The result of a delivery. */
export interface ReceivedDelivery {
  readonly taskId: string;
  /** True if an earlier delivery with the same key created the task. */
  readonly isRepeated: boolean;
}

/** Finds the trigger of a URL token. @throws AppError `not_found`. */
export async function openTrigger({ db }: Pick<Services, "db">, token: string): Promise<OpenTrigger> {
  const trigger = await findTrigger(db, hashKey(token));
  if (trigger === undefined) throw notFound("Trigger");
  return trigger;
}

/**
 * Creates a task from a delivery, once for each key, and logs it.
 * @throws AppError `unauthorized` for a missing or wrong signature; `conflict` when the trigger is paused, or the key
 * was used for another body; `bad_request` when the body does not match its content type.
 */
export async function receiveDelivery(
  services: Pick<Services, "db" | "queue" | "secrets">,
  trigger: OpenTrigger,
  delivery: Delivery,
): Promise<ReceivedDelivery> {
  const { workspaceId, id: triggerId } = trigger;
  const row = {
    id: newId(),
    workspaceId,
    triggerId,
    key: delivery.key ?? null,
    bodyHash: hashOfBody(delivery),
    bytes: delivery.body.length,
  };
  try {
    const description = checked(services, trigger, delivery);
    return await withJobs(services, serviceIn(workspaceId), (tx) => accept(tx, { ...trigger, description }, row));
  } catch (error) {
    if (error instanceof AppError) {
      await services.db.inWorkspace(serviceIn(workspaceId), (tx) => rejectDelivery(tx, row, error.message));
    }
    throw error;
  }
}

/** Validates a delivery; returns the text of its task. */
function checked({ secrets }: Pick<Services, "secrets">, trigger: OpenTrigger, delivery: Delivery): string {
  const { workspaceId, id, secretCiphertext } = trigger;
  const secret =
    secretCiphertext === null ? null : secrets.open(secretCiphertext, triggerSecretContext(workspaceId, id));
  if (secret !== null && !isSignedWith(secret, delivery)) {
    const wanted = "X-Hub-Signature-256 must be sha256=<hex>, HMAC-SHA256 of the body with the trigger's secret.";
    throw new AppError("unauthorized", `Invalid signature. ${wanted}`);
  }
  if (!trigger.isActive) throw new AppError("conflict", "The trigger is paused.");
  try {
    return describeDelivery(trigger.description, delivery);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new AppError("bad_request", `The body must be JSON: ${error.message}.`);
    if (error instanceof TypeError) throw new AppError("bad_request", "The body must be text in UTF-8.");
    throw error;
  }
}

async function accept(tx: JobTransaction, trigger: OpenTrigger, row: DeliveryRow): Promise<ReceivedDelivery> {
  const taskId = newId();
  if (!(await acceptDelivery(tx, row, taskId))) return repeated(tx, row);
  const author = { workspaceId: trigger.workspaceId, userId: trigger.createdBy };
  await insertDispatched(tx, author, {
    ...trigger,
    id: taskId,
    scheduledFor: null,
    source: { kind: "trigger", id: trigger.id },
  });
  return { taskId, isRepeated: false };
}

async function repeated(tx: JobTransaction, { triggerId, key, bodyHash }: DeliveryRow): Promise<ReceivedDelivery> {
  const earlier = await earlierDelivery(tx, triggerId, key ?? "");
  if (earlier === undefined) throw new Error("A used delivery key must have its delivery.");
  if (earlier.bodyHash !== bodyHash) {
    throw new AppError("conflict", "A delivery with this key was accepted with another body.");
  }
  return { taskId: earlier.taskId, isRepeated: true };
}
