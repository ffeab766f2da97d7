import { z } from "zod";
import { DESTINATIONS } from "#destinations/gen/registry.ts";
import { trimEndOf } from "#lib/text/trim-end.ts";

const RELAY = /^[a-z0-9.-]+(?::\d{1,5})?$/;
const SENDER = /^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/;
const text = z.string().min(1).optional();

/** Settings of deliveries. */
export const deliveries = z.object({
  DELIVERY_TIMEOUT: z.coerce.number().min(0.1).max(120).default(10).describe("Seconds that an attempt may take."),
  DELIVERY_LIMIT_WAIT: z.coerce
    .number()
    .min(0)
    .max(86_400)
    .default(600)
    .describe(
      "Seconds that a delivery waits for a receiver's rate limit (429) before a rejection counts as an attempt.",
    ),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: "must be a URL such as smtp://user:password@smtp.example.org:587" })
    .optional()
    .describe(
      "Mail server for invitations and forgotten passwords, such as smtp://user:password@smtp.example.org:587 (smtps:// for TLS from the start); without it, none is sent.",
    ),
  MAIL_FROM: z
    .string()
    .regex(SENDER, "must be an address such as Muster <muster@example.org>")
    .optional()
    .describe("Sender of these mails, such as Muster <muster@example.org>; required with SMTP_URL."),
  SMTP_RELAYS: z
    .string()
    .default("")
    .transform((list) =>
      list
        .toLowerCase()
        .split(",")
        .map((relay) => relay.trim())
        .filter(Boolean),
    )
    .pipe(z.array(z.string().regex(RELAY, "is a comma-separated list of hosts, such as relay.internal:25")))
    .describe(
      "Mail servers inside the network, as host or host:port, comma-separated: SMTP routes may use them although they are private, and without user, password and TLS.",
    ),
});

/** Settings that need each other. */
export function mailIssues({ SMTP_URL: url, MAIL_FROM: from }: NodeJS.ProcessEnv): z.core.$ZodIssue[] {
  if ((url === undefined) === (from === undefined)) return [];
  const [missing, given] = url === undefined ? ["SMTP_URL", "MAIL_FROM"] : ["MAIL_FROM", "SMTP_URL"];
  return [{ code: "custom", path: [missing], message: `is required with ${given}`, input: undefined }];
}

/** Settings of the connection to Google accounts. */
export const google = z.object({
  GOOGLE_OAUTH_CLIENT_ID: text.describe(
    "OAuth client with which workspaces connect a Google account; its redirect URI is PUBLIC_URL/oauth/google/callback.",
  ),
  GOOGLE_OAUTH_CLIENT_SECRET: text.describe("Its secret."),
  GOOGLE_OAUTH_BASE: z
    .url({ protocol: /^https?$/, error: "is an http or https URL" })
    .optional()
    .describe("Another base URL in place of https://accounts.google.com and https://oauth2.googleapis.com."),
});

/** One setting for each destination with a vendor, derived from the registry. */
export const destinationBases = z.object(
  Object.fromEntries(
    DESTINATIONS.flatMap(({ vendor, title }) =>
      vendor === undefined ? [] : [[vendor.setting, vendorBase(vendor.base, title)] as const],
    ),
  ),
);

/** Replaces a vendor's base URL; without a trailing slash. */
function vendorBase(base: string | undefined, title: string) {
  return z
    .url({ protocol: /^https?$/, error: "is an http or https URL" })
    .transform((url) => trimEndOf(url, "/"))
    .optional()
    .describe(
      base === undefined
        ? `${title}: replaces the origin of the webhook URLs of its routes.`
        : `${title}: another base URL in place of ${base}.`,
    );
}

/** The configured base URLs. */
export function withoutUndefined(
  bases: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(bases).flatMap(([name, base]) => (base === undefined ? [] : [[name, base] as const])),
  );
}
