import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { displayName } from "../display-name.ts";
import { displayPrefix, generateToken } from "../access/api-key.ts";
import { formatJson } from "#lib/text/format-json.ts";
import { requireOneAssignee, taskTemplate } from "./schedule.ts";
import { storableText } from "../storable.ts";

const TOKEN_PREFIX = "mst_hook_";
/**
 * The maximum length of a payload in a task; the rest is cut. Together with the longest description, it is a task's
 * limit.
 */
const MAX_PAYLOAD = 49_000;
const MIN_SECRET = 16;
const MAX_SECRET = 200;

const fields = z.strictObject({
  name: displayName(100),
  is_active: z.boolean().describe("false: paused; deliveries are rejected."),
  secret: z
    .string()
    .min(MIN_SECRET)
    .max(MAX_SECRET)
    .nullable()
    .describe("With it, deliveries must be signed: X-Hub-Signature-256 is sha256=<hex>, HMAC-SHA256 of the body."),
  ...taskTemplate,
});

/** The body of POST /console/api/triggers. */
export const triggerCreate = fields
  .extend({
    is_active: fields.shape.is_active.default(true),
    secret: fields.shape.secret.default(null),
    description: fields.shape.description.default(""),
    priority: fields.shape.priority.default("medium"),
    metadata: fields.shape.metadata.default({}),
  })
  .superRefine(requireOneAssignee)
  .describe("Creates a task from each request to its URL.");

/** A trigger to create, validated and with defaults. */
export type TriggerCreate = z.output<typeof triggerCreate>;

/** The body of PATCH /console/api/triggers/{id}. */
export const triggerPatch = fields.partial().describe("The fields of a trigger to change.");

/** Changes to a trigger, validated. */
export type TriggerPatch = z.output<typeof triggerPatch>;

/** Fields that a client may send back from a record; they are ignored. */
export const TRIGGER_READ_ONLY = [
  "id",
  "workspace_id",
  "token_prefix",
  "has_secret",
  "created_by",
  "created_at",
  "updated_at",
  "last_outcome",
  "last_delivery_at",
] as const;

/** Generates the token of a trigger's URL, with 256 random bits, and the part that lists show. */
export function generateTriggerToken(): { readonly token: string; readonly prefix: string } {
  const token = TOKEN_PREFIX + generateToken();
  return { token, prefix: displayPrefix(token) };
}

/** The row to which an encrypted secret is bound. */
export function triggerSecretContext(workspaceId: string, triggerId: string): string {
  return `triggers:${workspaceId}:${triggerId}`;
}

/** A request to a trigger's URL. */
export interface Delivery {
  readonly body: Uint8Array;
  readonly contentType: string;
  /** The sender's id of the delivery; undefined without one. */
  readonly key: string | undefined;
  /** `sha256=<hex>`, if it is signed. */
  readonly signature: string | undefined;
}

/** True if a delivery is signed with this secret; compares in constant time. */
export function isSignedWith(secret: string, { body, signature = "" }: Delivery): boolean {
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Identifies a body: SHA-256 in hex. */
export function hashOfBody({ body }: Delivery): string {
  return createHash("sha256").update(body).digest("hex");
}

/**
 * Returns the description of a delivery's task: the trigger's, followed by a section with the payload. JSON is
 * indented, other text is unchanged; both are cut at {@link MAX_PAYLOAD} characters.
 * @throws JsonSyntaxError when the content type is JSON but the body is not; TypeError when it is not UTF-8 text.
 */
export function describeDelivery(description: string, delivery: Delivery): string {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(delivery.body);
  if (text === "") return description;
  const { payload, language } = formatPayload(storableText(text), delivery.contentType);
  const characters = Array.from(payload);
  const isCut = characters.length > MAX_PAYLOAD;
  const shown = isCut ? characters.slice(0, MAX_PAYLOAD).join("") : payload;
  const note = isCut ? `\n\nThe payload was cut here; it has ${characters.length} characters.` : "";
  const fence = "`".repeat(Math.max(3, longestRun(shown) + 1));
  const before = description === "" ? "" : `${description}\n\n`;
  return `${before}## Payload\n\n${fence}${language}\n${shown}\n${fence}${note}`;
}

function formatPayload(text: string, contentType: string): { readonly payload: string; readonly language: string } {
  const saysJson = /^[^;]*\bjson\b/i.test(contentType);
  try {
    return { payload: formatJson(text), language: "json" };
  } catch (error) {
    if (saysJson) throw error;
    return { payload: text, language: "" };
  }
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`{3,}/g), ([run]) => run.length));
}
