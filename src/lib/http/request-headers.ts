import { z } from "zod";
import { SECRET_MASK } from "../security/masked-secret.ts";

const MAX_HEADERS = 30;
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
/** Characters allowed in a header. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Hop-by-hop headers, which the caller must not set. */
const OWN = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Request headers chosen by a user. */
export const requestHeaders = z
  .record(
    z.string(),
    z
      .string()
      .max(8_000)
      .regex(VALUE, { error: ({ input }) => valueIssue(String(input)) }),
  )
  .superRefine((headers, context) => {
    const names = Object.keys(headers);
    if (names.length > MAX_HEADERS) context.addIssue(`must not be more than ${MAX_HEADERS} headers`);
    for (const name of names) {
      const message = nameIssue(name);
      if (message !== undefined) context.addIssue({ code: "custom", path: [name], message });
    }
  });

function nameIssue(name: string): string | undefined {
  if (!NAME.test(name)) return "is not the name of a header";
  return OWN.has(name.toLowerCase()) ? "belongs to the connection and cannot be set" : undefined;
}

function valueIssue(value: string): string {
  // Sent back as it is shown, it would replace the secret.
  if (value.startsWith(SECRET_MASK)) return "is masked, and not the stored value; send the value itself";
  return "contains characters not allowed in a header";
}
