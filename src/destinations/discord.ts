import { z } from "zod";
import { webhookUrl } from "./config/fields.ts";
import { defineDestination } from "./define-destination.ts";
import { colorOf, errorOf, itemTitle, workerLabel } from "./message/describe.ts";
import { clip, truncate } from "./message/truncate.ts";

/**
 * A field's value is limited to 1,024 characters
 * (https://discord.com/developers/docs/resources/message#embed-object-embed-limits).
 */
const MAX_RESULT = 1_000;
const MAX_TITLE = 256;
/** A field must not be empty. */
const EMPTY_VALUE = "—";

/** Posts an embed to a channel's webhook. */
export default defineDestination({
  type: "discord",
  title: "Discord",
  description: "Posts an embed to a channel by a webhook.",
  guide: {
    setup: "In the channel's settings, create a webhook under Integrations and copy its URL.",
    example: { webhook_url: "https://discord.com/api/webhooks/100000000000000001/a-webhook-token" },
  },
  vendor: { setting: "DISCORD_API_BASE" },
  config: z.strictObject({ webhook_url: webhookUrl("Webhook URL") }),
  async deliver(context, { webhook_url: url }, payload) {
    const field = (name: string, value: string, inline: boolean) => ({ name, value: value || EMPTY_VALUE, inline });
    const embed = {
      title: clip(itemTitle(context.serviceName, payload), MAX_TITLE),
      color: colorOf(payload),
      timestamp: payload.timestamp,
      fields: [
        field(workerLabel(payload), payload.agent_name, true),
        field("Status", payload.status, true),
        field("Title", clip(payload.task_title, MAX_RESULT), false),
        ...errorOf(payload).map((error) => field("Error", truncate(error, MAX_RESULT), false)),
        field("Result", truncate(payload.result_full, MAX_RESULT), false),
      ],
    };
    await context.callUrl(url, { json: { embeds: [embed], allowed_mentions: { parse: [] } } });
  },
});
