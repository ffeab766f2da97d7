import { z } from "zod";
import { optionalWebhookUrl, token, vendorId } from "./config/fields.ts";
import { defineDestination, defineTalk } from "./define-destination.ts";
import { colorOf, errorOf, itemTitle, workerLabel } from "./message/describe.ts";
import { clip, truncate } from "./message/truncate.ts";
import { askBySlackBot, editBySlackBot, postBySlackBot, slackQuestion } from "./people/slack.ts";
import type { SlackBot } from "./people/slack.ts";
import {
  changeBySlack,
  findInSlack,
  gapOfSlack,
  sayBySlack,
  sendBySlack,
  splitForSlack,
} from "./people/talk-by-slack.ts";

/** A section takes 3,000 characters (https://docs.slack.dev/reference/block-kit/blocks/section-block). */
const MAX_RESULT = 2_900;
/** https://docs.slack.dev/reference/block-kit/blocks/header-block */
const MAX_HEADER = 150;

const botToken = token("Bot Token", {
  pattern: /^xox[\w.-]+$/,
  message: "must be a bot's token, such as xoxb-1-2-abc",
});
const channelId = vendorId("Channel ID", {
  pattern: /^[CDG][A-Z0-9]{1,30}$/,
  message: "must be an id, such as C0123ABCD",
});
const signingSecret = token("Signing Secret");

const config = z
  .strictObject({
    webhook_url: optionalWebhookUrl("Webhook URL"),
    bot_token: botToken.optional().meta({
      title: "Bot Token",
      writeOnly: true,
      description: "Of a Slack app; with channel_id instead of webhook_url.",
    }),
    channel_id: channelId
      .optional()
      .meta({ title: "Channel ID", description: "Where the bot posts; shown at the end of the channel's details." }),
    signing_secret: signingSecret.optional().meta({
      title: "Signing Secret",
      writeOnly: true,
      description: "Of the app: with it, people answer by buttons.",
    }),
  })
  .refine((one) => one.webhook_url !== undefined || botOf(one) !== undefined, {
    path: ["webhook_url"],
    error: "is required, unless bot_token and channel_id are given",
  });

/** What a route needs for an agent: where it may be talked to is a choice. */
const talkConfig = z.strictObject({
  bot_token: botToken.meta({ title: "Bot Token", writeOnly: true, description: "Of the Slack app." }),
  signing_secret: signingSecret.meta({ title: "Signing Secret", writeOnly: true, description: "Of the Slack app." }),
  channel_id: channelId
    .optional()
    .meta({ title: "Channel ID", description: "The only channel in which the agent answers. Without it: in all." }),
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
      "4. For answers in the thread, switch on *Event Subscriptions* with the same URL, and add the bot event `message.channels` (`message.groups` for a private channel), and the scope `users:read` for names.",
    ].join("\n"),
    takesPresses: (given) => given.bot_token !== undefined && given.signing_secret !== undefined,
    async ask(context, given, message) {
      const bot = botOf({ ...given, ...(message.place && { channel_id: message.place.channel }) });
      if (bot !== undefined) return askBySlackBot(context, bot, message);
      await context.callUrl(given.webhook_url ?? "", { json: slackQuestion(message) });
      return null;
    },
    edit: (context, { bot_token: token = "" }, changed) => editBySlackBot(context, token, changed),
  },
  talk: defineTalk({
    setup: [
      "1. Create an app at https://api.slack.com/apps with the bot scopes `app_mentions:read`, `chat:write`, `im:history`, `channels:history`, `groups:history`, `files:read` and `files:write`, and install it.",
      "2. Store the bot's token and the app's signing secret in the route.",
      "3. Switch on *Event Subscriptions* with the request URL {url} and the bot events `app_mention` and `message.im`.",
      "4. Switch on *Interactivity & Shortcuts* with the same URL, and the messages tab of *App Home*.",
      "5. Invite the app to channels, and mention it; or write to it directly.",
    ].join("\n"),
    config: talkConfig,
    maxFileBytes: 50 * 1024 * 1024,
    gapMs: gapOfSlack,
    split: splitForSlack,
    say: (context, { bot_token: token }, message) => sayBySlack(context, token, message),
    change: (context, { bot_token: token }, message) => changeBySlack(context, token, message),
    find: (context, { bot_token: token }, below) => findInSlack(context, token, below),
    send: (context, { bot_token: token }, message) => sendBySlack(context, token, message),
  }),
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
