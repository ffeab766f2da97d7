import type { Database } from "#db/database.ts";
import { insertDataKey, readDataKeys } from "#db/queries/access/data-keys.ts";
import type { WrappedKey } from "#db/queries/access/data-keys.ts";
import { ENCRYPTION_KEY_FINGERPRINT, readSetting, writeSetting } from "#db/queries/access/first-start.ts";
import { createSecretBox } from "#lib/security/secret-box.ts";
import type { SecretBox } from "#lib/security/secret-box.ts";
import { createSecretRing } from "#lib/security/secret-ring.ts";
import type { Generation, RingState, SecretRing } from "#lib/security/secret-ring.ts";
import { EncryptionKeyError } from "./encryption-key-error.ts";
import { isInFolder, makeKey, readNextKey, readWrappingKey, takeNextKey } from "./wrapping-key.ts";
import type { KeySettings, WrappingKey } from "./wrapping-key.ts";

/** The secrets of this database, for this process. */
export interface OpenSecrets {
  readonly secrets: SecretRing;
  /**
   * Reads the data keys again, after another process has changed them. An encryption key that is in the data folder or
   * printed by a command is read again, too.
   * @throws EncryptionKeyError when a new data key cannot be unwrapped; the known ones remain
   */
  refresh(): Promise<void>;
}

/**
 * Opens the secrets of this database. The encryption key is checked against the data keys, or in a database of version
 * 0.1.0 against its fingerprint; it becomes that database's first data key. For a new database without a setting, the
 * key is created in the data folder. If a process died while it changed the key there, the change is completed.
 * @throws EncryptionKeyError for a malformed key, or when the right key is missing: no stored secret could be decrypted
 */
export async function openSecrets(db: Database, settings: KeySettings): Promise<OpenSecrets> {
  const fingerprint = await readSetting(db, ENCRYPTION_KEY_FINGERPRINT);
  const rows = await readDataKeys(db);
  if (fingerprint === undefined && isInFolder(settings)) await makeKey(settings.MUSTER_DATA);
  const key = await findKey(settings, { rows, fingerprint });
  if (fingerprint === undefined) await writeSetting(db, ENCRYPTION_KEY_FINGERPRINT, key.box.fingerprint);
  if (rows.length === 0) {
    await insertDataKey(db, { ...wrap(key.box, 0, key.bytes), isActive: true });
  }
  let held = key;
  const secrets = createSecretRing(unwrapAll(await readDataKeys(db), key));
  async function refresh(): Promise<void> {
    const wanted = await readSetting(db, ENCRYPTION_KEY_FINGERPRINT);
    const now = await readDataKeys(db);
    if (held.box.fingerprint !== wanted) {
      // The held key may still do, so a command that fails is no reason to stop.
      const next = await readWrappingKey(settings).catch(() => undefined);
      if (next?.box.fingerprint === wanted && next !== undefined) held = next;
    }
    secrets.hold(unwrapAll(now, held));
  }
  return { secrets, refresh };
}

/** The fingerprint of the key that is here, which may belong to another database; undefined when there is none. */
export async function presentFingerprint(settings: KeySettings): Promise<string | undefined> {
  return (await readWrappingKey(settings))?.box.fingerprint;
}

/** A data key as an encryption key encrypts it. */
export function wrap(box: SecretBox, generation: number, key: Buffer): Omit<WrappedKey, "isActive"> {
  const wrapped = box.encrypt(key.toString("base64"), contextOf(generation));
  return { generation, wrapping: box.fingerprint, wrapped };
}

/** The bytes of a data key. */
export function unwrap(box: SecretBox, { generation, wrapped }: WrappedKey): Buffer {
  return Buffer.from(box.open(wrapped, contextOf(generation)), "base64");
}

function contextOf(generation: number): string {
  return `data_keys:${generation}`;
}

interface Stored {
  readonly rows: readonly WrappedKey[];
  readonly fingerprint: string | undefined;
}

async function findKey(settings: KeySettings, { rows, fingerprint }: Stored): Promise<WrappingKey> {
  const wrappings = new Set(rows.map(({ wrapping }) => wrapping));
  const fits = (key: WrappingKey) =>
    rows.length > 0
      ? wrappings.has(key.box.fingerprint)
      : fingerprint === undefined || key.box.fingerprint === fingerprint;
  const present = await readWrappingKey(settings);
  if (present !== undefined && fits(present)) return present;
  const next = isInFolder(settings) ? await readNextKey(settings.MUSTER_DATA) : undefined;
  if (next === undefined || !fits(next)) throw wrongKey(present, fingerprint);
  await takeNextKey(settings.MUSTER_DATA);
  return next;
}

function unwrapAll(rows: readonly WrappedKey[], { box }: WrappingKey): RingState {
  const generations = rows
    .filter(({ wrapping }) => wrapping === box.fingerprint)
    .map((row): Generation => {
      return { number: row.generation, isActive: row.isActive, box: createSecretBox(unwrap(box, row)) };
    });
  const numbers = new Set(rows.map(({ generation }) => generation));
  if (generations.length === numbers.size) return { fingerprint: box.fingerprint, generations };
  throw new EncryptionKeyError(
    `The encryption key (fingerprint ${box.fingerprint}) was replaced: restart this process with the new one.`,
  );
}

function wrongKey(present: WrappingKey | undefined, fingerprint: string | undefined): EncryptionKeyError {
  const found =
    present === undefined
      ? `There is no encryption key, but this database has one (fingerprint ${fingerprint}). `
      : `The encryption key (fingerprint ${present.box.fingerprint}) is not the one of this database (${fingerprint}). `;
  return new EncryptionKeyError(
    `${found}Restore the key: set ENCRYPTION_KEY, or put the file encryption.key back into the data folder.`,
  );
}
