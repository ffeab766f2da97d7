import { randomBytes } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ENCRYPTION_KEY_FINGERPRINT, readSetting, writeSetting } from "#db/queries/access/first-start.ts";
import type { Database } from "#db/database.ts";
import { createFolder } from "#lib/create-folder.ts";
import { newId } from "#lib/ids.ts";
import { KEY_BYTES, createSecretBox } from "#lib/security/secret-box.ts";
import type { SecretBox } from "#lib/security/secret-box.ts";
import type { Config } from "#config/config.ts";
import { codeOf } from "#lib/error-code.ts";

const FILE = "encryption.key";
const NEXT_FILE = "encryption.key.next";
const HEX = /^[0-9a-f]{64}$/i;

/** The encryption key is missing, malformed, or does not belong to this database. */
export class EncryptionKeyError extends Error {
  override readonly name = "EncryptionKeyError";
}

/**
 * The secret box of this database. Its key is checked against the fingerprint in the database, which the first start
 * writes. The key comes from the setting ENCRYPTION_KEY, or from the data folder, where it is created for a new
 * database (mode 0600). If a process died while it changed the key, the change is completed.
 * @throws EncryptionKeyError for a malformed key, or when the right key is missing: no stored secret could be decrypted
 */
export async function openSecretBox(db: Database, given: string | undefined, dataFolder: string): Promise<SecretBox> {
  const stored = await readSetting(db, ENCRYPTION_KEY_FINGERPRINT);
  const path = join(dataFolder, FILE);
  if (given === undefined && stored === undefined) await makeKey(dataFolder, path);
  const current = given === undefined ? await readKey(path) : createSecretBox(parseKey(given, "ENCRYPTION_KEY"));
  if (stored === undefined && current !== undefined) {
    await writeSetting(db, ENCRYPTION_KEY_FINGERPRINT, current.fingerprint);
    return current;
  }
  if (current?.fingerprint === stored && current !== undefined) return current;
  const next = given === undefined ? await readNextKey(dataFolder) : undefined;
  if (next === undefined || next.fingerprint !== stored) throw wrongKey(current, stored);
  await takeNextKey(dataFolder);
  return next;
}

/** The fingerprint of the key that is here, which may belong to another database; undefined when there is none. */
export async function presentFingerprint(given: string | undefined, dataFolder: string): Promise<string | undefined> {
  const box =
    given === undefined ? await readKey(join(dataFolder, FILE)) : createSecretBox(parseKey(given, "ENCRYPTION_KEY"));
  return box?.fingerprint;
}

async function makeKey(dataFolder: string, path: string): Promise<void> {
  createFolder(dataFolder, 0o711);
  await createOnce(path, randomBytes(KEY_BYTES).toString("base64"));
}

async function readKey(path: string): Promise<SecretBox | undefined> {
  const text = await readFile(path, "utf8").catch(absent);
  return text === undefined ? undefined : createSecretBox(parseKey(text.trim(), path));
}

/** The key of an unfinished key change; an incomplete file means that nothing was encrypted with it. */
async function readNextKey(dataFolder: string): Promise<SecretBox | undefined> {
  const text = await readFile(join(dataFolder, NEXT_FILE), "utf8").catch(absent);
  const key = Buffer.from(text ?? "", "base64");
  return key.length === KEY_BYTES ? createSecretBox(key) : undefined;
}

function absent(error: unknown): undefined {
  if (codeOf(error) !== "ENOENT") throw error;
}

function wrongKey(current: SecretBox | undefined, stored: string | undefined): EncryptionKeyError {
  const present =
    current === undefined
      ? `There is no encryption key, but this database has one (fingerprint ${stored}). `
      : `The encryption key (fingerprint ${current.fingerprint}) is not the one of this database (${stored}). `;
  return new EncryptionKeyError(
    `${present}Restore the key: set ENCRYPTION_KEY, or put the file ${FILE} back into the data folder.`,
  );
}

/** A key that will replace the current one. */
export interface NextKey {
  readonly box: SecretBox;
  /** Makes it the current key, once the database is encrypted with it. */
  take(): Promise<void>;
}

/**
 * Creates the next key: the value of NEW_ENCRYPTION_KEY; or, when the current key is in the data folder, a random one,
 * which is stored there before anything is encrypted with it.
 * @throws EncryptionKeyError when the key is malformed, or missing while the current one is a setting
 */
export async function prepareNextKey({
  ENCRYPTION_KEY: present,
  NEW_ENCRYPTION_KEY: given,
  MUSTER_DATA: dataFolder,
}: Config): Promise<NextKey> {
  if (present !== undefined && given === undefined) {
    throw new EncryptionKeyError(
      "ENCRYPTION_KEY is set: set NEW_ENCRYPTION_KEY to its successor; create one with: openssl rand -base64 32",
    );
  }
  const key = given === undefined ? randomBytes(KEY_BYTES) : parseKey(given, "NEW_ENCRYPTION_KEY");
  if (present !== undefined) return { box: createSecretBox(key), take: async () => undefined };
  await writeFile(join(dataFolder, NEXT_FILE), key.toString("base64"), { mode: 0o600, flush: true });
  return { box: createSecretBox(key), take: () => takeNextKey(dataFolder) };
}

function takeNextKey(dataFolder: string): Promise<void> {
  return rename(join(dataFolder, NEXT_FILE), join(dataFolder, FILE));
}

function parseKey(text: string, source: string): Buffer {
  const key = Buffer.from(text, HEX.test(text) ? "hex" : "base64");
  if (key.length === KEY_BYTES) return key;
  throw new EncryptionKeyError(
    `${source} must hold ${KEY_BYTES} bytes in base64 or hex; create one with: openssl rand -base64 32`,
  );
}

/** Creates a file atomically; of several concurrent processes, the first one wins. */
async function createOnce(path: string, content: string): Promise<void> {
  const draft = `${path}.${newId()}`;
  try {
    await writeFile(draft, content, { mode: 0o600, flush: true });
    await link(draft, path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
