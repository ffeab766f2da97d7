import { randomBytes } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "#config/config.ts";
import { createFolder } from "#lib/create-folder.ts";
import { codeOf } from "#lib/error-code.ts";
import { newId } from "#lib/ids.ts";
import { KEY_BYTES, createSecretBox } from "#lib/security/secret-box.ts";
import type { SecretBox } from "#lib/security/secret-box.ts";
import { EncryptionKeyError } from "./encryption-key-error.ts";
import { runKeyCommand } from "./key-command.ts";

const FILE = "encryption.key";
const NEXT_FILE = "encryption.key.next";
const HEX = /^[0-9a-f]{64}$/i;

/** The settings that say where the encryption key is. */
export type KeySettings = Pick<Config, "ENCRYPTION_KEY" | "ENCRYPTION_KEY_COMMAND" | "MUSTER_DATA">;

/** An encryption key, which wraps the data keys. */
export interface WrappingKey {
  readonly bytes: Buffer;
  readonly box: SecretBox;
}

/** Whether the key is in the data folder; otherwise it is a setting, or what a command prints. */
export function isInFolder({ ENCRYPTION_KEY: key, ENCRYPTION_KEY_COMMAND: command }: KeySettings): boolean {
  return key === undefined && command === undefined;
}

/**
 * Reads the key: the setting, what the command prints, or the file in the data folder; undefined when there is no file.
 * @throws EncryptionKeyError when it is malformed, or the command fails
 */
export async function readWrappingKey(settings: KeySettings): Promise<WrappingKey | undefined> {
  const { ENCRYPTION_KEY: key, ENCRYPTION_KEY_COMMAND: command, MUSTER_DATA: folder } = settings;
  if (key !== undefined) return parseKey(key, "ENCRYPTION_KEY");
  if (command !== undefined) return parseKey(await runKeyCommand(command), "What ENCRYPTION_KEY_COMMAND prints");
  const path = join(folder, FILE);
  const text = await readFile(path, "utf8").catch(absent);
  return text === undefined ? undefined : parseKey(text.trim(), path);
}

/** Creates the key of a new database in the data folder (mode 0600), unless one is there. */
export async function makeKey(folder: string): Promise<void> {
  createFolder(folder, 0o711);
  await createOnce(join(folder, FILE), randomBytes(KEY_BYTES).toString("base64"));
}

/** The key of an unfinished change; undefined for an incomplete file, with whose key nothing was encrypted. */
export async function readNextKey(folder: string): Promise<WrappingKey | undefined> {
  const text = await readFile(join(folder, NEXT_FILE), "utf8").catch(absent);
  const bytes = Buffer.from(text ?? "", "base64");
  return bytes.length === KEY_BYTES ? keyOf(bytes) : undefined;
}

/** Writes the next key beside the present one, before anything is encrypted with it. */
export async function writeNextKey(folder: string, { bytes }: WrappingKey): Promise<void> {
  await writeFile(join(folder, NEXT_FILE), bytes.toString("base64"), { mode: 0o600, flush: true });
}

/** Makes the next key the present one. */
export function takeNextKey(folder: string): Promise<void> {
  return rename(join(folder, NEXT_FILE), join(folder, FILE));
}

/** A new random key. */
export function newWrappingKey(): WrappingKey {
  return keyOf(randomBytes(KEY_BYTES));
}

/** Reads a key in base64 or hex. @throws EncryptionKeyError that begins with `source`, never with the key */
export function parseKey(text: string, source: string): WrappingKey {
  const bytes = Buffer.from(text, HEX.test(text) ? "hex" : "base64");
  if (bytes.length === KEY_BYTES) return keyOf(bytes);
  throw new EncryptionKeyError(
    `${source} must hold ${KEY_BYTES} bytes in base64 or hex; create one with: openssl rand -base64 32`,
  );
}

function keyOf(bytes: Buffer): WrappingKey {
  return { bytes, box: createSecretBox(bytes) };
}

function absent(error: unknown): undefined {
  if (codeOf(error) !== "ENOENT") throw error;
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
