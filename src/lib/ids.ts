import { hash, randomUUID } from "node:crypto";

/** The hex digits of the timestamp in milliseconds. */
const TIME_DIGITS = 12;
/** The version digit's position in a random UUID: after 48 random bits and two hyphens. */
const VERSION_INDEX = 14;

/**
 * A new id: a UUID version 7 (RFC 9562), whose leading 48 bits are the time in milliseconds. Consecutive rows are
 * therefore adjacent in their index.
 */
export function newId(now: number = Date.now()): string {
  const time = now.toString(16).padStart(TIME_DIGITS, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(VERSION_INDEX + 1)}`;
}

/** The id of what exists once for a text that identifies it: a UUID version 8, of its SHA-256. */
export function idFor(text: string): string {
  const digest = hash("sha256", text);
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-a${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}

/** The creation time of a {@link newId}, in milliseconds since 1970. */
export function createdAt(id: string): number {
  return Number.parseInt(id.replaceAll("-", "").slice(0, TIME_DIGITS), 16);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID of any version in its usual form. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
