import { z } from "zod";
import { readCode } from "#domain/people/question-button.ts";
import { areEqual } from "#lib/security/equal-texts.ts";
import type { Services } from "../../context.ts";
import type { RouteConfig } from "../route-config.ts";
import { answerPress } from "./answer-press.ts";
import type { Channel } from "./answer-press.ts";
import { answerReply } from "./answer-reply.ts";
import { hearTelegram, personIn, telegramMessage, telegramUser } from "./hear-telegram.ts";
import type { TelegramMessage } from "./hear-telegram.ts";
import { readJson } from "./read-call.ts";
import type { VendorCall, VendorReply } from "./vendor-call.ts";

/** https://core.telegram.org/bots/api#answercallbackquery */
const MAX_NOTICE = 200;

const callback = z.object({ id: z.string(), from: telegramUser, data: z.string().optional() });
/** https://core.telegram.org/bots/api#update; updates of other kinds are accepted and ignored. */
const update = z.object({ callback_query: callback.optional(), message: telegramMessage.optional() });
const secrets = z.object({ secret_token: z.string().min(1) });

/** Whether a call has the secret token of a route (https://core.telegram.org/bots/api#setwebhook). */
export function isFromTelegram(config: RouteConfig, { header }: VendorCall): boolean {
  const { data } = secrets.safeParse(config);
  return data !== undefined && areEqual(header("x-telegram-bot-api-secret-token"), data.secret_token);
}

/**
 * Answers a press or a reply, or hears what somebody writes to an agent. The response itself is a call of a method:
 * Telegram takes one.
 */
export async function answerTelegram(services: Services, channel: Channel, { body }: VendorCall): Promise<VendorReply> {
  const { callback_query: pressed, message: written } = readJson(update, body.toString());
  if (pressed !== undefined) return answerCallback(services, channel, pressed);
  if (written === undefined) return undefined;
  const answered = await answerMessage(services, channel, written);
  if (answered !== undefined) return answered.reply;
  if (channel.route.kind === "agent") await hearTelegram(services, channel, written);
  return undefined;
}

async function answerCallback(
  services: Services,
  channel: Channel,
  { id, from, data }: z.output<typeof callback>,
): Promise<VendorReply> {
  const pressed = readCode(data ?? "");
  if (pressed === undefined) return undefined;
  const outcome = await answerPress(services, channel, { ...pressed, person: personIn(from) });
  const text = outcome.kind === "asks" ? "Reply to the message with your answer." : outcome.text;
  return {
    method: "answerCallbackQuery",
    callback_query_id: id,
    text: text.slice(0, MAX_NOTICE).toWellFormed(),
    show_alert: outcome.kind === "refused",
  };
}

/** A reply to a message that asks for a text; undefined for anything else. */
async function answerMessage(
  services: Services,
  channel: Channel,
  { message_id: id, chat, from, text, reply_to_message: to }: TelegramMessage,
): Promise<{ readonly reply: VendorReply } | undefined> {
  if (to === undefined || from === undefined || text === undefined) return undefined;
  const reply = { key: `${chat.id}:${to.message_id}`, text, person: () => personIn(from) };
  const outcome = await answerReply(services, channel, reply);
  if (outcome === undefined) return undefined;
  if (outcome.kind !== "refused") return { reply: undefined };
  const target = { chat_id: chat.id, reply_parameters: { message_id: id } };
  return { reply: { method: "sendMessage", ...target, text: outcome.text } };
}
