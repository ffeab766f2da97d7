import { z } from "zod";
import { JsonSyntaxError, parseJson } from "#lib/text/parse-json.ts";

const POSTGRES_URL = "is a URL such as postgresql://user:password@host:5432/muster";
/** A PostgreSQL URL. */
export const postgresUrl = z.url({ protocol: /^postgres(ql)?$/, error: POSTGRES_URL }).optional();

/** A URL that browsers and clients can open. */
export const httpUrl = z.url({ protocol: /^https?$/, error: "must be a URL such as https://example.org" });

/** A whole number of at least 1. */
export const count = (fallback: number) => z.coerce.number().int().min(1).default(fallback);

/** A setting with JSON; unset counts as an empty object. */
export function json<Schema extends z.ZodType>(schema: Schema) {
  return z
    .string()
    .default("{}")
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
  return z.string().regex(rest, `begins with ${prefix}, followed by at least 16 letters, digits, _ or -`).optional();
}
