import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readSetting, writeSetting } from "#db/queries/first-start.ts";
import type { Database } from "#db/database.ts";
import { newId } from "#lib/ids.ts";
import { KEY_BYTES, createSecretBox } from "#lib/secret-box.ts";
import type { SecretBox } from "#lib/secret-box.ts";

const FILE = "encryption.key";
const HEX = /^[0-9a-f]{64}$/i;

/** The encryption key is missing, malformed, or not the one of this database. */
export class EncryptionKeyError extends Error {
  override readonly name = "EncryptionKeyError";
}

/**
 * Opens the box for stored secrets with the key of the setting ENCRYPTION_KEY, or else with the
 * one in the data folder, which is made at the first start (mode 0600).
 * @throws EncryptionKeyError for a malformed key.
 */
export async function openSecretBox(given: string | undefined, dataFolder: string): Promise<SecretBox> {
  if (given !== undefined) return createSecretBox(parseKey(given, "ENCRYPTION_KEY"));
  await mkdir(dataFolder, { recursive: true, mode: 0o711 });
  const path = join(dataFolder, FILE);
  await createOnce(path, randomBytes(KEY_BYTES).toString("base64"));
  return createSecretBox(parseKey((await readFile(path, "utf8")).trim(), path));
}

/**
 * Compares the key with the fingerprint in the database, which the first start writes.
 * @throws EncryptionKeyError when they differ: nothing that is stored could be opened.
 */
export async function checkFingerprint(db: Database, box: SecretBox): Promise<void> {
  const stored = await readSetting(db, "encryption_key_fingerprint");
  if (stored === undefined) return writeSetting(db, "encryption_key_fingerprint", box.fingerprint);
  if (stored === box.fingerprint) return;
  throw new EncryptionKeyError(
    `The encryption key (fingerprint ${box.fingerprint}) is not the one of this database (${stored}). ` +
      `Restore the key: set ENCRYPTION_KEY, or put the file ${FILE} back into the data folder.`,
  );
}

function parseKey(text: string, source: string): Buffer {
  const key = Buffer.from(text, HEX.test(text) ? "hex" : "base64");
  if (key.length === KEY_BYTES) return key;
  throw new EncryptionKeyError(
    `${source} must hold ${KEY_BYTES} bytes in base64 or hex; make one with: openssl rand -base64 32`,
  );
}

/** Makes a file whole or not at all; of several processes at once, the first one's stays. */
async function createOnce(path: string, content: string): Promise<void> {
  const draft = `${path}.${newId()}`;
  await writeFile(draft, content, { mode: 0o600, flush: true });
  try {
    await link(draft, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    await unlink(draft);
  }
}
