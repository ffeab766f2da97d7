import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import { areEqual } from "#lib/security/equal-texts.ts";

/** The APIs that a key gives access to; each API rejects keys of other kinds. */
export const KEY_KINDS = ["envelope", "table", "mcp", "a2a", "ag-ui"] as const;

/** One of {@link KEY_KINDS}. */
export type KeyKind = (typeof KEY_KINDS)[number];

/** The surfaces of the service that keys open, each with the kinds of keys that it accepts. */
const OPENED_BY = {
  rest: ["envelope"],
  openai: ["envelope"],
  "ag-ui": ["ag-ui", "a2a", "envelope"],
  a2a: ["a2a", "ag-ui"],
  mcp: ["mcp"],
  table: ["table"],
} as const satisfies Readonly<Record<string, readonly KeyKind[]>>;

/** The names of the surfaces; a key may be limited to some of those that its kind opens. */
export const SURFACES = [
  "rest",
  "openai",
  "ag-ui",
  "a2a",
  "mcp",
  "table",
] as const satisfies (keyof typeof OPENED_BY)[];

/** One of {@link SURFACES}. */
export type Surface = keyof typeof OPENED_BY;

/** Returns the surfaces that a kind of key opens. */
export function surfacesOf(kind: KeyKind): Surface[] {
  return SURFACES.filter((surface) => opens(kind, surface));
}

/** True if a kind of key opens a surface. */
export function opens(kind: KeyKind, surface: Surface): boolean {
  return OPENED_BY[surface].some((accepted) => accepted === kind);
}

/** The scopes of keys. */
export const KEY_SCOPES = ["read", "write"] as const;

/** A scope: one of {@link KEY_SCOPES}. */
export type KeyScope = (typeof KEY_SCOPES)[number];

/** How near the end of a key can be, as its record says. */
export const EXPIRY_WARNINGS = ["14_days", "3_days", "expired"] as const;

/** One of {@link EXPIRY_WARNINGS}. */
export type ExpiryWarning = (typeof EXPIRY_WARNINGS)[number];

/** The time before its end in which a key's responses name it, in milliseconds. */
export const EXPIRES_SOON_MS = 14 * 86_400_000;

const PREFIX: Readonly<Record<KeyKind | "anon", string>> = {
  envelope: "mst_",
  table: "mst_rest_",
  mcp: "mst_mcp_",
  a2a: "mst_a2a_",
  "ag-ui": "mst_agui_",
  anon: "mst_anon_",
};

/** Returns the kind of a key by its prefix; undefined for any other text. */
export function kindOfKey(key: string): KeyKind | "anon" | undefined {
  const specific = [...KEY_KINDS, "anon" as const].filter((kind) => key.startsWith(PREFIX[kind]));
  return specific.find((kind) => kind !== "envelope") ?? specific[0];
}

const CALLED: Readonly<Record<KeyKind | "anon", string>> = {
  envelope: "an envelope key",
  table: "a table key",
  mcp: "an MCP key",
  a2a: "an A2A key",
  "ag-ui": "an AG-UI key",
  anon: "the anon key",
};

/**
 * Says why a key is rejected by a surface. It follows from the key's prefix alone: it does
 * not show whether the key exists.
 */
export function describeRejection(key: string, surface: Surface): string {
  const kind = kindOfKey(key);
  if (kind === undefined || (kind !== "anon" && opens(kind, surface))) return "Invalid API key.";
  const needed = OPENED_BY[surface].map((each) => `${CALLED[each]} (${PREFIX[each]})`).join(" or ");
  return `This is ${CALLED[kind]}; ${needed} is needed here.`;
}

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 43 base62 digits carry 256 bits. */
const RANDOM_DIGITS = 43;
const DISPLAY_LENGTH = 12;

/** 6 base62 digits hold the 32 bits of a checksum. */
const CHECKSUM_DIGITS = 6;
/** A key with a checksum; those of earlier versions, and those that the operator chose, have none. */
const WITH_CHECKSUM = new RegExp(`^mst_(?:[a-z\\d]+_)?[0-9A-Za-z]{${RANDOM_DIGITS + CHECKSUM_DIGITS}}$`);

/** Generates a secret key: the prefix of its kind, 256 random bits and a checksum of both, by which scanners know a key. */
export function generateKey(kind: KeyKind | "anon"): string {
  const key = PREFIX[kind] + generateToken();
  return key + checksumOf(key);
}

/** True for a text of a key's length whose checksum is wrong: no key, so that no look-up is needed. */
export function hasWrongChecksum(key: string): boolean {
  return WITH_CHECKSUM.test(key) && checksumOf(key.slice(0, -CHECKSUM_DIGITS)) !== key.slice(-CHECKSUM_DIGITS);
}

function checksumOf(text: string): string {
  let digits = "";
  for (let rest = crc32(text); digits.length < CHECKSUM_DIGITS; rest = Math.floor(rest / ALPHABET.length)) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
  }
  return digits;
}

/** Generates a secret of 256 random bits for a one-time link: 43 base62 digits. */
export function generateToken(): string {
  let digits = "";
  for (let i = 0; i < RANDOM_DIGITS; i++) digits += ALPHABET.charAt(randomInt(ALPHABET.length));
  return digits;
}

/** Returns the stored form of a key: its SHA-256 in hex. The key itself is shown once and never stored. */
export function hashKey(key: string): string {
  return hash("sha256", key, "hex");
}

/** True if a hash of {@link hashKey} is that of a key or token; compares in constant time. */
export function matchesHash(key: string, hash: string): boolean {
  return areEqual(hashKey(key), hash);
}

/** Returns the part of a key that lists show, so that its owner recognises it. */
export function displayPrefix(key: string): string {
  return key.slice(0, DISPLAY_LENGTH);
}
