import { z } from "zod";
import { webhookUrl } from "./config/fields.ts";
import { defineDestination } from "./define-destination.ts";
import { colorOf, errorOf, itemTitle, workerLabel } from "./message/describe.ts";
import { clip, truncate } from "./message/truncate.ts";

/** A section takes 3,000 characters (https://docs.slack.dev/reference/block-kit/blocks/section-block). */
const MAX_RESULT = 2_900;
/** https://docs.slack.dev/reference/block-kit/blocks/header-block */
const MAX_HEADER = 150;

/** Posts a coloured block to an incoming webhook. It is plain text, so that a model cannot mention a person. */
export default defineDestination({
  type: "slack",
  title: "Slack",
  description: "Posts a message to a channel by an incoming webhook.",
  guide: {
    setup:
      "Create an [incoming webhook](https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks) for the channel and copy its URL.",
    example: { webhook_url: "https://hooks.slack.com/services/T00000000/B00000000/a-webhook-token" },
  },
  vendor: { setting: "SLACK_API_BASE" },
  config: z.strictObject({ webhook_url: webhookUrl("Webhook URL") }),
  async deliver(context, { webhook_url: url }, payload) {
    const title = itemTitle(context.serviceName, payload);
    const sections = [
      `${workerLabel(payload)}: ${payload.agent_name}`,
      ...errorOf(payload).map((error) => `Error: ${truncate(error, MAX_RESULT)}`),
      truncate(payload.result_full, MAX_RESULT),
    ];
    const blocks = [
      { type: "header", text: plainText(clip(title, MAX_HEADER)) },
      ...sections.filter(Boolean).map((text) => ({ type: "section", text: plainText(text) })),
    ];
    const color = `#${colorOf(payload).toString(16).padStart(6, "0")}`;
    await context.callUrl(url, { json: { attachments: [{ color, fallback: title, blocks }] } });
  },
});

function plainText(text: string) {
  return { type: "plain_text", text, emoji: false };
}
