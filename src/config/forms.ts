import { z } from "zod";
import { hasWrongChecksum } from "#domain/access/api-key.ts";
import { JsonSyntaxError, parseJson } from "#lib/text/parse-json.ts";
import { findUrlProblem } from "./postgres-url.ts";

/** A PostgreSQL URL. */
export const postgresUrl = z
  .string()
  .superRefine((url, context) => {
    const message = findUrlProblem(url);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  })
  .optional();

/** The URL of a host, which browsers and clients can open. */
export const hostUrl = z
  .url({ protocol: /^https?$/, error: "must be a URL such as https://example.org", abort: true })
  .refine((url) => new URL(url).href === `${new URL(url).origin}/`, {
    error:
      "must be a URL without a path, such as https://muster.example.org: the console and all APIs are at the root of their host",
  });

/** A whole number of at least 1. */
export const count = (fallback: number) => z.coerce.number().int().min(1).default(fallback);

/** A setting with JSON; unset counts as an empty object. */
export function json<Schema extends z.ZodType>(schema: Schema) {
  return jsonOr("{}", schema);
}

/** A setting with a list as JSON; unset counts as an empty one. */
export function jsonList<Schema extends z.ZodType>(schema: Schema) {
  return jsonOr("[]", schema);
}

function jsonOr<Schema extends z.ZodType>(unset: string, schema: Schema) {
  return z
    .string()
    .default(unset)
    .transform((text, context): unknown => {
      try {
        return parseJson(text);
      } catch (error) {
        if (!(error instanceof JsonSyntaxError)) throw error;
        context.addIssue({ code: "custom", message: `is not JSON: ${error.message}` });
        return z.NEVER;
      }
    })
    .pipe(schema);
}

/** A key of the first workspace, chosen by the operator. */
export function initialKey(prefix: string) {
  const rest = new RegExp(`^${prefix}[0-9A-Za-z_-]{16,}$`);
  return z
    .string()
    .regex(rest, `begins with ${prefix}, followed by at least 16 letters, digits, _ or -`)
    .refine((key) => !hasWrongChecksum(key), "has a wrong checksum: a character is missing or changed")
    .optional();
}
