import { z } from "zod";

/** Longest value of a field whose content is the caller's, as JSON in UTF-8. */
const MAX_BYTES = 65_536;

/** What is said of a value that is too long. */
export const TOO_LONG = `must not be longer than ${MAX_BYTES} bytes of JSON`;

/** A JSON object whose content is the caller's own: any fields, but not more than 64 KB. */
export const freeForm = z.record(z.string(), z.unknown()).refine(isShort, TOO_LONG);

/** Whether a value, as JSON, is not longer than 64 KB. */
export function isShort(value: unknown): boolean {
  return Buffer.byteLength(JSON.stringify(value)) <= MAX_BYTES;
}
