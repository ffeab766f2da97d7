import { z } from "zod";
import { token } from "./config/fields.ts";
import { telegramChannel } from "./config/vendor-url.ts";
import { defineDestination, defineTalk } from "./define-destination.ts";
import { errorOf, itemTitle, workerLabel } from "./message/describe.ts";
import { WITH_BREAKS, breakMentions } from "./message/mentions.ts";
import { UTF_16, clip, truncate } from "./message/truncate.ts";
import type { Unit } from "./message/truncate.ts";
import { askByTelegram, editByTelegram } from "./people/telegram.ts";
import {
  changeByTelegram,
  gapOfTelegram,
  sayByTelegram,
  sendByTelegram,
  splitForTelegram,
} from "./people/talk-by-telegram.ts";

/** A message is limited to 4,096 UTF-16 units (https://core.telegram.org/bots/api#sendmessage). */
const MAX_RESULT = 3_500;
/** The lines above the result share the rest. */
const MAX_TITLE = 250;
const MAX_ERROR = 150;
const SIZE: Unit = (codePoint) => Math.max(UTF_16(codePoint), WITH_BREAKS(codePoint));
const CHAT_ID = /^(-?\d{1,20}|@[A-Za-z]\w{3,31})$/;

const fields = {
  bot_token: token("Bot Token", { pattern: /^[\w:-]+$/, message: "must be a bot's token, such as 123456:ABC-DEF" }),
  chat_id: z
    .union([z.string(), z.int()])
    .transform((given) => String(given).trim())
    .transform((given) => telegramChannel(given) ?? given)
    .pipe(z.string().regex(CHAT_ID, "must be a number, a group id such as -100123, or @channelname"))
    .meta({ title: "Chat ID", description: "Numeric, a group id, or @channel name." }),
};
const secretToken = token("Secret Token", {
  pattern: /^[\w-]{16,256}$/,
  message: "must be 16 to 256 letters, digits, _ and -",
});

/** What a route needs for an agent: where it may be talked to is a choice. */
const talkConfig = z.strictObject({
  bot_token: fields.bot_token,
  secret_token: secretToken.meta({
    title: "Secret Token",
    writeOnly: true,
    description: "That of the bot's webhook, which you choose.",
  }),
  chat_id: z
    .union([z.string(), z.int()])
    .transform((given) => String(given).trim())
    .pipe(z.string().regex(/^-?\d{1,20}$/, "must be a number, such as 12345 for a person or -100123 for a group"))
    .optional()
    .meta({ title: "Chat ID", description: "The only chat in which the agent answers. Without it: in all." }),
});

/** Sends a message by a bot, as plain text: markup in a result is not interpreted. */
export default defineDestination({
  type: "telegram",
  title: "Telegram",
  description: "Sends a message to a chat, group or channel by a bot.",
  guide: {
    setup: "Create a bot with [@BotFather](https://t.me/BotFather), and add it to the group or channel.",
    example: { bot_token: "123456:ABC-DEF1234ghIkl", chat_id: "@results", secret_token: "a-secret-token-of-yours" },
  },
  vendor: { setting: "TELEGRAM_API_BASE", base: "https://api.telegram.org" },
  config: z.strictObject({
    ...fields,
    secret_token: secretToken.optional().meta({
      title: "Secret Token",
      writeOnly: true,
      description: "That of the bot's webhook, which you choose: with it, people answer by buttons and replies.",
    }),
  }),
  people: {
    setup: [
      "1. Choose a secret token, such as the output of `openssl rand -hex 32`, and store it in the route.",
      "2. Let Telegram call the route. A bot has one webhook:",
      '   `curl https://api.telegram.org/bot$BOT_TOKEN/setWebhook -d url={url} -d secret_token=$SECRET_TOKEN -d \'allowed_updates=["message","callback_query"]\'`',
      "3. In a group, people reply to the bot's message with their text.",
    ].join("\n"),
    takesPresses: ({ secret_token: secret }) => secret !== undefined,
    ask: (context, { bot_token: bot, chat_id: chat }, message) => askByTelegram(context, { bot, chat }, message),
    edit: (context, { bot_token: bot }, changed) => editByTelegram(context, bot, changed),
  },
  talk: defineTalk({
    setup: [
      "1. Create a bot with [@BotFather](https://t.me/BotFather), and store its token and a secret token of yours in the route.",
      "2. Let Telegram call the route. A bot has one webhook:",
      '   `curl https://api.telegram.org/bot$BOT_TOKEN/setWebhook -d url={url} -d secret_token=$SECRET_TOKEN -d \'allowed_updates=["message","callback_query"]\'`',
      "3. Write to the bot. In a group, add it and mention it, or reply to its messages.",
    ].join("\n"),
    config: talkConfig,
    maxFileBytes: 50 * 1024 * 1024,
    gapMs: gapOfTelegram,
    split: splitForTelegram,
    say: (context, { bot_token: bot }, message) => sayByTelegram(context, bot, message),
    change: (context, { bot_token: bot }, message) => changeByTelegram(context, bot, message),
    send: (context, { bot_token: bot }, message) => sendByTelegram(context, bot, message),
  }),
  async deliver(context, { bot_token: bot, chat_id: chat }, payload) {
    const parts = [
      clip(itemTitle(context.serviceName, payload), MAX_TITLE, SIZE),
      `${workerLabel(payload)}: ${payload.agent_name}`,
      ...errorOf(payload).map((error) => `Error: ${clip(error, MAX_ERROR, SIZE)}`),
      truncate(payload.result_full, MAX_RESULT, SIZE),
    ];
    const json = {
      chat_id: chat,
      // Telegram makes a mention of each name.
      text: breakMentions(parts.filter(Boolean).join("\n\n")),
      link_preview_options: { is_disabled: true },
    };
    await context.callApi(`/bot${bot}/sendMessage`, { json });
  },
});
