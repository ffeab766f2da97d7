import { createHash } from "node:crypto";
import { z } from "zod";
import { displayName } from "../display-name.ts";
import { displayPrefix, generateToken } from "../access/api-key.ts";
import { countJsonValues } from "#lib/text/count-json-values.ts";
import { parseJson } from "#lib/text/parse-json.ts";
import { formatJson } from "#lib/text/format-json.ts";
import { requireOneAssignee, taskTemplate } from "./schedule.ts";
import { storableText } from "../storable.ts";

const TOKEN_PREFIX = "mst_hook_";
/**
 * The maximum length of a payload in a task; the rest is cut. Together with the longest description, it is a task's
 * limit.
 */
const MAX_PAYLOAD = 49_000;
/** Values of a payload that are formatted. */
const MAX_FORMATTED = 10_000;
const FORM = /^application\/x-www-form-urlencoded\b/i;
/** Encoded fields: curl says that everything is a form, also JSON and text. */
const FIELDS = /^[\w%+.*[\]~-]+=[^\s{]*$/;
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
    .describe(
      "With it, deliveries must be signed: X-Hub-Signature-256 is sha256=<hex>, HMAC-SHA256 of the body; or as Standard Webhooks or Slack sign.",
    ),
  reject_repeats: z
    .boolean()
    .describe("Whether a body that was accepted within the last five minutes is rejected, under any delivery id."),
  ...taskTemplate,
});

/** The body of POST /console/api/triggers. */
export const triggerCreate = fields
  .extend({
    is_active: fields.shape.is_active.default(true),
    secret: fields.shape.secret.default(null),
    reject_repeats: fields.shape.reject_repeats.default(false),
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
  /** Reads a header. */
  header(name: string): string | undefined;
}

/** Identifies a body: SHA-256 in hex. */
export function hashOfBody({ body }: Pick<Delivery, "body">): string {
  return createHash("sha256").update(body).digest("hex");
}

/**
 * Returns the description of a delivery's task: the trigger's, followed by a section with the payload. JSON is
 * indented, a form becomes JSON, other text is unchanged; both are cut at {@link MAX_PAYLOAD} characters.
 * @throws JsonSyntaxError when the content type is JSON but the body is not.
 */
export function describeDelivery(description: string, text: string, contentType: string): string {
  if (text === "") return description;
  const { payload, language } = formatPayload(storableText(text), contentType);
  const shown = firstCharacters(payload, MAX_PAYLOAD);
  const isCut = shown !== payload;
  const note = isCut ? `\n\nThe payload was cut here; it has ${countCharacters(payload)} characters.` : "";
  const fence = "`".repeat(Math.max(3, longestRun(shown) + 1));
  const before = description === "" ? "" : `${description}\n\n`;
  return `${before}## Payload\n\n${fence}${language}\n${shown}\n${fence}${note}`;
}

function formatPayload(text: string, contentType: string): { readonly payload: string; readonly language: string } {
  if (FORM.test(contentType) && FIELDS.test(text) && hasFewFields(text))
    return { payload: formatForm(text), language: "json" };
  const saysJson = /^[^;]*\bjson\b/i.test(contentType);
  try {
    return { payload: formatIfShort(text), language: "json" };
  } catch (error) {
    if (saysJson) throw error;
    return { payload: text, language: "" };
  }
}

/** To parse very many fields takes long, and no more than the first ones are shown. */
function hasFewFields(form: string): boolean {
  let fields = 1;
  for (let at = form.indexOf("&"); at !== -1 && fields <= MAX_FORMATTED; at = form.indexOf("&", at + 1)) fields += 1;
  return fields <= MAX_FORMATTED;
}

/** Of many values only the first ones are shown, and to format all takes long. @throws JsonSyntaxError */
function formatIfShort(json: string): string {
  if (countJsonValues(json, MAX_FORMATTED) <= MAX_FORMATTED) return formatJson(json);
  parseJson(json);
  return json;
}

function firstCharacters(text: string, max: number): string {
  let end = 0;
  for (let count = 0; count < max && end < text.length; count++) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return text.slice(0, end);
}

function countCharacters(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff]/g)?.length ?? 0);
}

/** The fields of a form as JSON; a value that is JSON itself, such as `payload` of Slack and GitHub, is part of it. */
function formatForm(text: string): string {
  const fields = Map.groupBy(new URLSearchParams(text), ([name]) => name);
  const members = Array.from(fields, ([name, given]) => {
    const values = given.map(([, value]) => jsonOfValue(value));
    return `${JSON.stringify(name)}:${values.length === 1 ? values[0] : `[${values.join()}]`}`;
  });
  return formatIfShort(`{${members.join()}}`);
}

function jsonOfValue(text: string): string {
  try {
    if (/^\s*[{[]/.test(text)) return formatIfShort(text);
  } catch {
    // Text in brackets.
  }
  return JSON.stringify(text);
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`{3,}/g), ([run]) => run.length));
}

/** The prefix of a trigger's URL; the rest is a secret. */
export const HOOKS_ROOT = "/hooks/in/";
