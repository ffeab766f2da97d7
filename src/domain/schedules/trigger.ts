import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { displayName } from "../display-name.ts";
import { displayPrefix, generateToken } from "../access/api-key.ts";
import { layOutJson } from "#lib/text/lay-out-json.ts";
import { oneAssignee, taskTemplate } from "./schedule.ts";
import { storableText } from "../storable.ts";

const TOKEN_PREFIX = "mst_hook_";
/** Characters of a payload that an agent is given; the rest is cut off. With the longest description they make a task's. */
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
  .superRefine(oneAssignee)
  .describe("Makes a task of each request to its address.");

/** A trigger to make, checked and with its defaults. */
export type TriggerCreate = z.output<typeof triggerCreate>;

/** The body of PATCH /console/api/triggers/{id}. */
export const triggerPatch = fields.partial().describe("The fields of a trigger to change.");

/** Changes to a trigger, checked. */
export type TriggerPatch = z.output<typeof triggerPatch>;

/** Fields that a client may send back from a record it read; they are ignored. */
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

/** A new token for the address of a trigger, with 256 random bits, and what lists show of it. */
export function generateTriggerToken(): { readonly token: string; readonly prefix: string } {
  const token = TOKEN_PREFIX + generateToken();
  return { token, prefix: displayPrefix(token) };
}

/** The row to which an encrypted secret is bound. */
export function triggerSecretContext(workspaceId: string, triggerId: string): string {
  return `triggers:${workspaceId}:${triggerId}`;
}

/** A request to the address of a trigger. */
export interface Delivery {
  readonly body: Uint8Array;
  readonly contentType: string;
  /** The sender's own name for it; undefined when it has none. */
  readonly key: string | undefined;
  /** `sha256=<hex>`, if it is signed. */
  readonly signature: string | undefined;
}

/** Whether a delivery is signed with this secret; takes the same time either way. */
export function isSignedWith(secret: string, { body, signature = "" }: Delivery): boolean {
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** By what two bodies are told apart: SHA-256 in hex. */
export function hashOfBody({ body }: Delivery): string {
  return createHash("sha256").update(body).digest("hex");
}

/**
 * The description of the task that a delivery makes: what the trigger says, and the payload in a section of its own:
 * JSON laid out, anything else as it came, cut at {@link MAX_PAYLOAD} characters.
 * @throws SyntaxError when the content type says JSON and it is none; TypeError when it is no text in UTF-8.
 */
export function describeDelivery(description: string, delivery: Delivery): string {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(delivery.body);
  if (text === "") return description;
  const { payload, language } = laidOut(storableText(text), delivery.contentType);
  const characters = Array.from(payload);
  const isCut = characters.length > MAX_PAYLOAD;
  const shown = isCut ? characters.slice(0, MAX_PAYLOAD).join("") : payload;
  const note = isCut ? `\n\nThe payload was cut here; it has ${characters.length} characters.` : "";
  const fence = "`".repeat(Math.max(3, longestRun(shown) + 1));
  const before = description === "" ? "" : `${description}\n\n`;
  return `${before}## Payload\n\n${fence}${language}\n${shown}\n${fence}${note}`;
}

function laidOut(text: string, contentType: string): { readonly payload: string; readonly language: string } {
  const saysJson = /^[^;]*\bjson\b/i.test(contentType);
  try {
    return { payload: layOutJson(text), language: "json" };
  } catch (error) {
    if (saysJson) throw error;
    return { payload: text, language: "" };
  }
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`{3,}/g), ([run]) => run.length));
}
