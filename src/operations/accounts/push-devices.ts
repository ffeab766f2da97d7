import { hashKey } from "#domain/access/api-key.ts";
import { MAX_PUSH_DEVICES, pushDeviceContext, vapidKeyContext } from "#domain/accounts/push-device.ts";
import type { PushDeviceInput, PushDeviceRecord, PushTarget } from "#domain/accounts/push-device.ts";
import { outgoingUrlIssue } from "#domain/destinations/outgoing-url.ts";
import { AppError, notFound } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import * as rows from "#db/queries/accounts/push-devices.ts";
import { newId } from "#lib/ids.ts";
import { arePushKeys, createVapidKeys } from "#lib/security/web-push.ts";
import type { VapidKeys } from "#lib/security/web-push.ts";
import type { Services } from "../context.ts";
import type { SignedIn } from "./session-ring.ts";

/** A person's devices, and the key with which a browser subscribes. */
export interface PushDevices {
  readonly public_key: string;
  readonly devices: readonly PushDeviceRecord[];
}

/** Lists a person's devices that get notifications. */
export async function listPushDevices(services: Services, who: SignedIn): Promise<PushDevices> {
  const { publicKey } = await vapidKeys(services);
  return { public_key: publicKey, devices: await rows.listPushDevices(services.db, who.userId, who.sessionId) };
}

/**
 * Sends a person's notifications to a browser, until its session ends. A browser has one subscription: a repeated one
 * replaces the one before, also that of another person.
 * @throws AppError `bad_request`; `conflict` when the person has as many devices as are allowed
 */
export async function addPushDevice(
  { db, secrets, allowPrivateUrls }: Services,
  who: SignedIn,
  { endpoint, keys }: PushDeviceInput,
): Promise<PushDeviceRecord> {
  const issue = outgoingUrlIssue(new URL(endpoint), { allowPrivate: allowPrivateUrls });
  if (issue !== undefined) throw invalid("body", [{ path: "endpoint", message: issue }]);
  if (!arePushKeys(keys)) throw invalid("body", [{ path: "keys", message: "must be those of a push subscription" }]);
  const { userId, sessionId } = who;
  const id = newId();
  const target: PushTarget = { endpoint, ...keys };
  const device = {
    id,
    userId,
    sessionId,
    endpointHash: hashKey(endpoint),
    host: new URL(endpoint).host,
    targetCiphertext: secrets.encrypt(JSON.stringify(target), pushDeviceContext(id)),
  };
  if (!(await db.transaction((tx) => rows.savePushDevice(tx, device, MAX_PUSH_DEVICES)))) {
    throw new AppError("conflict", `You have ${MAX_PUSH_DEVICES} devices, the most that are allowed. Remove one.`);
  }
  const devices = await rows.listPushDevices(db, userId, sessionId);
  const added = devices.find((one) => one.id === id);
  if (added === undefined) throw new AppError("unauthorized", "The session has ended. Sign in again.");
  return added;
}

/** Ends the notifications of one of a person's devices. @throws AppError `not_found`. */
export async function removePushDevice({ db }: Services, who: SignedIn, id: string): Promise<void> {
  if (!(await rows.deletePushDevice(db, id, who.userId))) throw notFound("Device");
}

/** The keys by which push services know this instance. They are made when they are first asked for, and then stay. */
export async function vapidKeys({ db, secrets }: Pick<Services, "db" | "secrets">): Promise<VapidKeys> {
  const { publicKey, privateCiphertext } = (await rows.readVapidKeys(db)) ?? (await makeKeys({ db, secrets }));
  return { publicKey, privateKey: secrets.open(privateCiphertext, vapidKeyContext(publicKey)) };
}

/** Of processes that make keys at the same time, the first one's are kept. */
async function makeKeys({ db, secrets }: Pick<Services, "db" | "secrets">): Promise<rows.StoredVapidKeys> {
  const { publicKey, privateKey } = createVapidKeys();
  const privateCiphertext = secrets.encrypt(privateKey, vapidKeyContext(publicKey));
  await rows.insertVapidKeys(db, { publicKey, privateCiphertext });
  const kept = await rows.readVapidKeys(db);
  if (kept === undefined) throw new Error("The keys for push services were just stored.");
  return kept;
}
