import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { trimEndOf } from "../text/trim-end.ts";

/** OWASP's recommended argon2id settings: 19 MiB, two passes, one lane (https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html). */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const SALT_BYTES = 16;
const TAG_BYTES = 32;

const derive = promisify(argon2);

/** A syntactically valid hash of an unknown password. */
const DUMMY_HASH = format(Buffer.alloc(SALT_BYTES), Buffer.alloc(TAG_BYTES));

/** Hashes a password with argon2id, in the PHC string format, which includes its parameters. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return format(salt, await derive("argon2id", { message: password, nonce: salt, tagLength: TAG_BYTES, ...COST }));
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

/**
 * Whether a password matches a hash of {@link hashPassword}. Takes the same time for a wrong password and without a
 * hash (no account, or no password), which never matches.
 */
export async function verifyPassword(password: string, hash: string | null = null): Promise<boolean> {
  const [, memory, passes, parallelism, salt = "", tag = ""] = PHC.exec(hash ?? DUMMY_HASH) ?? [];
  const expected = Buffer.from(tag, "base64");
  if (expected.length === 0) return false;
  const actual = await derive("argon2id", {
    message: password,
    nonce: Buffer.from(salt, "base64"),
    tagLength: expected.length,
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  });
  return timingSafeEqual(actual, expected);
}

function format(salt: Buffer, tag: Buffer): string {
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
}

function unpadded(bytes: Buffer): string {
  return trimEndOf(bytes.toString("base64"), "=");
}
