import { z } from "zod";
import { issuesOf, invalid } from "#domain/invalid.ts";
import { SECRET_MASK, maskSecret } from "#lib/security/masked-secret.ts";
import { requestHeaders } from "#lib/http/request-headers.ts";
import type { SecretBox } from "#lib/security/secret-box.ts";

/** The headers of a tool's calls, by name. */
export type Headers = Readonly<Record<string, string>>;

/** Shorter values would redact ordinary text. */
const MIN_LENGTH_MASKED = 12;
/** The scheme before the secret, as in `Bearer …`. */
const SCHEME = /^[A-Za-z]+ +/;
const stored = z.record(z.string(), z.string());

/** Headers as they are stored: encrypted, and masked for display. */
export interface StoredHeaders {
  readonly headers_ciphertext: string | null;
  readonly headers_shown: Headers;
}

/** Encrypts headers for storage. @param context the row to which they are bound */
export function encryptHeaders(secrets: SecretBox, context: string, headers: Headers): StoredHeaders {
  const entries = Object.entries(headers);
  return {
    headers_ciphertext: entries.length === 0 ? null : secrets.encrypt(JSON.stringify(headers), context),
    headers_shown: Object.fromEntries(entries.map(([name, value]) => [name, maskSecret(value)])),
  };
}

/** Decrypts the headers of a row. @param context the row to which they are bound */
export function openHeaders(
  secrets: SecretBox,
  context: string,
  { headers_ciphertext: encrypted }: Pick<StoredHeaders, "headers_ciphertext">,
): Headers {
  return encrypted === null ? {} : stored.parse(JSON.parse(secrets.open(encrypted, context)));
}

/** Merges new headers into old ones; a value that is still masked keeps the old one. */
export function mergeHeaders(given: Headers, old: Headers): Headers {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const before = old[name];
      return [name, before !== undefined && value === maskSecret(before) ? before : value];
    }),
  );
}

/** Checks merged headers. @throws AppError `bad_request`. */
export function checkHeaders(headers: Headers): Headers {
  const parsed = requestHeaders.safeParse(headers);
  if (parsed.success) return parsed.data;
  throw invalid("body", issuesOf(parsed.error, ["headers"]));
}

/** Redacts all header values in a text. */
export function withoutSecrets(text: string, headers: Headers): string {
  return Object.values(headers)
    .flatMap((value) => [value, value.replace(SCHEME, "")])
    .filter((value) => value.length >= MIN_LENGTH_MASKED)
    .reduce((clean, value) => clean.replaceAll(value, SECRET_MASK), text);
}
