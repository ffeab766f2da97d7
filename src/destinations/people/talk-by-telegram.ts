import { z } from "zod";
import { newId } from "#lib/ids.ts";
import type { ChannelPlace } from "#domain/people/channel-message.ts";
import type { PostedMessage } from "#domain/people/question-message.ts";
import type { DeliveryContext, SentToChannel } from "../define-destination.ts";
import { DeliveryError } from "../delivery/delivery-error.ts";
import { readReply } from "../delivery/read-reply.ts";
import { WITH_BREAKS } from "../message/mentions.ts";
import { splitText } from "../message/split-text.ts";
import { telegramText } from "../message/telegram-text.ts";
import { UTF_16 } from "../message/truncate.ts";
import type { Unit } from "../message/truncate.ts";

/** Of a message, in UTF-16 units (https://core.telegram.org/bots/api#sendmessage). */
const MAX_TEXT = 4_096;
const MAX_PARTS = 8;
/** About one message a second in a chat, and 20 a minute in a group (https://core.telegram.org/bots/faq). */
const GAP_MS = { person: 1_500, group: 3_500 } as const;
const SIZE: Unit = (codePoint) => Math.max(UTF_16(codePoint), WITH_BREAKS(codePoint));
const BAD_REQUEST = 400;
const NOTHING_TO_EDIT = /message is not modified|message to edit not found/;

const rejected = z.object({ description: z.string() });
const sent = z.object({ result: z.object({ message_id: z.int(), chat: z.object({ id: z.int() }) }) });

/** Splits a text into messages of a bot. */
export function splitForTelegram(text: string): readonly string[] {
  return splitText(text, { max: MAX_TEXT, unit: SIZE, parts: MAX_PARTS });
}

/** How long to wait between two edits; ids of groups are negative. */
export function gapOfTelegram(chat: string): number {
  return chat.startsWith("-") ? GAP_MS.group : GAP_MS.person;
}

/** Posts a text: in the topic, or as a reply, where the conversation has one. */
export async function sayByTelegram(
  context: DeliveryContext,
  bot: string,
  { place, text }: { readonly place: ChannelPlace; readonly text: string },
): Promise<PostedMessage> {
  const reply = await context.callApi(`/bot${bot}/sendMessage`, {
    json: { chat_id: place.channel, ...placeFields(place), ...contentOf(text) },
  });
  const { message_id: id, chat } = readReply(sent, reply.text).result;
  return { key: `${chat.id}:${id}`, channel: String(chat.id), message: String(id) };
}

/** Replaces a text. */
export async function changeByTelegram(
  context: DeliveryContext,
  bot: string,
  { posted, text }: { readonly posted: PostedMessage; readonly text: string },
): Promise<void> {
  await editTelegram(context, bot, { posted, content: contentOf(text) });
}

/** Replaces a message of a bot, unless somebody has deleted it, or nothing changes. @throws DeliveryError */
export async function editTelegram(
  context: DeliveryContext,
  bot: string,
  { posted, content }: { readonly posted: PostedMessage; readonly content: object },
): Promise<void> {
  const json = { chat_id: posted.channel, message_id: Number(posted.message), ...content };
  const { status, text } = await context.callApi(`/bot${bot}/editMessageText`, { json, alsoOk: BAD_REQUEST });
  if (status === BAD_REQUEST && !NOTHING_TO_EDIT.test(text)) {
    throw new DeliveryError(`Telegram rejects it: ${readReply(rejected, text).description}`);
  }
}

/** Sends a file as a document (https://core.telegram.org/bots/api#senddocument). */
export async function sendByTelegram(
  context: DeliveryContext,
  bot: string,
  { place, file }: { readonly place: ChannelPlace; readonly file: SentToChannel },
): Promise<void> {
  const boundary = `muster-${newId()}`;
  const head = Object.entries({ chat_id: place.channel, ...placeFields(place) }).map(([name, value]) =>
    part(boundary, `name="${name}"`, typeof value === "string" ? value : JSON.stringify(value)),
  );
  const name = file.name.replaceAll(/["\r\n\\]/g, "_");
  const opening = `--${boundary}\r\ncontent-disposition: form-data; name="document"; filename="${name}"\r\ncontent-type: ${file.type}\r\n\r\n`;
  await context.callApi(`/bot${bot}/sendDocument`, {
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([Buffer.from(head.join("") + opening), file.content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  });
}

/** The fields that put a message into its topic, or make it a reply; a deleted message is no obstacle. */
export function placeFields({ thread }: ChannelPlace): object {
  const [kind, id] = (thread ?? "").split(":");
  if (kind === "topic") return { message_thread_id: Number(id) };
  if (kind === "reply") return { reply_parameters: { message_id: Number(id), allow_sending_without_reply: true } };
  return {};
}

function contentOf(markdown: string) {
  const { text, entities } = telegramText(markdown);
  return { text, ...(entities.length > 0 && { entities }), link_preview_options: { is_disabled: true } };
}

function part(boundary: string, disposition: string, value: string): string {
  return `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`;
}
