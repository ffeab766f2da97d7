import { pushDeviceContext, pushTarget } from "#domain/accounts/push-device.ts";
import { outlastOutages } from "#db/outlast-outages.ts";
import { deletePushDevice, notePushDevice, readPushReceiver } from "#db/queries/accounts/push-devices.ts";
import type { PendingDelivery } from "#db/queries/destinations/pending-deliveries.ts";
import { attemptDelivery } from "#destinations/delivery/attempt-delivery.ts";
import type { AttemptOutcome } from "#destinations/delivery/attempt-delivery.ts";
import { webPush } from "#destinations/delivery/web-push.ts";
import type { PushMessage } from "#destinations/delivery/web-push.ts";
import { vapidKeys } from "#operations/accounts/push-devices.ts";
import type { DeliveryServices } from "./delivery-services.ts";
import { failedAttempt, notNeeded } from "./failed-attempt.ts";

/** The subscription no longer exists (https://www.rfc-editor.org/rfc/rfc8030#section-7.3). */
const ENDED = new Set<number | null>([404, 410]);
/** A push service keeps a message for so long at most, in seconds; for a question without a deadline. */
const MAX_TTL = 28 * 86_400;
const MIN_TTL = 60;
/** For the closing of a notification, in seconds. */
const CLOSED_TTL = 86_400;
const MAX_TITLE = 80;
const MAX_BODY = 160;

/**
 * Makes one attempt to notify a person's device of a question, or to close the notification. A device whose
 * subscription has ended is removed.
 * @throws as `runDelivery`
 */
export async function runWebPush(
  services: DeliveryServices,
  delivery: PendingDelivery & { readonly subscriptionId: string },
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const { secrets, settings } = services;
  const db = outlastOutages(services.db);
  const { id, workspaceId, subscriptionId: deviceId, result: interactionId, taskId, teamRunId } = delivery;
  const subjectId = taskId ?? teamRunId ?? "";
  const receiver = await readPushReceiver(db, { deviceId, workspaceId, subjectId, interactionId });
  if (receiver === undefined) return failedAttempt("The device was removed, or its person may no longer answer.");
  const { targetCiphertext, secondsLeft } = receiver;
  const isClosed = delivery.event === "question.closed";
  if (secondsLeft === null && !isClosed) return notNeeded();
  const outcome = await attemptDelivery(settings, webPush, {
    deliveryId: id,
    config: pushTarget.parse(JSON.parse(secrets.open(targetCiphertext, pushDeviceContext(deviceId)))),
    payload: {
      message: messageOf(delivery, subjectId),
      ttl: isClosed ? CLOSED_TTL : Math.round(Math.min(Math.max(secondsLeft ?? 0, MIN_TTL), MAX_TTL)),
      urgency: isClosed ? "normal" : "high",
      vapid: await vapidKeys(services),
      contact: services.pushContact,
    },
    mappedCardId: null,
    googleAccessToken: () => Promise.reject(new Error("Notifications use no Google account.")),
    signal,
  });
  if (outcome.status === "success") await notePushDevice(db, deviceId);
  if (!ENDED.has(outcome.httpCode)) return outcome;
  await deletePushDevice(db, deviceId, null);
  return { ...outcome, isFinal: true };
}

/** Little content: push services see none of it, but the lock screen shows it. */
function messageOf({ event, title, worker, result }: PendingDelivery, subjectId: string): PushMessage {
  return {
    type: event === "question.closed" ? "closed" : "question",
    tag: result,
    title: head(worker === "" ? "A question" : `${worker} asks`, MAX_TITLE),
    body: head(title, MAX_BODY),
    path: `/r/${subjectId}/answer`,
  };
}

function head(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;
}
