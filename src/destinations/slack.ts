import { z } from "zod";
import { optionalWebhookUrl, token, vendorId } from "./config/fields.ts";
import { defineDestination } from "./define-destination.ts";
import { colorOf, errorOf, itemTitle, workerLabel } from "./message/describe.ts";
import { clip, truncate } from "./message/truncate.ts";
import { askBySlackBot, editBySlackBot, postBySlackBot, slackQuestion } from "./people/slack.ts";
import type { SlackBot } from "./people/slack.ts";

/** A section takes 3,000 characters (https://docs.slack.dev/reference/block-kit/blocks/section-block). */
const MAX_RESULT = 2_900;
/** https://docs.slack.dev/reference/block-kit/blocks/header-block */
const MAX_HEADER = 150;

const config = z
  .strictObject({
    webhook_url: optionalWebhookUrl("Webhook URL"),
    bot_token: token("Bot Token", { pattern: /^xox[\w.-]+$/, message: "must be a bot's token, such as xoxb-1-2-abc" })
      .optional()
      .meta({
        title: "Bot Token",
        writeOnly: true,
        description: "Of a Slack app; with channel_id instead of webhook_url.",
      }),
    channel_id: vendorId("Channel ID", {
      pattern: /^[CDG][A-Z0-9]{1,30}$/,
      message: "must be an id, such as C0123ABCD",
    })
      .optional()
      .meta({ title: "Channel ID", description: "Where the bot posts; shown at the end of the channel's details." }),
    signing_secret: token("Signing Secret").optional().meta({
      title: "Signing Secret",
      writeOnly: true,
      description: "Of the app: with it, people answer by buttons.",
    }),
  })
  .refine((one) => one.webhook_url !== undefined || botOf(one) !== undefined, {
    path: ["webhook_url"],
    error: "is required, unless bot_token and channel_id are given",
  });

/** Posts a coloured block by an incoming webhook or a bot. It is plain text, so that a model cannot mention a person. */
export default defineDestination({
  type: "slack",
  title: "Slack",
  description: "Posts a message to a channel by an incoming webhook or a bot.",
  guide: {
    setup:
      "Create an [incoming webhook](https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks) for the channel and copy its URL.",
    example: {
      webhook_url: "https://hooks.slack.com/services/T00000000/B00000000/a-webhook-token",
      bot_token: "xoxb-000000000000-a-bot-token",
      channel_id: "C0123ABCD",
      signing_secret: "a-signing-secret",
    },
  },
  vendor: { setting: "SLACK_API_BASE", base: "https://slack.com" },
  config,
  people: {
    setup: [
      "1. Create an app at https://api.slack.com/apps, add the bot scope `chat:write`, install it, and invite it to the channel.",
      "2. Switch on *Interactivity & Shortcuts* with the request URL {url}",
      "3. Store the bot's token, the channel's id and the app's signing secret in the route.",
      "4. For answers in the thread, switch on *Event Subscriptions* with the same URL, and add the bot event `message.channels` (`message.groups` for a private channel).",
    ].join("\n"),
    takesPresses: (given) => botOf(given) !== undefined && given.signing_secret !== undefined,
    async ask(context, given, message) {
      const bot = botOf(given);
      if (bot !== undefined) return askBySlackBot(context, bot, message);
      await context.callUrl(given.webhook_url ?? "", { json: slackQuestion(message) });
      return null;
    },
    edit: (context, { bot_token: token = "" }, changed) => editBySlackBot(context, token, changed),
  },
  async deliver(context, given, payload) {
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
    const json = { attachments: [{ color, fallback: title, blocks }] };
    const bot = botOf(given);
    if (bot !== undefined) await postBySlackBot(context, bot, json);
    else await context.callUrl(given.webhook_url ?? "", { json });
  },
});

function botOf(given: Partial<SlackBot>): SlackBot | undefined {
  const { bot_token, channel_id } = given;
  return bot_token === undefined || channel_id === undefined ? undefined : { bot_token, channel_id };
}

function plainText(text: string) {
  return { type: "plain_text", text, emoji: false };
}
