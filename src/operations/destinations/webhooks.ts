import { notFound, orNotFound } from "#domain/errors.ts";
import { requireRole } from "#domain/access/role.ts";
import { generateHookSecret, hookSecretContext } from "#domain/destinations/webhook.ts";
import type { HookCreate } from "#domain/destinations/webhook.ts";
import { readRecord } from "#db/queries/tasks/read-record.ts";
import {
  deleteSubscriptions,
  insertSubscription,
  rotateSubscriptionSecret,
  setSubscriptionActive,
} from "#db/queries/destinations/webhooks.ts";
import type { SubscriptionRow } from "#db/queries/destinations/webhooks.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import type { Workspace } from "../workspace.ts";

/**
 * Subscribes to an event. Only this response contains the secret that signs the deliveries.
 * @param input an `id` is for callers that choose it themselves
 * @throws AppError `bad_request` with the path of an unknown agent or team; `forbidden` for the audit log without the
 * role of an admin.
 */
export async function subscribe(
  workspace: Workspace,
  input: HookCreate & { readonly id?: string },
): Promise<SubscriptionRow & { readonly secret: string }> {
  if (input.event === "audit_recorded") requireRole(workspace.who, "admin");
  const { id = newId() } = input;
  const secret = generateHookSecret();
  const { workspaceId, userId } = workspace.who;
  const row = await workspace.transaction((tx) =>
    insertSubscription(tx, {
      id,
      workspaceId,
      targetUrl: input.target_url,
      event: input.event,
      agentId: input.agent_id ?? null,
      teamId: input.team_id ?? null,
      secretCiphertext: workspace.secrets.encrypt(secret, hookSecretContext(workspaceId, id)),
      createdBy: userId,
    }),
  );
  return { ...row, secret };
}

/** Reads a subscription. @throws AppError `not_found`. */
export async function getSubscription(workspace: Workspace, id: string): Promise<JsonText> {
  return orNotFound("Webhook subscription")(await readRecord(workspace, "hook", id));
}

/** Pauses or resumes a subscription; events during a pause are not delivered. @throws AppError `not_found`. */
export async function pauseSubscription(
  workspace: Workspace,
  { id, isActive }: { readonly id: string; readonly isActive: boolean },
): Promise<JsonText> {
  return workspace.transaction(async (tx) => {
    await setSubscriptionActive(tx, id, isActive);
    return orNotFound("Webhook subscription")(await readRecord(tx, "hook", id));
  });
}

/** Deletes a subscription. @throws AppError `not_found`. */
export async function unsubscribe(workspace: Workspace, id: string): Promise<void> {
  const deleted = await workspace.transaction((tx) => deleteSubscriptions(tx, [id]));
  if (deleted === 0) throw notFound("Webhook subscription");
}

/**
 * Replaces a subscription's secret; the new one is shown once. Deliveries are signed with both for a day, so that a
 * receiver can change over. @throws AppError `not_found`.
 */
export async function rotateSecret(
  workspace: Workspace,
  id: string,
): Promise<SubscriptionRow & { readonly secret: string }> {
  const secret = generateHookSecret();
  const encrypted = workspace.secrets.encrypt(secret, hookSecretContext(workspace.who.workspaceId, id));
  const row = orNotFound("Webhook subscription")(
    await workspace.transaction((tx) => rotateSubscriptionSecret(tx, id, encrypted)),
  );
  return { ...row, secret };
}
