import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import type { Config } from "#config/config.ts";
import { countOlderSecrets, lockSecrets } from "#db/queries/access/encrypted-secrets.ts";
import {
  activateDataKeys,
  dropOtherWrappings,
  insertDataKey,
  readDataKeys,
  retireDataKeys,
} from "#db/queries/access/data-keys.ts";
import type { WrappedKey } from "#db/queries/access/data-keys.ts";
import { ENCRYPTION_KEY_FINGERPRINT, readSetting, writeSetting } from "#db/queries/access/first-start.ts";
import { forgetRolePasswords } from "#db/queries/access/role-passwords.ts";
import { countOtherProcesses } from "#db/queries/queue/processes.ts";
import { retryOutage } from "#db/retry-outage.ts";
import { withRotationLock } from "#db/rotation-lock.ts";
import { KEY_BYTES } from "#lib/security/secret-box.ts";
import { reencryptSecrets } from "#operations/access/reencrypt-secrets.ts";
import { openInstance } from "../instance.ts";
import type { Instance } from "../instance.ts";
import { EncryptionKeyError } from "./encryption-key-error.ts";
import { choosePlan } from "./rotation-plan.ts";
import type { RotationPlan } from "./rotation-plan.ts";
import { unwrap, wrap } from "./open-secrets.ts";
import { awaitProcesses, findUsers } from "./processes.ts";

/** The result of a key rotation. */
export interface Rotation {
  /** The number of secrets that this run re-encrypted. */
  readonly secrets: number;
  /** The generation of the data key that encrypts all secrets now. */
  readonly generation: number;
  /** The fingerprint of the encryption key that wraps it. */
  readonly fingerprint: string;
  /** The processes that still use the old encryption key, which therefore still works, too. */
  readonly left: readonly string[];
}

/** Receives the number of secrets that are re-encrypted, and that of all. */
export type OnProgress = (done: number, all: number) => void;

/**
 * Re-encrypts all stored secrets with a new data key, while processes serve, and changes the encryption key that wraps
 * it. Each step leaves a database that every process can read, so a run that was killed is continued by the next one:
 * the new data key is stored; when all processes know it, it encrypts; when all encrypt with it, the secrets follow;
 * when none is left, the old data key is deleted; when no process uses the old encryption key, it stops working.
 * @throws EncryptionKeyError when another rotation is in progress, and for what {@link choosePlan} refuses
 */
export async function rotateEncryptionKey(config: Config, log: Logger, onProgress: OnProgress): Promise<Rotation> {
  const instance = await openInstance(config, log);
  try {
    const rotated = await withRotationLock(instance.url, () => rotate(instance, config, onProgress));
    if (rotated !== undefined) return rotated.result;
    throw new EncryptionKeyError("Another process rotates the encryption key right now; nothing was changed.");
  } finally {
    await instance.close();
  }
}

async function rotate(instance: Instance, config: Config, onProgress: OnProgress): Promise<Rotation> {
  const { db, refreshSecrets } = instance;
  const leaseMs = config.LEASE_MS;
  const [older] = await findUsers(db, leaseMs, ({ newest }) => newest === null);
  if (older !== undefined) {
    throw new EncryptionKeyError(`${older} runs an older version of Muster: finish the upgrade first.`);
  }
  const fingerprint = await readSetting(db, ENCRYPTION_KEY_FINGERPRINT);
  const plan = await choosePlan(config, { rows: await readDataKeys(db), fingerprint });
  await plan.prepare();
  if (plan.isNew) await begin(instance, plan);
  await plan.take();
  const generation = newestOf(await readDataKeys(db));
  await awaitProcesses(db, leaseMs, ({ newest }) => (newest ?? 0) >= generation);
  await activateDataKeys(db);
  await awaitProcesses(db, leaseMs, ({ current }) => (current ?? 0) >= generation);
  await refreshSecrets();
  // Without others nobody uses the password of now, and the next start makes one from the new key.
  if ((await countOtherProcesses(db)) === 0) await forgetRolePasswords(db);
  const secrets = await reencrypt(instance, generation, onProgress);
  const wanted = plan.key.box.fingerprint;
  const left = await findUsers(db, leaseMs, ({ wrapping }) => wrapping !== wanted);
  if (left.length === 0) await dropOtherWrappings(db, wanted);
  return { secrets, generation, fingerprint: wanted, left };
}

/** Stores the new data key, and all data keys as the new encryption key wraps them. */
async function begin({ db }: Instance, { present, key }: RotationPlan): Promise<void> {
  await db.transaction(async (tx) => {
    const rows = (await readDataKeys(tx)).filter(({ wrapping }) => wrapping === present.box.fingerprint);
    const generation = newestOf(rows) + 1;
    const made = randomBytes(KEY_BYTES);
    const boxes = [present.box, key.box];
    for (const box of boxes) await insertDataKey(tx, { ...wrap(box, generation, made), isActive: false });
    for (const row of rows) {
      await insertDataKey(tx, {
        ...wrap(key.box, row.generation, unwrap(present.box, row)),
        isActive: row.isActive,
      });
    }
    await writeSetting(tx, ENCRYPTION_KEY_FINGERPRINT, key.box.fingerprint);
  });
}

function newestOf(rows: readonly WrappedKey[]): number {
  return Math.max(...rows.map(({ generation }) => generation));
}

async function reencrypt(
  { db, secrets }: Pick<Instance, "db" | "secrets">,
  generation: number,
  onProgress: OnProgress,
): Promise<number> {
  const all = await countOlderSecrets(db, generation);
  const onBatch = (done: number) => onProgress(done, Math.max(done, all));
  const { count, unreadable } = await reencryptSecrets(db, { secrets, generation, onBatch });
  if (unreadable.length > 0) {
    throw new EncryptionKeyError(
      `${unreadable.length} stored secrets cannot be decrypted (${unreadable.slice(0, 5).join("; ")}): ` +
        "delete them, or save them again. Then run this again; until then the old key stays.",
    );
  }
  const isRetired = await retryOutage(() =>
    db.transaction(async (tx) => {
      // The triggers of the tables reject what a process that was frozen all the time writes afterwards.
      await lockSecrets(tx);
      if ((await countOlderSecrets(tx, generation)) > 0) return false;
      await retireDataKeys(tx, generation);
      return true;
    }),
  );
  return isRetired ? count : count + (await reencrypt({ db, secrets }, generation, onProgress));
}
