import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ENCRYPTION_KEY_FINGERPRINT, readSetting, writeSetting } from "#db/queries/first-start.ts";
import type { Database } from "#db/database.ts";
import { newId } from "#lib/ids.ts";
import { KEY_BYTES, createSecretBox } from "#lib/secret-box.ts";
import type { SecretBox } from "#lib/secret-box.ts";
import type { Config } from "./config.ts";

const FILE = "encryption.key";
const NEXT_FILE = "encryption.key.next";
const HEX = /^[0-9a-f]{64}$/i;

/** The encryption key is missing, malformed, or not the one of this database. */
export class EncryptionKeyError extends Error {
  override readonly name = "EncryptionKeyError";
}

/**
 * The boxes for stored secrets that this process has keys for: with the setting ENCRYPTION_KEY that one; without it
 * the one in the data folder, which is made at the first start (mode 0600), and behind it the one that a change of the
 * key may have left there before it was over.
 * @throws EncryptionKeyError for a malformed key.
 */
export async function openSecretBoxes(given: string | undefined, dataFolder: string): Promise<SecretBox[]> {
  if (given !== undefined) return [createSecretBox(parseKey(given, "ENCRYPTION_KEY"))];
  await mkdir(dataFolder, { recursive: true, mode: 0o711 });
  const path = join(dataFolder, FILE);
  await createOnce(path, randomBytes(KEY_BYTES).toString("base64"));
  const current = createSecretBox(parseKey((await readFile(path, "utf8")).trim(), path));
  const next = Buffer.from(await readFile(join(dataFolder, NEXT_FILE), "utf8").catch(() => ""), "base64");
  // Half a key is of a change that came to nothing.
  return next.length === KEY_BYTES ? [current, createSecretBox(next)] : [current];
}

/**
 * The box whose key is that of the database, by the fingerprint there, which the first start writes. A key that was
 * being changed when the process died takes its place in the data folder now.
 * @throws EncryptionKeyError when there is none: nothing that is stored could be opened.
 */
export async function fittingBox(db: Database, boxes: readonly SecretBox[], dataFolder: string): Promise<SecretBox> {
  const [current] = boxes;
  if (current === undefined) throw new Error("There is a key always.");
  const stored = await readSetting(db, ENCRYPTION_KEY_FINGERPRINT);
  if (stored === undefined) {
    await writeSetting(db, ENCRYPTION_KEY_FINGERPRINT, current.fingerprint);
    return current;
  }
  const fitting = boxes.find(({ fingerprint }) => fingerprint === stored);
  if (fitting === undefined) {
    throw new EncryptionKeyError(
      `The encryption key (fingerprint ${current.fingerprint}) is not the one of this database (${stored}). ` +
        `Restore the key: set ENCRYPTION_KEY, or put the file ${FILE} back into the data folder.`,
    );
  }
  if (fitting !== current) await takeNextKey(dataFolder);
  return fitting;
}

/** A key that is to take the place of the present one. */
export interface NextKey {
  readonly box: SecretBox;
  /** Puts it into its place, when the database is sealed with it. */
  take(): Promise<void>;
}

/**
 * Makes the key that comes next: what NEW_ENCRYPTION_KEY says; else, where the present one is in the data folder, a
 * random one, which is stored there before anything is sealed with it.
 * @throws EncryptionKeyError when the key is malformed, or missing where the present one is a setting.
 */
export async function prepareNextKey({
  ENCRYPTION_KEY: present,
  NEW_ENCRYPTION_KEY: given,
  MUSTER_DATA: dataFolder,
}: Config): Promise<NextKey> {
  if (present !== undefined && given === undefined) {
    throw new EncryptionKeyError(
      "ENCRYPTION_KEY is set: set NEW_ENCRYPTION_KEY to its successor; make one with: openssl rand -base64 32",
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
