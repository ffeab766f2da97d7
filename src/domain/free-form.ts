import { z } from "zod";
import { isRecord } from "#lib/is-record.ts";
import { formatSize } from "#lib/text/format-size.ts";
import { countFields } from "./storable.ts";

/** The maximum size of a free-form field, as JSON in UTF-8. */
const MAX_BYTES = 65_536;

/** The message for a value that is too long. */
export const TOO_LONG = `must not be longer than ${formatSize(MAX_BYTES)} of JSON`;

/** Each field has at least two quotes, a colon, a value and a comma. */
const MAX_FIELDS = MAX_BYTES / 5;

/** A JSON object with any fields of the caller, up to 64 KB. Zod reads each field: what is too long is rejected before. */
export const freeForm = z.preprocess(
  (value, context) => {
    if (!isRecord(value) || (countFields(value) < MAX_FIELDS && isWithinSizeLimit(value))) return value;
    context.addIssue({ code: "custom", message: TOO_LONG });
    return z.NEVER;
  },
  z.record(z.string(), z.unknown()),
);

/** True if a value's JSON is at most 64 KB. */
export function isWithinSizeLimit(value: unknown): boolean {
  return Buffer.byteLength(JSON.stringify(value)) <= MAX_BYTES;
}
