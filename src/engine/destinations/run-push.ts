import { serviceIn } from "#domain/access/role.ts";
import { TASK_STATUSES } from "#domain/tasks/task-status.ts";
import { RUN_SPAN, deliveryOf, traceparentOf } from "#domain/traces/trace-context.ts";
import { outlastOutages } from "#db/outlast-outages.ts";
import { deletePushTarget, readPushTarget } from "#db/queries/conversations/a2a/push-configs.ts";
import { admitPush, provePushReceiver } from "#db/queries/conversations/a2a/push-receivers.ts";
import { readConversationTask } from "#db/queries/conversations/a2a/tasks.ts";
import type { PendingDelivery } from "#db/queries/destinations/pending-deliveries.ts";
import { attemptDelivery } from "#destinations/delivery/attempt-delivery.ts";
import type { AttemptOutcome } from "#destinations/delivery/attempt-delivery.ts";
import { pushNotification } from "#destinations/delivery/push-notification.ts";
import { DIALECT_0_3 } from "#protocols/a2a/dialect-0-3.ts";
import { DIALECT_1_0 } from "#protocols/a2a/dialect-1-0.ts";
import { openPushSecrets } from "#operations/conversations/a2a/push-configs.ts";
import { viewTask } from "#protocols/a2a/view.ts";
import type { DeliveryServices } from "./delivery-services.ts";
import { failedAttempt } from "./failed-attempt.ts";
import type { Postponed } from "./run-reply.ts";
import type { ConversationTask } from "#domain/tasks/conversation-task.ts";

const DIALECTS = { "0.3": DIALECT_0_3, "1.0": DIALECT_1_0 } as const;
const GONE = 410;
/** How long a notification waits while its host is being proven, in milliseconds. */
const WAIT_MS = 1_000;

/**
 * Makes one attempt of an A2A push notification: the task as of the event, in the protocol version whose method stored
 * the configuration. If the receiver answers 410, the configuration is deleted. A host proves itself by accepting one
 * notification; the others wait for it, and fail if it does not.
 * @throws as `runDelivery`
 */
export async function runPush(
  services: DeliveryServices,
  delivery: PendingDelivery & { readonly subscriptionId: string; readonly taskId: string },
  signal: AbortSignal,
): Promise<AttemptOutcome | Postponed> {
  const { secrets, settings } = services;
  const db = outlastOutages(services.db);
  const { id, workspaceId, subscriptionId: configId, taskId, event } = delivery;
  const tenant = serviceIn(workspaceId);
  const [target, task] = await Promise.all([
    readPushTarget(db.inWorkspace(tenant), configId),
    readConversationTask(db.inWorkspace(tenant), { taskId, agentId: undefined }),
  ]);
  if (target === undefined || task === undefined) {
    return failedAttempt("The push notification configuration was deleted.");
  }
  const { url, version, authScheme, secretsCiphertext } = target;
  const receiver = { workspaceId, host: new URL(url).host };
  const admission = await admitPush(db, receiver, id);
  if (admission === "wait") return { delayMs: WAIT_MS };
  if (admission === "rejected") return failedAttempt(notProven(receiver.host));
  const outcome = await attemptDelivery(settings, pushNotification, {
    deliveryId: id,
    traceparent: traceparentOf(delivery.trace, deliveryOf(id), RUN_SPAN),
    config: {
      url,
      ...(authScheme !== null && { auth_scheme: authScheme }),
      ...openPushSecrets(secrets, { workspaceId, id: configId, encrypted: secretsCiphertext }),
    },
    payload: { event, task: DIALECTS[version].sent(viewOf(services, delivery, task)) },
    mappedCardId: null,
    googleAccessToken: () => Promise.reject(new Error("Push notifications use no Google account.")),
    signal,
  });
  if (admission === "prover" && outcome.status === "success") {
    await provePushReceiver(db, receiver);
  }
  if (outcome.httpCode === GONE) await deletePushTarget(db.inWorkspace(tenant), configId);
  return outcome;
}

function notProven(host: string): string {
  return `${host} has not accepted the notification before this one. Until it accepts one, it gets one a minute.`;
}

/** The task as of the delivered state, reconstructed from the delivery log. */
function viewOf({ links, publicUrl }: DeliveryServices, delivery: PendingDelivery, task: ConversationTask) {
  const { attempt, outcome, result, error, happenedAt, createdAt } = delivery;
  const status = TASK_STATUSES.find((one) => one === outcome) ?? task.status;
  const hasMovedOn = status !== task.status || attempt !== task.attempt;
  const then: ConversationTask = {
    ...task,
    status,
    attempt,
    error,
    result: status === "completed" ? result : null,
    interaction: hasMovedOn ? null : task.interaction,
    status_at: happenedAt.toISOString(),
    files: hasMovedOn ? [] : task.files,
  };
  const fileUrl = (fileId: string) => publicUrl + links.pathOf(fileId, createdAt);
  return viewTask(then, { artifacts: "shown", fileUrl });
}
