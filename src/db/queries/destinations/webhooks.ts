import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

const INSERT = statement({
  name: "insert-webhook-subscription",
  text: `
    insert into webhook_subscriptions (id, workspace_id, target_url, event, agent_id, team_id, secret_ciphertext,
      created_by)
    values ($1, $2, $3, $4, $5, $6, $7, $8)
    returning id, target_url, event, agent_id, team_id, is_active, iso(created_at) as created_at`,
});

/** A subscription to insert, with its encrypted secret. */
export interface NewSubscription {
  readonly id: string;
  readonly workspaceId: string;
  readonly targetUrl: string;
  readonly event: string;
  readonly agentId: string | null;
  readonly teamId: string | null;
  readonly secretCiphertext: string;
  readonly createdBy: string;
}

/** A subscription as the API shows it. */
export interface SubscriptionRow {
  readonly id: string;
  readonly target_url: string;
  readonly event: string;
  readonly agent_id: string | null;
  readonly team_id: string | null;
  readonly is_active: boolean;
  readonly created_at: string;
}

/** Inserts a subscription. */
export async function insertSubscription(tx: Transaction, hook: NewSubscription): Promise<SubscriptionRow> {
  const { id, workspaceId, targetUrl, event, agentId, teamId, secretCiphertext, createdBy } = hook;
  const values = [id, workspaceId, targetUrl, event, agentId, teamId, secretCiphertext, createdBy];
  const [row] = await tx.query<SubscriptionRow>(INSERT, values);
  if (row === undefined) throw new Error("An insert gives its row.");
  return row;
}

const DELETE = statement({
  name: "delete-webhook-subscriptions",
  text: `delete from webhook_subscriptions where id = any($1::uuid[]) returning id`,
});

/** Deletes subscriptions; returns the number of those that existed. */
export async function deleteSubscriptions(tx: Transaction, ids: readonly string[]): Promise<number> {
  return (await tx.query(DELETE, [ids])).length;
}

// The old secret stays valid for a day. Only one old secret is kept: a second rotation ends the first one's.
const ROTATE = statement({
  name: "rotate-webhook-secret",
  text: `
    update webhook_subscriptions k set previous_secret_ciphertext = k.secret_ciphertext,
      previous_secret_until = clock_timestamp() + interval '1 day', secret_ciphertext = $2
    where id = $1
    returning id, target_url, event, agent_id, team_id, is_active, iso(created_at) as created_at`,
});

/** Replaces a subscription's secret; the old one stays valid for a day. Undefined when there is no subscription. */
export async function rotateSubscriptionSecret(
  tx: Transaction,
  id: string,
  secretCiphertext: string,
): Promise<SubscriptionRow | undefined> {
  const [row] = await tx.query<SubscriptionRow>(ROTATE, [id, secretCiphertext]);
  return row;
}

const SET_ACTIVE = statement({
  name: "set-webhook-active",
  text: `update webhook_subscriptions set is_active = $2 where id = $1`,
});

/** Pauses or resumes a subscription, if it exists. */
export async function setSubscriptionActive(tx: Transaction, id: string, isActive: boolean): Promise<void> {
  await tx.query(SET_ACTIVE, [id, isActive]);
}
