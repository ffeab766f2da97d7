import { z } from "zod";
import { optionalWebhookUrl, token, vendorId } from "./config/fields.ts";
import { defineDestination } from "./define-destination.ts";
import { colorOf, errorOf, itemTitle, workerLabel } from "./message/describe.ts";
import { clip, truncate } from "./message/truncate.ts";
import { askByDiscord, editByDiscord, postByDiscord } from "./people/discord.ts";
import type { DiscordSender } from "./people/discord.ts";

/**
 * A field's value is limited to 1,024 characters
 * (https://discord.com/developers/docs/resources/message#embed-object-embed-limits).
 */
const MAX_RESULT = 1_000;
const MAX_TITLE = 256;
/** A field must not be empty. */
const EMPTY_VALUE = "—";

const SNOWFLAKE = { pattern: /^\d{1,20}$/, message: "must be an id of digits" };
const PUBLIC_KEY = { pattern: /^[0-9a-f]{64}$/i, message: "must be 64 hex digits" };

const fields = z.strictObject({
  webhook_url: optionalWebhookUrl("Webhook URL"),
  bot_token: token("Bot Token").optional().meta({
    title: "Bot Token",
    writeOnly: true,
    description: "Of an application; with channel_id instead of webhook_url.",
  }),
  channel_id: vendorId("Channel ID", SNOWFLAKE).optional().meta({
    title: "Channel ID",
    description: "Where the bot posts; copied from the channel's menu in developer mode.",
  }),
  public_key: vendorId("Public Key", PUBLIC_KEY).optional().meta({
    title: "Public Key",
    description: "Of the application: with it, people answer by buttons.",
  }),
});
const config = fields.refine((given) => senderOf(given) !== undefined, {
  path: ["webhook_url"],
  error: "is required, unless bot_token and channel_id are given",
});

/** Posts an embed to a channel by a webhook or a bot. */
export default defineDestination({
  type: "discord",
  title: "Discord",
  description: "Posts an embed to a channel by a webhook or a bot.",
  guide: {
    setup: "In the channel's settings, create a webhook under Integrations and copy its URL.",
    example: {
      webhook_url: "https://discord.com/api/webhooks/100000000000000001/a-webhook-token",
      bot_token: "a-bot-token",
      channel_id: "100000000000000002",
      public_key: "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    },
  },
  vendor: { setting: "DISCORD_API_BASE", base: "https://discord.com" },
  config,
  people: {
    setup: [
      "1. Create an application at https://discord.com/developers/applications, and add its bot to the server with the permission to send messages.",
      "2. Store the bot's token, the channel's id and the application's public key in the route.",
      "3. Save the interactions endpoint URL {url} in the application: Discord checks it at once.",
    ].join("\n"),
    takesPresses: (given) => "bot_token" in sender(given) && given.public_key !== undefined,
    ask: (context, given, message) => askByDiscord(context, sender(given), message),
    edit: (context, given, changed) => editByDiscord(context, sender(given), changed),
  },
  async deliver(context, given, payload) {
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
    const json = { embeds: [embed], allowed_mentions: { parse: [] } };
    await postByDiscord(context, sender(given), json);
  },
});

/** A bot goes first: its messages can have buttons. */
function senderOf({ webhook_url, bot_token, channel_id }: z.input<typeof fields>): DiscordSender | undefined {
  if (bot_token !== undefined && channel_id !== undefined) return { bot_token, channel_id };
  return webhook_url === undefined ? undefined : { webhook_url };
}

function sender(given: z.input<typeof fields>): DiscordSender {
  const found = senderOf(given);
  if (found === undefined) throw new Error("A valid configuration has a webhook or a bot.");
  return found;
}
