import { z } from "zod";
import type { PostedMessage, QuestionMessage } from "#domain/people/question-message.ts";
import type { DeliveryContext } from "../define-destination.ts";
import { readReply } from "../delivery/read-reply.ts";
import { WITH_BREAKS, breakMentions } from "../message/mentions.ts";
import { UTF_16, clip } from "../message/truncate.ts";
import type { Unit } from "../message/truncate.ts";

/** 4,096 UTF-16 units in all (https://core.telegram.org/bots/api#sendmessage). */
const MAX = { title: 250, context: 300, text: 2_500, footer: 600, label: 64 } as const;
const SIZE: Unit = (codePoint) => Math.max(UTF_16(codePoint), WITH_BREAKS(codePoint));
const HOW_TO_REPLY = "Reply to this message with your answer.";

const sent = z.object({ result: z.object({ message_id: z.int(), chat: z.object({ id: z.int() }) }) });

/** Sends a question. A text is answered by a reply; Telegram has no form to ask for one. */
export async function askByTelegram(
  context: DeliveryContext,
  { bot, chat }: { readonly bot: string; readonly chat: string },
  message: QuestionMessage,
): Promise<PostedMessage> {
  const presses = message.buttons.filter(({ opens }) => opens === "nothing");
  const isReplied = presses.length < message.buttons.length;
  const link = { text: message.link.label, url: message.link.url };
  // Telegram rejects buttons with URLs that are not on the internet.
  const isPublic = message.link.url.startsWith("https:");
  const rows = [
    ...presses.map(({ code, label }) => [{ text: clip(label, MAX.label, SIZE), callback_data: code }]),
    ...(isPublic ? [[link]] : []),
  ];
  const footer = [isReplied ? HOW_TO_REPLY : "", message.footer, isPublic ? "" : `${link.text}: ${link.url}`];
  const { text } = await context.callApi(`/bot${bot}/sendMessage`, {
    json: {
      chat_id: chat,
      text: textOf({ ...message, footer: footer.filter(Boolean).join(" ") }),
      link_preview_options: { is_disabled: true },
      reply_markup: { inline_keyboard: rows },
    },
  });
  const { message_id: id, chat: in_ } = readReply(sent, text).result;
  return { key: `${in_.id}:${id}`, channel: String(in_.id), message: String(id) };
}

/** Replaces a question by how it ended. */
export async function closeByTelegram(
  context: DeliveryContext,
  bot: string,
  { posted, message }: { readonly posted: PostedMessage; readonly message: QuestionMessage },
): Promise<void> {
  await context.callApi(`/bot${bot}/editMessageText`, {
    json: {
      chat_id: posted.channel,
      message_id: Number(posted.message),
      text: textOf(message),
      link_preview_options: { is_disabled: true },
    },
  });
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
