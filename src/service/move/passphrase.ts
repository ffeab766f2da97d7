import { createHmac, randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { KEY_BYTES, UnreadableSecretError, createSecretBox } from "#lib/security/secret-box.ts";
import type { SecretBox } from "#lib/security/secret-box.ts";
import { MoveError } from "./format.ts";
import type { Header } from "./format.ts";

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);

/** The fewest characters of a passphrase. */
export const MIN_PASSPHRASE = 12;
const SALT_BYTES = 16;
/** 128 MiB for one guess. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 };
const CHECK = "muster-workspace";

/** The key of an export. */
export interface ExportKey {
  readonly box: SecretBox;
  readonly salt: string;
  readonly check: string;
}

/** Makes the key of a new export from its passphrase. @throws MoveError for a short one */
export async function newKey(passphrase: string): Promise<ExportKey> {
  if (passphrase.length < MIN_PASSPHRASE) {
    throw new MoveError(`The passphrase must have at least ${MIN_PASSPHRASE} characters.`);
  }
  const salt = randomBytes(SALT_BYTES);
  const box = await boxOf(passphrase, salt);
  return { box, salt: salt.toString("base64"), check: box.encrypt(CHECK, CHECK) };
}

/** Opens the key of an export. @throws MoveError for another passphrase */
export async function openKey(passphrase: string, { salt, check }: Pick<Header, "salt" | "check">): Promise<ExportKey> {
  const box = await boxOf(passphrase, Buffer.from(salt, "base64"));
  try {
    box.open(check, CHECK);
  } catch (error) {
    if (error instanceof UnreadableSecretError) throw new MoveError("The passphrase is not the one of this export.");
    throw error;
  }
  return { box, salt, check };
}

async function boxOf(passphrase: string, salt: Buffer): Promise<SecretBox> {
  return createSecretBox(await derive(passphrase.normalize(), salt, KEY_BYTES, COST));
}

/** The seal of a text: only who knows the passphrase can make it. */
export function sealOf({ box }: ExportKey, text: string): string {
  return createHmac("sha256", box.derive("workspace-export")).update(text).digest("hex");
}

/** Whether a seal fits a text. */
export function fits(key: ExportKey, text: string, seal: string): boolean {
  const [made, given] = [Buffer.from(sealOf(key, text)), Buffer.from(seal)];
  return made.length === given.length && timingSafeEqual(made, given);
}
