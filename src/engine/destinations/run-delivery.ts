import { ALERT_EVENTS, alertNotice, noticePath, noticeText } from "#domain/alerts/alert-notice.ts";
import { payload as payloadSchema, previewOf } from "#domain/destinations/payload.ts";
import type { Payload } from "#domain/destinations/payload.ts";
import { hookSecretContext } from "#domain/destinations/webhook.ts";
import { RUN_SPAN, deliveryOf, traceparentOf } from "#domain/traces/trace-context.ts";
import type { DeliveredFile, PendingDelivery } from "#db/queries/destinations/pending-deliveries.ts";
import type { Destination } from "#destinations/define-destination.ts";
import { attemptDelivery } from "#destinations/delivery/attempt-delivery.ts";
import type { AttemptOutcome } from "#destinations/delivery/attempt-delivery.ts";
import { personalMail } from "#destinations/delivery/personal-mail.ts";
import { pushNotification } from "#destinations/delivery/push-notification.ts";
import { webPush } from "#destinations/delivery/web-push.ts";
import { webhookSubscription } from "#destinations/delivery/subscription.ts";
import { googleAccessToken } from "#operations/destinations/google-access.ts";
import { openConfig } from "#operations/destinations/route-config.ts";
import { parseJson } from "#lib/text/parse-json.ts";
import type { DeliveryServices } from "./delivery-services.ts";
import { failedAttempt } from "./failed-attempt.ts";
import { runMail } from "./run-mail.ts";
import { runPush } from "./run-push.ts";
import type { ReplyMemory } from "./reply-memory.ts";
import { runQuestion } from "./run-question.ts";
import { runReply } from "./run-reply.ts";
import type { Postponed } from "./run-reply.ts";
import { runWebPush } from "./run-web-push.ts";

/**
 * Makes one attempt of a delivery, or says that it must wait for another one. @throws the signal's reason; an Error for faults that no receiver can cause, such as
 * secrets that cannot be decrypted.
 */
export async function runDelivery(
  services: DeliveryServices,
  delivery: PendingDelivery,
  { signal, memory }: { readonly signal: AbortSignal; readonly memory: ReplyMemory },
): Promise<AttemptOutcome | Postponed> {
  const { type, taskId, subscriptionId } = delivery;
  if (type === pushNotification.type && taskId !== null && subscriptionId !== null) {
    return runPush(services, { ...delivery, taskId, subscriptionId }, signal);
  }
  if (type === webPush.type && subscriptionId !== null) {
    return runWebPush(services, { ...delivery, subscriptionId }, signal);
  }
  if (type === personalMail.type && subscriptionId !== null) {
    return runMail(services, { ...delivery, subscriptionId }, signal);
  }
  const { routeId } = delivery;
  if (routeId !== null && delivery.event.startsWith("question.")) {
    return runQuestion(services, { ...delivery, routeId }, signal);
  }
  if (routeId !== null && delivery.event.startsWith("channel.")) {
    return runReply(services, { delivery: { ...delivery, routeId }, memory, signal });
  }
  const receiver = receiverOf(services, delivery);
  if (receiver === undefined) return failedAttempt("The route or subscription was deleted or paused.");
  return attemptDelivery(services.settings, receiver.destination, {
    deliveryId: delivery.id,
    traceparent: traceparentOf(delivery.trace, deliveryOf(delivery.id), RUN_SPAN),
    config: receiver.config,
    payload: payloadOf(services, delivery),
    mappedCardId: delivery.mappedCardId,
    googleAccessToken: () => googleAccessToken(services, delivery.workspaceId),
    signal,
  });
}

interface Receiver {
  readonly destination: Destination;
  /** Including its secrets. */
  readonly config: unknown;
}

function receiverOf({ secrets, destinations }: DeliveryServices, delivery: PendingDelivery): Receiver | undefined {
  const { workspaceId, routeId, subscriptionId, config, targetUrl, secretCiphertext } = delivery;
  if (subscriptionId !== null && targetUrl !== null && secretCiphertext !== null) {
    const open = (encrypted: string) => secrets.open(encrypted, hookSecretContext(workspaceId, subscriptionId));
    const previous = delivery.previousSecretCiphertext;
    return {
      destination: webhookSubscription,
      config: {
        url: targetUrl,
        secret: open(secretCiphertext),
        ...(previous !== null && { previous_secret: open(previous) }),
      },
    };
  }
  const destination = destinations.find(({ type }) => type === delivery.type);
  if (destination === undefined || routeId === null || config === null) return undefined;
  const stored = { workspace_id: workspaceId, id: routeId, config, secrets_ciphertext: delivery.secretsCiphertext };
  return { destination, config: openConfig(secrets, stored) };
}

function payloadOf(services: DeliveryServices, delivery: PendingDelivery): Payload {
  const { taskId, teamRunId } = delivery;
  const alert = alertOf(services, delivery);
  const result = alert === undefined ? resultOf(services, delivery) : `${noticeText(alert)}\n${alert.url}`;
  return payloadSchema.parse({
    event: delivery.event,
    task_id: taskId,
    team_run_id: teamRunId,
    task_title: delivery.title,
    agent_name: delivery.worker,
    status: delivery.outcome,
    result_preview: previewOf(result),
    result_full: result,
    error: delivery.error,
    ...(delivery.finishReason !== null && { finish_reason: delivery.finishReason }),
    timestamp: delivery.happenedAt.toISOString(),
    ...(delivery.event === "audit.recorded" && { audit_entry: parseJson(result) }),
    ...(alert !== undefined && { alert }),
    attachments: (delivery.files ?? []).map((file) => attachmentOf(services, delivery, file)),
  });
}

/** A question that a route is told of comes with the page on which members answer it. */
function resultOf({ publicUrl }: DeliveryServices, { event, routeId, taskId, teamRunId, result }: PendingDelivery) {
  if (event !== "task.waiting_for_input" || routeId === null) return result;
  return `${result}\n\n${publicUrl}/r/${taskId ?? teamRunId}/answer`;
}

/** The alert of an event, which is stored as JSON, with a link to its subject. */
function alertOf({ publicUrl }: DeliveryServices, { event, workspaceId, result }: PendingDelivery) {
  if (!ALERT_EVENTS.some((one) => one === event)) return undefined;
  const notice = alertNotice.parse(parseJson(result));
  return { ...notice, url: `${publicUrl}/w/${workspaceId}/${noticePath(notice)}` };
}

/** The expiry of links counts from the creation of the delivery, so all attempts send the same body. */
function attachmentOf({ links, publicUrl }: DeliveryServices, { createdAt }: PendingDelivery, file: DeliveredFile) {
  const { id, name, type, size, direction } = file;
  return { name, type, size, url: publicUrl + links.pathOf(id, createdAt), direction };
}
