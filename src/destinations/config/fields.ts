import { z } from "zod";
import type { IdOfUrl } from "./vendor-url.ts";

const MAX_SECRET = 2_000;
const MAX_LIST = 50;
const MAX_URL = 2_000;
/** Secrets of Standard Webhooks; their libraries reject any other form, so no receiver could verify with it. */
const STANDARD_SECRET = /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const STANDARD_BYTES = { min: 24, max: 64 };
/** Characters allowed in an HTTP header. */
const NO_SPACES = { pattern: /^[\x21-\x7e]+$/, message: "must not be empty or contain spaces" };

/** A required line of text. */
export function line(title: string, max = 200) {
  return z.string().trim().min(1).max(max).meta({ title });
}

/** An id or token in the vendor's format. */
interface VendorFormat {
  readonly pattern: RegExp;
  /** The message for a value that does not match. */
  readonly message: string;
}

/** A vendor's id; used in a URL or field, so without spaces. */
export function vendorId(title: string, { pattern, message }: VendorFormat = NO_SPACES) {
  return z.string().trim().max(300).regex(pattern, message).meta({ title });
}

/** A vendor's id, or the URL of its page, which people have at hand. */
export function vendorIdOrUrl(title: string, { pattern, message, idOf }: VendorFormat & { readonly idOf: IdOfUrl }) {
  return z
    .string()
    .trim()
    .max(MAX_URL)
    .transform((text) => (/^https?:/i.test(text) ? (URL.parse(text) ?? text) : text))
    .transform((given) => (typeof given === "string" ? given : (idOf(given) ?? given.href)))
    .pipe(z.string().max(300).regex(pattern, message))
    .meta({ title });
}

/** A whole number, also as a string of digits. */
export function wholeNumber({ min, max }: { readonly min: number; readonly max: number }) {
  return z
    .union([z.int(), z.string().regex(/^\d{1,9}$/, "must be a whole number")])
    .transform(Number)
    .pipe(z.int().min(min).max(max));
}

/** A credential issued by a vendor. It is stored encrypted and never returned. */
export function token(title: string, { pattern, message }: VendorFormat = NO_SPACES) {
  return z.string().trim().max(MAX_SECRET).regex(pattern, message).meta({ title, writeOnly: true });
}

/** A password or signing secret chosen by a person; any text. */
export function secret(title: string) {
  return z.string().min(1).max(MAX_SECRET).meta({ title, writeOnly: true });
}

/**
 * A secret that signs requests: any text, or one of Standard Webhooks
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
 */
export function optionalSigningSecret(title: string) {
  return z
    .string()
    .min(1)
    .max(MAX_SECRET)
    .refine(isSigningSecret, "must have Base64 of 24 to 64 bytes after whsec_, or begin with something else")
    .optional()
    .meta({
      title,
      writeOnly: true,
      description: "Signs each request. A secret that begins with whsec_ adds the headers of Standard Webhooks.",
    });
}

/** The URL of an HTTP endpoint. */
export function endpointUrl(title: string) {
  return url().meta({ title, format: "uri" });
}

/** A URL that is itself a credential, such as that of an incoming webhook. */
export function webhookUrl(title: string) {
  return url().meta({ title, format: "uri", writeOnly: true });
}

/** The same where a bot may take its place. */
export function optionalWebhookUrl(title: string) {
  return url().optional().meta({
    title,
    format: "uri",
    writeOnly: true,
    description: "Required without a bot. With both, the bot posts.",
  });
}

/** A comma-separated list of names; an empty text is an empty list. */
export function nameList(title: string, description: string) {
  return z
    .string()
    .default("")
    .transform(splitList)
    .pipe(z.array(z.string().max(100)).max(MAX_LIST))
    .meta({ title, description: `Comma-separated. ${description}` });
}

/** The subject of mails. */
export function subjectTemplate() {
  return z
    .string()
    .trim()
    .min(1)
    .max(300)
    .optional()
    .meta({ title: "Subject Template", description: "Placeholders: {{title}}, {{status}}, {{agent}}." });
}

function url() {
  return z.url({ protocol: /^https?$/, error: "must be a URL that begins with https://" }).max(MAX_SECRET);
}

function isSigningSecret(text: string): boolean {
  if (!text.startsWith("whsec_")) return true;
  const { length } = Buffer.from(text.slice("whsec_".length), "base64");
  return STANDARD_SECRET.test(text) && length >= STANDARD_BYTES.min && length <= STANDARD_BYTES.max;
}

function splitList(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
