import { randomUUID } from "node:crypto";

/** Hex digits of the time in milliseconds. */
const TIME_DIGITS = 12;
/** In a random UUID: where its version digit stands, behind 48 random bits and two hyphens. */
const VERSION_INDEX = 14;

/**
 * A new id: a UUID version 7 (RFC 9562), whose leading 48 bits are the time in milliseconds.
 * Rows made one after another then lie next to each other in their index.
 */
export function newId(now: number = Date.now()): string {
  const time = now.toString(16).padStart(TIME_DIGITS, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(VERSION_INDEX + 1)}`;
}

/** When an id of {@link newId} was created, in milliseconds since 1970. */
export function createdAt(id: string): number {
  return Number.parseInt(id.replaceAll("-", "").slice(0, TIME_DIGITS), 16);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID of any version, in its usual form with hyphens. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
