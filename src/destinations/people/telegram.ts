import { z } from "zod";
import type { PostedMessage, QuestionMessage } from "#domain/people/question-message.ts";
import type { DeliveryContext } from "../define-destination.ts";
import { readReply } from "../delivery/read-reply.ts";
import { WITH_BREAKS, breakMentions } from "../message/mentions.ts";
import { UTF_16, clip } from "../message/truncate.ts";
import type { Unit } from "../message/truncate.ts";
import { editTelegram, placeFields } from "./talk-by-telegram.ts";

/** 4,096 UTF-16 units in all (https://core.telegram.org/bots/api#sendmessage). */
const MAX = { title: 250, context: 300, text: 2_500, footer: 600, label: 64 } as const;
const SIZE: Unit = (codePoint) => Math.max(UTF_16(codePoint), WITH_BREAKS(codePoint));
const HOW_TO_REPLY = "Reply to this message with your answer.";

/** Telegram rejects an edit that changes nothing, such as a repeated one, and that of a message that was deleted. */
const sent = z.object({ result: z.object({ message_id: z.int(), chat: z.object({ id: z.int() }) }) });

/** Sends a question. A text is answered by a reply; Telegram has no form to ask for one. */
export async function askByTelegram(
  context: DeliveryContext,
  { bot, chat }: { readonly bot: string; readonly chat: string },
  message: QuestionMessage,
): Promise<PostedMessage> {
  const { place } = message;
  const target = place === undefined ? { chat_id: chat } : { chat_id: place.channel, ...placeFields(place) };
  const { text } = await context.callApi(`/bot${bot}/sendMessage`, { json: { ...target, ...shownOf(message) } });
  const { message_id: id, chat: in_ } = readReply(sent, text).result;
  return { key: `${in_.id}:${id}`, channel: String(in_.id), message: String(id) };
}

/** Replaces a question. */
export async function editByTelegram(
  context: DeliveryContext,
  bot: string,
  { posted, message }: { readonly posted: PostedMessage; readonly message: QuestionMessage },
): Promise<void> {
  await editTelegram(context, bot, { posted, content: shownOf(message) });
}

/** A question with its buttons; without any when it is closed. */
function shownOf(message: QuestionMessage) {
  const { link } = message;
  const preview = { link_preview_options: { is_disabled: true } };
  if (link === null) return { text: textOf(message), ...preview };
  const presses = message.buttons.filter(({ opens }) => opens === "nothing");
  const isReplied = presses.length < message.buttons.length;
  // Telegram rejects buttons with URLs that are not on the internet.
  const isPublic = link.url.startsWith("https:");
  const rows = [
    ...presses.map(({ code, label }) => [{ text: clip(label, MAX.label, SIZE), callback_data: code }]),
    ...(isPublic ? [[{ text: link.label, url: link.url }]] : []),
  ];
  const footer = [isReplied ? HOW_TO_REPLY : "", message.footer, isPublic ? "" : `${link.label}: ${link.url}`];
  const text = textOf({ ...message, footer: footer.filter(Boolean).join(" ") });
  return { text, ...preview, reply_markup: { inline_keyboard: rows } };
}

function textOf({ title, context, text, footer }: QuestionMessage): string {
  const parts = [
    clip(title, MAX.title, SIZE),
    clip(context, MAX.context, SIZE),
    clip(text, MAX.text, SIZE),
    clip(footer, MAX.footer, SIZE),
  ];
  // Telegram makes a mention of each name.
  return breakMentions(parts.filter(Boolean).join("\n\n"));
}
