import { z } from "zod";
import { formatSize } from "#lib/text/format-size.ts";

/** The maximum size of a free-form field, as JSON in UTF-8. */
const MAX_BYTES = 65_536;

/** The message for a value that is too long. */
export const TOO_LONG = `must not be longer than ${formatSize(MAX_BYTES)} of JSON`;

/** A JSON object with any fields of the caller, up to 64 KB. */
export const freeForm = z.record(z.string(), z.unknown()).refine(isWithinSizeLimit, TOO_LONG);

/** True if a value's JSON is at most 64 KB. */
export function isWithinSizeLimit(value: unknown): boolean {
  return Buffer.byteLength(JSON.stringify(value)) <= MAX_BYTES;
}
