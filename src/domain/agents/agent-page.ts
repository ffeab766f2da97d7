import { z } from "zod";
import { displayName } from "../display-name.ts";
import { givenId } from "../given-id.ts";

/** The path of all pages. */
export const PAGE_ROOT = "/p";

const MIB = 1_048_576;
/** The most files of one message. */
export const MAX_PAGE_FILES = 3;
/** The most bytes of one file; all of a message are sent in one request. */
export const MAX_PAGE_FILE_BYTES = 3 * MIB;
const MAX_MESSAGE_CHARS = 100_000;
const MAX_PROMPTS = 6;
const MAX_ORIGINS = 20;
const MAX_USD = 999_999;

/** Slugs that could be mistaken for a part of the service. */
const RESERVED = new Set(
  "admin api app assets auth console docs help login logout muster new oauth p pages settings sign-in sign-up status support-muster www".split(
    " ",
  ),
);

const slug = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9][a-z0-9-]{1,62}[a-z0-9]$/, "must be 3 to 64 letters a to z, digits and hyphens, none at an end")
  .refine((name) => !RESERVED.has(name), "is reserved: choose another one")
  .describe("The last part of the page's address, /p/<slug>; unique in this service.");

const origin = z
  .string()
  .trim()
  .max(300)
  .refine(isOrigin, "must be an origin such as https://www.example.com, without a path")
  .transform((text) => new URL(text).origin);

/** True for `https://host[:port]`, and for http on this machine. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:\/\/[a-z0-9.-]+(?::\d+)?\/?$/i.test(text)) return false;
  return url.protocol === "https:" || url.hostname === "localhost" || url.hostname === "127.0.0.1";
}

const count = (most: number) => z.int().min(1).max(most);
const limitFields = {
  visitor_minute: count(1_000).describe("Messages of one visitor in a minute."),
  visitor_day: count(100_000).describe("Messages of one visitor in a day."),
  address_minute: count(10_000).describe("Messages from one network address in a minute; offices share one."),
  address_day: count(1_000_000).describe("Messages from one network address in a day."),
  page_minute: count(100_000).describe("Messages of all visitors in a minute."),
  page_day: count(10_000_000).describe("Messages of all visitors in a day."),
  message_chars: count(MAX_MESSAGE_CHARS).describe("Characters of one message."),
  file_bytes: count(MAX_PAGE_FILE_BYTES).describe("Bytes of one file."),
};

/** The limits of a new page. */
const DEFAULT_LIMITS = {
  visitor_minute: 6,
  visitor_day: 100,
  address_minute: 30,
  address_day: 500,
  page_minute: 120,
  page_day: 2_000,
  message_chars: 4_000,
  file_bytes: MAX_PAGE_FILE_BYTES,
} as const;

/** The limits of a page; messages are counted over all processes. */
export const pageLimits = z.strictObject(limitFields).meta({ id: "AgentPageLimits" });

/** See {@link pageLimits}. */
export type PageLimits = z.output<typeof pageLimits>;

const usd = z.number().min(0).max(MAX_USD).nullable();
const fields = {
  slug,
  is_on: z.boolean().describe("Whether visitors may use it."),
  title: displayName(100).trim().describe("What visitors see at the top."),
  greeting: z.string().trim().max(2_000).describe("What the page says before the first message, in Markdown."),
  prompts: z.array(z.string().trim().min(1).max(200)).max(MAX_PROMPTS).describe("Messages to begin with."),
  takes_files: z.boolean().describe(`Whether visitors may attach up to ${MAX_PAGE_FILES} files to a message.`),
  origins: z
    .array(origin)
    .max(MAX_ORIGINS)
    .transform((all) => [...new Set(all)])
    .describe("The origins of the sites that may show the page in a frame; none by default."),
  code: z
    .string()
    .trim()
    .min(4)
    .max(100)
    .nullable()
    .describe("What visitors must enter first, 4 characters or more; null: nothing. It is never shown again."),
  limits: z.strictObject(limitFields).partial().describe("The limits to change; the others stay as they are."),
  budget_day_usd: usd.describe("What all runs of the page may cost in a day (UTC); null: no limit of its own."),
  budget_month_usd: usd.describe("The same for a month."),
};

/** The body of POST /console/api/pages. */
export const pageCreate = z.strictObject({
  agent_id: givenId,
  ...fields,
  is_on: fields.is_on.default(false),
  greeting: fields.greeting.default(""),
  prompts: fields.prompts.default([]),
  takes_files: fields.takes_files.default(false),
  origins: fields.origins.default([]),
  code: fields.code.default(null),
  limits: fields.limits.default({}),
  budget_day_usd: fields.budget_day_usd.default(null),
  budget_month_usd: fields.budget_month_usd.default(null),
});

/** A page to create, validated. */
export type PageCreate = z.output<typeof pageCreate>;

/** The body of PATCH /console/api/pages/{id}. */
export const pagePatch = z.strictObject(fields).partial();

/** Changes to a page, validated. */
export type PagePatch = z.output<typeof pagePatch>;

/** Completes the limits of a new page. */
export function withDefaults(limits: Partial<PageLimits>): PageLimits {
  return { ...DEFAULT_LIMITS, ...limits };
}

const time = z.iso.datetime();
const spent = z.number().describe("What its runs cost in the current window of the budget, in US dollars.");
const budget = z.strictObject({ max_usd: z.number(), used_usd: spent }).nullable();

/** A page as people of the workspace see it. */
export const pageRecord = z
  .strictObject({
    id: z.uuid(),
    workspace_id: z.uuid(),
    agent_id: z.uuid(),
    agent_name: z.string(),
    slug: z.string(),
    is_on: z.boolean(),
    title: z.string(),
    greeting: z.string(),
    prompts: z.array(z.string()),
    takes_files: z.boolean(),
    origins: z.array(z.string()),
    has_code: z.boolean(),
    limits: pageLimits,
    budget_day: budget,
    budget_month: budget,
    created_by: z.uuid().nullable(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: "AgentPageRecord" });

/** See {@link pageRecord}. */
export type PageRecord = z.output<typeof pageRecord>;

/** Fields that a client may send back from a record; they are ignored. */
export const PAGE_READ_ONLY = [
  "id",
  "workspace_id",
  "agent_name",
  "has_code",
  "budget_day",
  "budget_month",
  "url",
  "created_by",
  "created_at",
  "updated_at",
] as const;

/** What a page shows to its visitors. */
export const shownPage = z
  .strictObject({
    title: z.string(),
    greeting: z.string(),
    prompts: z.array(z.string()),
    takes_files: z.boolean(),
    message_chars: z.int(),
    file_bytes: z.int(),
    max_files: z.int(),
  })
  .meta({ id: "ShownAgentPage" });

/** See {@link shownPage}. */
export type ShownPage = z.output<typeof shownPage>;
