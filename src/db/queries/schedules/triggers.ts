import type { Database, Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

/** Fields of a trigger's row, by column name. */
export type TriggerFields = Readonly<Record<string, unknown>>;

const WRITABLE =
  "name, is_active, reject_repeats, assigned_agent_id, assigned_team_id, title, description, priority, metadata";

const INSERT = statement({
  name: "insert-trigger",
  text: `
    insert into triggers (id, workspace_id, created_by, token_hash, token_prefix, secret_ciphertext, ${WRITABLE})
    select id, workspace_id, created_by, token_hash, token_prefix, secret_ciphertext, ${WRITABLE}
    from jsonb_populate_record(null::triggers, $1)`,
});

/** Inserts a trigger with its token's hash and its encrypted secret. */
export async function insertTrigger(
  tx: Transaction,
  row: TriggerFields & {
    readonly id: string;
    readonly workspace_id: string;
    readonly token_hash: string;
    readonly secret_ciphertext: string | null;
  },
): Promise<void> {
  await tx.query(INSERT, [JSON.stringify(row)]);
}

// The row type cannot be used: its hash and secret are not readable by the role of this statement.
const UPDATE = statement({
  name: "update-trigger",
  text: `
    update triggers set
      name = coalesce($2::jsonb->>'name', name),
      is_active = coalesce(($2->>'is_active')::boolean, is_active),
      reject_repeats = coalesce(($2->>'reject_repeats')::boolean, reject_repeats),
      assigned_agent_id =
        case when $2 ? 'assigned_agent_id' then ($2->>'assigned_agent_id')::uuid else assigned_agent_id end,
      assigned_team_id =
        case when $2 ? 'assigned_team_id' then ($2->>'assigned_team_id')::uuid else assigned_team_id end,
      title = coalesce($2->>'title', title),
      description = coalesce($2->>'description', description),
      priority = coalesce($2->>'priority', priority),
      metadata = coalesce($2->'metadata', metadata),
      updated_at = clock_timestamp()
    where id = $1
    returning id`,
});

/** Changes the given fields of a trigger; returns whether it exists. */
export async function updateTrigger(tx: Transaction, id: string, patch: TriggerFields): Promise<boolean> {
  return (await tx.query(UPDATE, [id, JSON.stringify(patch)])).length === 1;
}

const SET_SECRET = statement({
  name: "set-trigger-secret",
  text: `update triggers set secret_ciphertext = $2 where id = $1`,
});

/** Sets or removes the encrypted secret of a trigger. */
export async function setTriggerSecret(tx: Transaction, id: string, encrypted: string | null): Promise<void> {
  await tx.query(SET_SECRET, [id, encrypted]);
}

const READ_SECRET = statement({
  name: "read-trigger-secret",
  text: `select secret_ciphertext as "secretCiphertext" from triggers where id = $1 and workspace_id = $2`,
});

/** Reads the encrypted secret of a trigger, which no role of people may read; null without one. */
export async function readTriggerSecret(
  db: Pick<Database, "query">,
  { id, workspaceId }: { readonly id: string; readonly workspaceId: string },
): Promise<string | null> {
  const [row] = await db.query<{ secretCiphertext: string | null }>(READ_SECRET, [id, workspaceId]);
  return row?.secretCiphertext ?? null;
}

const SET_TOKEN = statement({
  name: "set-trigger-token",
  text: `
    update triggers set token_hash = $2, token_prefix = $3, updated_at = clock_timestamp()
    where id = $1 returning id`,
});

/** Replaces a trigger's token; returns whether it exists. */
export async function setTriggerToken(
  tx: Transaction,
  id: string,
  token: { readonly hash: string; readonly prefix: string },
): Promise<boolean> {
  return (await tx.query(SET_TOKEN, [id, token.hash, token.prefix])).length === 1;
}

const DELETE = statement({ name: "delete-trigger", text: `delete from triggers where id = $1 returning id` });

/** Deletes a trigger and its log; returns whether there was one. */
export async function deleteTrigger(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.query(DELETE, [id])).length === 1;
}

const FIND = statement({
  name: "find-trigger",
  text: `
    select id, workspace_id as "workspaceId", is_active as "isActive", reject_repeats as "rejectsRepeats", secret_ciphertext as "secretCiphertext",
      assigned_agent_id as "agentId", assigned_team_id as "teamId", title, description, priority,
      metadata::text as metadata,
      created_by as "createdBy"
    from triggers where token_hash = $1`,
});

/** A trigger, as found by its token. */
export interface OpenTrigger {
  readonly id: string;
  readonly workspaceId: string;
  readonly isActive: boolean;
  /** Whether a body that was accepted within five minutes is rejected. */
  readonly rejectsRepeats: boolean;
  readonly secretCiphertext: string | null;
  readonly agentId: string | null;
  readonly teamId: string | null;
  readonly title: string;
  readonly description: string;
  readonly priority: string;
  /** JSON. */
  readonly metadata: string;
  readonly createdBy: string | null;
}

/** Finds a trigger by the hash of its token, before the workspace is known. */
export async function findTrigger(db: Database, tokenHash: string): Promise<OpenTrigger | undefined> {
  const [row] = await db.query<OpenTrigger>(FIND, [tokenHash]);
  return row;
}

const ACCEPT = statement({
  name: "accept-delivery",
  text: `
    insert into trigger_deliveries (id, workspace_id, trigger_id, delivery_key, body_hash, bytes, outcome, task_id)
    values ($1, $2, $3, $4, $5, $6, 'accepted', $7)
    on conflict (trigger_id, delivery_key) do nothing
    returning id`,
});

/** A delivery for the log. */
export interface DeliveryRow {
  readonly id: string;
  readonly workspaceId: string;
  readonly triggerId: string;
  /** The sender's delivery id. */
  readonly key: string | null;
  readonly bodyHash: string;
  readonly bytes: number;
}

/**
 * Logs an accepted delivery with its task. Returns false when the trigger has already accepted a delivery with this
 * key; waits for a concurrent transaction with the same key.
 */
export async function acceptDelivery(tx: Transaction, row: DeliveryRow, taskId: string): Promise<boolean> {
  const { id, workspaceId, triggerId, key, bodyHash, bytes } = row;
  return (await tx.query(ACCEPT, [id, workspaceId, triggerId, key, bodyHash, bytes, taskId])).length === 1;
}

// The lock lets concurrent deliveries of one body see each other. The same key is a retry, which has its own answer.
const LOCK_BODY = statement({
  name: "lock-delivery-body",
  text: `select pg_advisory_xact_lock(hashtextextended('muster.delivery ' || $1::text || $2::text, 0))`,
});
const REPEATED = statement({
  name: "is-repeated-body",
  text: `
    select id from trigger_deliveries
    where trigger_id = $1 and created_at > clock_timestamp() - interval '5 minutes' and outcome = 'accepted'
      and body_hash = $2 and delivery_key is distinct from $3
    limit 1`,
});

/** Whether the trigger has accepted this body within five minutes, under another key or none. */
export async function isRepeatedBody(tx: Transaction, { triggerId, bodyHash, key }: DeliveryRow): Promise<boolean> {
  await tx.query(LOCK_BODY, [triggerId, bodyHash]);
  return (await tx.query(REPEATED, [triggerId, bodyHash, key])).length === 1;
}

const REJECT = statement({
  name: "reject-delivery",
  text: `
    insert into trigger_deliveries (id, workspace_id, trigger_id, body_hash, bytes, outcome, reason)
    values ($1, $2, $3, $4, $5, 'refused', $6)`,
});

/** Logs a rejected delivery. Its key can be used again. */
export async function rejectDelivery(tx: Transaction, row: DeliveryRow, reason: string): Promise<void> {
  await tx.query(REJECT, [row.id, row.workspaceId, row.triggerId, row.bodyHash, row.bytes, reason]);
}

const EARLIER = statement({
  name: "earlier-delivery",
  narrows: ["taskId"],
  text: `
    select task_id as "taskId", body_hash as "bodyHash" from trigger_deliveries
    where trigger_id = $1 and delivery_key = $2 and task_id is not null`,
});

/** Reads the accepted delivery with a key. */
export async function earlierDelivery(
  tx: Transaction,
  triggerId: string,
  key: string,
): Promise<{ readonly taskId: string; readonly bodyHash: string } | undefined> {
  const [row] = await tx.query<{ taskId: string; bodyHash: string }>(EARLIER, [triggerId, key]);
  return row;
}
