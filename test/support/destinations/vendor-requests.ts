/** What the vendors document of the requests that deliveries send: fields, types and limits; unknown fields fail. */
import { z } from "zod";
import { payload } from "#domain/destinations/payload.ts";
import type { SeenRequest } from "../fake-server.ts";

const UTF_16 = (text: string) => text.length;
const BYTES = (text: string) => Buffer.byteLength(text);
const plainText = (max: number) =>
  z.strictObject({ type: z.literal("plain_text"), text: codePoints(1, max), emoji: z.boolean().optional() });

/** The contract's payload, with nothing else in it. */
export const httpRequest = payload.strict();

/** https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks, with the limits of Block Kit. */
export const slackRequest = z.strictObject({
  attachments: z
    .array(
      z.strictObject({
        color: z.string().regex(/^#[0-9a-f]{6}$/),
        fallback: z.string(),
        blocks: z
          .array(
            z.union([
              z.strictObject({ type: z.literal("header"), text: plainText(150) }),
              z.strictObject({ type: z.literal("section"), text: plainText(3_000) }),
            ]),
          )
          .max(50),
      }),
    )
    .max(20),
});

/** https://discord.com/developers/docs/resources/webhook#execute-webhook, with the limits of embeds. */
export const discordRequest = z.strictObject({
  embeds: z
    .array(
      z.strictObject({
        title: codePoints(1, 256),
        color: z.int().min(0).max(0xff_ff_ff),
        timestamp: z.iso.datetime(),
        fields: z
          .array(z.strictObject({ name: codePoints(1, 256), value: codePoints(1, 1_024), inline: z.boolean() }))
          .max(25),
      }),
    )
    .max(10),
  allowed_mentions: z.strictObject({ parse: z.array(z.enum(["roles", "users", "everyone"])) }),
});

/** https://core.telegram.org/bots/api#sendmessage */
export const telegramRequest = z.strictObject({
  chat_id: z.union([z.string(), z.int()]),
  text: units(UTF_16, 4_096),
  link_preview_options: z.strictObject({ is_disabled: z.boolean() }),
});

const textBlock = z.strictObject({
  type: z.literal("TextBlock"),
  text: z.string(),
  wrap: z.boolean().optional(),
  size: z.enum(["Default", "Small", "Medium", "Large", "ExtraLarge"]).optional(),
  weight: z.enum(["Default", "Lighter", "Bolder"]).optional(),
  color: z.enum(["Default", "Dark", "Light", "Accent", "Good", "Warning", "Attention"]).optional(),
  fontType: z.enum(["Default", "Monospace"]).optional(),
});
const factSet = z.strictObject({
  type: z.literal("FactSet"),
  facts: z.array(z.strictObject({ title: z.string(), value: z.string() })).min(1),
});

/** Adaptive Card 1.4 (https://adaptivecards.io/explorer) in the envelope of a webhook's message. */
export const teamsRequest = z.strictObject({
  type: z.literal("message"),
  attachments: z.tuple([
    z.strictObject({
      contentType: z.literal("application/vnd.microsoft.card.adaptive"),
      contentUrl: z.null(),
      content: z.strictObject({
        $schema: z.literal("http://adaptivecards.io/schemas/adaptive-card.json"),
        type: z.literal("AdaptiveCard"),
        version: z.literal("1.4"),
        body: z.array(z.discriminatedUnion("type", [textBlock, factSet])),
      }),
    }),
  ]),
});

/** The last text of a card. */
export function lastText({ attachments: [{ content }] }: z.output<typeof teamsRequest>): string {
  const last = content.body.at(-1);
  return last?.type === "TextBlock" ? last.text : "";
}

/** https://developers.asana.com/reference/createtask */
export const asanaRequest = z.strictObject({
  data: z.strictObject({
    name: z.string(),
    notes: units(BYTES, 65_535),
    projects: z.array(z.string().regex(/^\d+$/)),
  }),
});

/** https://developer.atlassian.com/cloud/trello/rest/api-group-cards/#api-cards-post */
export const trelloCard = z.strictObject({
  idList: z.string(),
  name: units(UTF_16, 16_384),
  desc: units(UTF_16, 16_384),
});

const notionTextObject = z.strictObject({
  type: z.literal("text"),
  text: z.strictObject({ content: z.string().max(2_000) }),
});

/** https://developers.notion.com/reference/post-page, with https://developers.notion.com/reference/request-limits */
export const notionRequest = z
  .strictObject({
    parent: z.strictObject({ type: z.literal("data_source_id"), data_source_id: z.string() }),
    properties: z.strictObject({ title: z.strictObject({ title: z.array(notionTextObject).max(100) }) }),
    children: z
      .array(
        z.strictObject({
          object: z.literal("block"),
          type: z.literal("paragraph"),
          paragraph: z.strictObject({ rich_text: z.array(notionTextObject).max(100) }),
        }),
      )
      .max(100),
  })
  .refine((request) => Buffer.byteLength(JSON.stringify(request)) <= 500_000, "is more than 500 KB");

/** The paragraphs of a page as one text. */
export function notionText({ children }: z.output<typeof notionRequest>): string {
  return children.flatMap(({ paragraph }) => paragraph.rich_text.map(({ text }) => text.content)).join("");
}

/** https://docs.github.com/rest/issues/issues#create-an-issue */
export const githubRequest = z.strictObject({
  title: codePoints(1, 256),
  body: codePoints(0, 65_536),
  labels: z.array(z.string()),
  assignees: z.array(z.string()),
});

/** https://resend.com/docs/api-reference/emails/send-email */
export const resendRequest = z.strictObject({
  from: z.string(),
  to: z.array(z.email()).min(1).max(50),
  subject: z.string().regex(/^.+$/),
  html: z.string(),
  text: z.string(),
});

/** The input of Linear's `issueCreate` (https://linear.app/developers/graphql). */
export const linearRequest = z.strictObject({
  query: z.string().includes("mutation").includes("issueCreate(input: $input)"),
  variables: z.strictObject({
    input: z.strictObject({
      teamId: z.string(),
      title: z.string(),
      description: z.string(),
      labelIds: z.array(z.string()),
    }),
  }),
});

/** https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values#ValueRange */
export const sheetsRequest = z.strictObject({ values: z.array(z.array(units(UTF_16, 50_000)).length(6)) });

/** https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages#Message */
export const gmailRequest = z.strictObject({ raw: z.base64url() });

/** The result in the HTML of a MIME message. */
export function resultOfMail(raw: string): string {
  const message = Buffer.from(raw, "base64url").toString();
  const [head = "", ...rest] = message.split("\r\n\r\n");
  const body = rest.join("\r\n\r\n");
  const html = /base64/i.test(head) ? Buffer.from(body, "base64").toString() : quotedPrintable(body);
  return /<pre[^>]*>([\s\S]*)<\/pre>/.exec(html)?.[1] ?? "";
}

/** The metadata of https://developers.google.com/workspace/drive/api/reference/rest/v3/files */
export const docsUpload = z.strictObject({
  name: z.string(),
  mimeType: z.literal("application/vnd.google-apps.document"),
  parents: z.array(z.string()).length(1).optional(),
});

/** The contents of the parts of a multipart request. */
export function partsOf({ headers, body }: SeenRequest): string[] {
  const boundary = /boundary=(\S+)/.exec(headers["content-type"] ?? "")?.[1] ?? "";
  return body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => part.split("\r\n\r\n").slice(1).join("\r\n\r\n").replace(/\r\n$/, ""));
}

/** https://developers.google.com/workspace/calendar/api/v3/reference/events#resource */
export const calendarRequest = z.strictObject({
  id: z.string().regex(/^[a-v0-9]{5,1024}$/),
  summary: z.string(),
  description: units(UTF_16, 8_192),
  start: z.strictObject({ dateTime: z.iso.datetime({ offset: true }) }),
  end: z.strictObject({ dateTime: z.iso.datetime({ offset: true }) }),
});

function units(sizeOf: (text: string) => number, max: number) {
  return z.string().refine((text) => sizeOf(text) <= max && text.isWellFormed(), `is longer than ${max}`);
}

function codePoints(min: number, max: number) {
  return z.string().refine((text) => isOfLength(Array.from(text).length) && text.isWellFormed(), {
    error: `has not ${min} to ${max} whole characters`,
  });
  function isOfLength(length: number): boolean {
    return min <= length && length <= max;
  }
}

function quotedPrintable(text: string): string {
  const joined = text.replaceAll(/=\r?\n/g, "");
  return Buffer.from(
    joined.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  ).toString();
}
