import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Length of an encryption key in bytes (AES-256). */
export const KEY_BYTES = 32;

/** A stored secret cannot be decrypted. The message reveals neither the secret nor its row. */
export class UnreadableSecretError extends Error {
  override readonly name = "UnreadableSecretError";

  constructor(options: ErrorOptions) {
    super(
      "A stored secret cannot be decrypted: it was changed, moved, or encrypted with another key. Save it again.",
      options,
    );
  }
}

/** Encrypts secrets for storage. */
export interface SecretBox {
  /** Encrypts a text with AES-256-GCM under a new nonce. Decryption requires the same `context`. */
  encrypt(plaintext: string, context: string): string;
  /**
   * Decrypts a result of {@link SecretBox.encrypt}.
   * @throws UnreadableSecretError when the text was changed, or encrypted with another key or context
   */
  open(encrypted: string, context: string): string;
  /**
   * Derives a key of {@link KEY_BYTES} bytes for one purpose (HKDF-SHA256); keys of different purposes are independent,
   * and do not reveal the original key.
   */
  derive(purpose: string): Buffer;
  /** The derived keys that may have signed what is still valid. */
  deriveAll(purpose: string): readonly Buffer[];
  /** The key's fingerprint: 16 hex digits that do not reveal it. */
  readonly fingerprint: string;
}

/**
 * Creates a box for one key of {@link KEY_BYTES} bytes. The encrypted form is base64 of nonce, tag and ciphertext. The
 * context (the secret's row) is authenticated, so a ciphertext copied to another row cannot be decrypted.
 */
export function createSecretBox(key: Buffer): SecretBox {
  if (key.length !== KEY_BYTES) {
    throw new Error(`An encryption key has ${KEY_BYTES} bytes, this one has ${key.length}.`);
  }
  const derived = new Map<string, Buffer>();
  function derive(purpose: string): Buffer {
    const known = derived.get(purpose) ?? Buffer.from(hkdfSync("sha256", key, "", `muster:${purpose}`, KEY_BYTES));
    derived.set(purpose, known);
    return known;
  }
  return {
    encrypt(plaintext, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));
      const ciphertext = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString("base64");
    },
    open(encrypted, context) {
      try {
        return decrypt(Buffer.from(encrypted, "base64"), key, context);
      } catch (cause) {
        throw new UnreadableSecretError({ cause });
      }
    },
    derive,
    deriveAll: (purpose) => [derive(purpose)],
    fingerprint: createHash("sha256").update("muster-key:").update(key).digest("hex").slice(0, 16),
  };
}

function decrypt(bytes: Buffer, key: Buffer, context: string): string {
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const plaintext = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([plaintext, decipher.final()]).toString("utf8");
}
