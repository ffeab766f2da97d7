import { hashKey } from "#domain/access/api-key.ts";
import { AppError, orNotFound } from "#domain/errors.ts";
import { TRACEPARENT } from "#domain/traces/trace-context.ts";
import { serviceIn } from "#domain/access/role.ts";
import { handshakeOf } from "#domain/schedules/handshake.ts";
import type { Handshake } from "#domain/schedules/handshake.ts";
import { verifySignature } from "#domain/schedules/signature.ts";
import { describeDelivery, hashOfBody, triggerSecretContext } from "#domain/schedules/trigger.ts";
import type { Delivery } from "#domain/schedules/trigger.ts";
import type { JobTransaction } from "#db/queries/queue/jobs.ts";
import {
  acceptDelivery,
  earlierDelivery,
  findTrigger,
  isRepeatedBody,
  rejectDelivery,
} from "#db/queries/schedules/triggers.ts";
import type { DeliveryRow, OpenTrigger } from "#db/queries/schedules/triggers.ts";
import { newId } from "#lib/ids.ts";
import { JsonSyntaxError } from "#lib/text/parse-json.ts";
import type { Services } from "../context.ts";
import { insertDispatched } from "../tasks/insert-dispatched.ts";
import { changeWorkspace } from "../change-workspace.ts";
import type { ChangeServices } from "../change-workspace.ts";

/** The result of a delivery. */
export interface ReceivedDelivery {
  readonly taskId: string;
  /** True if an earlier delivery with the same key created the task. */
  readonly isRepeated: boolean;
}

/** A delivery that may create a task. */
interface Checked {
  readonly row: DeliveryRow;
  /** The text of its task. */
  readonly description: string;
}

/** Finds the trigger of a URL token. @throws AppError `not_found`. */
export async function openTrigger({ db }: Pick<Services, "db">, token: string): Promise<OpenTrigger> {
  return orNotFound("Trigger")(await findTrigger(db, hashKey(token)));
}

/**
 * Creates a task from a delivery, once for each key, and logs it; a sender's check of the URL gets its response only.
 * @throws AppError `unauthorized` for a missing or wrong signature; `conflict` when the trigger is paused, the key was
 * used for another body, or the trigger rejects repeated bodies; `bad_request` when the body does not match its content
 * type.
 */
export async function receiveDelivery(
  services: ChangeServices & Pick<Services, "secrets">,
  trigger: OpenTrigger,
  delivery: Delivery,
): Promise<ReceivedDelivery | Handshake> {
  const { workspaceId, id: triggerId } = trigger;
  const received = {
    id: newId(),
    workspaceId,
    triggerId,
    key: delivery.key ?? null,
    bodyHash: hashOfBody(delivery),
    bytes: delivery.body.length,
  };
  try {
    const key = authenticated(services, trigger, delivery) ?? received.key;
    const handshake = handshakeOf(textOf(delivery), delivery.header("X-GitHub-Event"));
    if (handshake !== undefined) return handshake;
    const description = described(trigger, delivery);
    const checked = { row: { ...received, key }, description };
    const tenant = { ...serviceIn(workspaceId), traceparent: delivery.header(TRACEPARENT) };
    return await changeWorkspace(services, tenant, (tx) => accept(tx, trigger, checked));
  } catch (error) {
    if (error instanceof AppError) {
      await services.db
        .inWorkspace(serviceIn(workspaceId))
        .transaction((tx) => rejectDelivery(tx, received, error.message));
    }
    throw error;
  }
}

/** Verifies a delivery; returns the id that its signature covers. */
function authenticated(
  { secrets }: Pick<Services, "secrets">,
  trigger: OpenTrigger,
  delivery: Delivery,
): string | undefined {
  const { workspaceId, id, secretCiphertext } = trigger;
  const key =
    secretCiphertext === null
      ? undefined
      : verifySignature(secrets.open(secretCiphertext, triggerSecretContext(workspaceId, id)), {
          ...delivery,
          now: new Date(),
        });
  if (!trigger.isActive) throw new AppError("conflict", "The trigger is paused.");
  return key;
}

function textOf({ body }: Delivery): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw new AppError("bad_request", "The body must be text in UTF-8.");
  }
}

/** The text of a delivery's task. */
function described(trigger: OpenTrigger, delivery: Delivery): string {
  try {
    return describeDelivery(trigger.description, textOf(delivery), delivery.contentType);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new AppError("bad_request", `The body must be JSON: ${error.message}.`);
    throw error;
  }
}

async function accept(
  tx: JobTransaction,
  trigger: OpenTrigger,
  { row, description }: Checked,
): Promise<ReceivedDelivery> {
  const taskId = newId();
  if (trigger.rejectsRepeats && (await isRepeatedBody(tx, row))) {
    throw new AppError("conflict", "This trigger rejects repeats, and has accepted this body within five minutes.");
  }
  if (!(await acceptDelivery(tx, row, taskId))) return repeated(tx, row);
  const author = { workspaceId: trigger.workspaceId, userId: trigger.createdBy };
  await insertDispatched(tx, author, {
    ...trigger,
    description,
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
