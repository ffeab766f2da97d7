import { z } from "zod";
import { webhookUrl } from "./config/fields.ts";
import { defineDestination } from "./define-destination.ts";
import { errorOf, isBad, itemTitle, workerLabel } from "./message/describe.ts";
import { clip, truncate } from "./message/truncate.ts";

/** A message is limited to 28 KB (https://learn.microsoft.com/microsoftteams/limits-specifications-teams). */
const MAX_RESULT = 2_000;

const CARD = {
  $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
  type: "AdaptiveCard",
  version: "1.4",
} as const;

/** Posts an Adaptive Card 1.4 (https://adaptivecards.io/explorer) to an incoming webhook or workflow. */
export default defineDestination({
  type: "teams",
  title: "Microsoft Teams",
  description: "Posts an Adaptive Card to a channel by an incoming webhook.",
  guide: {
    setup: 'In the channel\'s workflows, add "Post to a channel when a webhook request is received" and copy its URL.',
    example: { webhook_url: "https://example.webhook.office.com/webhookb2/a-webhook-token" },
  },
  vendor: { setting: "TEAMS_API_BASE" },
  config: z.strictObject({ webhook_url: webhookUrl("Webhook URL") }),
  people: {
    setup: "Nothing more: a message has the link to the answer page. It cannot be edited, so it stays as it is.",
    async ask(context, { webhook_url: url }, { title, context: heading, text, link, footer }) {
      const card = {
        ...CARD,
        body: [
          plainText(clip(title, MAX_RESULT), { size: "Large", weight: "Bolder" }),
          plainText(clip(heading, MAX_RESULT), { isSubtle: true }),
          ...(text === "" ? [] : [plainText(clip(text, MAX_RESULT), { fontType: "Monospace" })]),
          ...(footer === "" ? [] : [plainText(footer, { isSubtle: true })]),
        ],
        actions: [{ type: "Action.OpenUrl", title: link.label, url: link.url }],
      };
      await context.callUrl(url, { json: messageOf(card) });
      return null;
    },
  },
  async deliver(context, { webhook_url: url }, payload) {
    const color = isBad(payload) ? "Attention" : "Good";
    const facts = [
      { title: payload.alert === undefined ? "Task" : "Alert", value: payload.task_title },
      { title: workerLabel(payload), value: payload.agent_name },
      { title: "Status", value: payload.status },
    ];
    const content = {
      ...CARD,
      body: [
        textBlock(itemTitle(context.serviceName, payload), { size: "Large", weight: "Bolder", color }),
        { type: "FactSet", facts },
        ...errorOf(payload).map((error) => textBlock(truncate(error, MAX_RESULT), { color: "Attention" })),
        // A block without text is invalid.
        ...(payload.result_full === ""
          ? []
          : [textBlock(truncate(payload.result_full, MAX_RESULT), { fontType: "Monospace" })]),
      ],
    };
    await context.callUrl(url, { json: messageOf(content) });
  },
});

function messageOf(content: object) {
  const attachment = { contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content };
  return { type: "message", attachments: [attachment] };
}

function textBlock(text: string, style: Readonly<Record<string, string | boolean>>) {
  return { type: "TextBlock", text, wrap: true, ...style };
}

/** A text in which Markdown means nothing (https://learn.microsoft.com/adaptive-cards/schema-explorer/text-run). */
function plainText(text: string, style: Readonly<Record<string, string | boolean>>) {
  return { type: "RichTextBlock", inlines: [{ type: "TextRun", text, ...style }] };
}
