import type { PushDeviceRecord } from "#domain/accounts/push-device.ts";
import type { Database, Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

const INSERT_KEYS = statement({
  name: "insert-vapid-keys",
  text: `insert into vapid_keys (public_key, private_ciphertext) values ($1, $2) on conflict do nothing`,
});
const READ_KEYS = statement({
  name: "read-vapid-keys",
  text: `select public_key as "publicKey", private_ciphertext as "privateCiphertext" from vapid_keys`,
});

/** The pair of keys of this instance; the private one is encrypted. */
export interface StoredVapidKeys {
  readonly publicKey: string;
  readonly privateCiphertext: string;
}

/** Reads the keys of this instance; undefined before they are made. */
export async function readVapidKeys(db: Database): Promise<StoredVapidKeys | undefined> {
  return (await db.query<StoredVapidKeys>(READ_KEYS, []))[0];
}

/** Stores the keys of this instance, unless it has some. */
export async function insertVapidKeys(db: Database, keys: StoredVapidKeys): Promise<void> {
  await db.query(INSERT_KEYS, [keys.publicKey, keys.privateCiphertext]);
}

const LOCK = statement({ name: "lock-person-of-push-devices", text: `select from users where id = $1 for update` });
const SAVE = statement({
  name: "save-push-device",
  text: `
    with others as (select count(*) as n from push_devices where user_id = $2)
    insert into push_devices (id, user_id, session_id, endpoint_hash, host, target_ciphertext)
    select $1, $2, $3, $4, $5, $6 from others where n < $7
    returning id`,
});
const DELETE_ENDPOINT = statement({
  name: "delete-push-endpoint",
  text: `delete from push_devices where endpoint_hash = $1`,
});

/** A device to store, with its encrypted target. */
export interface NewPushDevice {
  readonly id: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly endpointHash: string;
  readonly host: string;
  readonly targetCiphertext: string;
}

/** Stores a device, in place of one with the same endpoint; false when the person has `max` others. */
export async function savePushDevice(tx: Transaction, device: NewPushDevice, max: number): Promise<boolean> {
  const { id, userId, sessionId, endpointHash, host, targetCiphertext } = device;
  await tx.query(LOCK, [userId]);
  await tx.query(DELETE_ENDPOINT, [endpointHash]);
  const values = [id, userId, sessionId, endpointHash, host, targetCiphertext, max];
  return (await tx.query<{ id: string }>(SAVE, values)).length === 1;
}

const LIST = statement({
  name: "list-push-devices",
  text: `
    select p.id, s.user_agent, p.host as service, p.session_id = $2::uuid as current, iso(p.created_at) as created_at,
      iso(p.last_used_at) as last_used_at
    from push_devices p join sessions s on s.id = p.session_id
    where p.user_id = $1 and s.expires_at > now() order by p.created_at, p.id`,
});

/** Lists a person's devices, oldest first. */
export function listPushDevices(db: Database, userId: string, sessionId: string): Promise<PushDeviceRecord[]> {
  return db.query<PushDeviceRecord>(LIST, [userId, sessionId]);
}

const DELETE = statement({
  name: "delete-push-device",
  text: `delete from push_devices where id = $1 and ($2::uuid is null or user_id = $2) returning id`,
});

/** Deletes a device: of this person, or for null of anybody. Returns whether there was one. */
export async function deletePushDevice(db: Database, id: string, userId: string | null): Promise<boolean> {
  return (await db.query<{ id: string }>(DELETE, [id, userId])).length === 1;
}

const READ_TARGET = statement({
  name: "read-push-device",
  text: `
    select p.target_ciphertext as "targetCiphertext",
      (select extract(epoch from q.deadline - clock_timestamp())::double precision from task_questions q
        where q.subject_id = $3 and q.interaction_id = $4) as "secondsLeft"
    from push_devices p
    join sessions s on s.id = p.session_id and s.expires_at > now()
    join members m on m.user_id = p.user_id and m.workspace_id = $2 and (m.role <> 'viewer' or m.can_answer)
    join workspaces w on w.id = m.workspace_id and not (w.require_passkeys and s.opened_by = 'password')
    where p.id = $1`,
});

/** The device of a delivery, and how long its question stays open. */
export interface PushReceiver {
  readonly targetCiphertext: string;
  /** Null when the question is closed. */
  readonly secondsLeft: number | null;
}

/** Reads the receiver of a push; undefined when it was removed, or its session may not answer. */
export async function readPushReceiver(
  db: Database,
  of: {
    readonly deviceId: string;
    readonly workspaceId: string;
    readonly subjectId: string;
    readonly interactionId: string;
  },
): Promise<PushReceiver | undefined> {
  const { deviceId, workspaceId, subjectId, interactionId } = of;
  return (await db.query<PushReceiver>(READ_TARGET, [deviceId, workspaceId, subjectId, interactionId]))[0];
}

const NOTE = statement({
  name: "note-push-device",
  text: `update push_devices set last_used_at = now() where id = $1`,
});

/** Notes that the push service has accepted a notification for a device. */
export async function notePushDevice(db: Database, id: string): Promise<void> {
  await db.query(NOTE, [id]);
}
