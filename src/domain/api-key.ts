import { createHash, randomInt } from "node:crypto";

/** The surfaces that a key opens; a key of one kind is refused by the others. */
export const KEY_KINDS = ["envelope", "table", "mcp", "a2a", "ag-ui"] as const;

/** One of {@link KEY_KINDS}. */
export type KeyKind = (typeof KEY_KINDS)[number];

/** What a key may do. */
export type KeyScope = "read" | "write";

const PREFIX: Readonly<Record<KeyKind | "anon", string>> = {
  envelope: "mst_",
  table: "mst_rest_",
  mcp: "mst_mcp_",
  a2a: "mst_a2a_",
  "ag-ui": "mst_agui_",
  anon: "mst_anon_",
};

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 43 base62 digits carry 256 bits. */
const RANDOM_DIGITS = 43;
const DISPLAY_LENGTH = 12;

/** A new secret key with 256 random bits behind the prefix of its kind. */
export function generateKey(kind: KeyKind | "anon"): string {
  let digits = "";
  for (let i = 0; i < RANDOM_DIGITS; i++) digits += ALPHABET.charAt(randomInt(ALPHABET.length));
  return PREFIX[kind] + digits;
}

/** What is stored of a key: its SHA-256 in hex. The key itself is shown once and kept nowhere. */
export function hashKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** The part of a key that lists show, so that its owner recognises it. */
export function displayPrefix(key: string): string {
  return key.slice(0, DISPLAY_LENGTH);
}
