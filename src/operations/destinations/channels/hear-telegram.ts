import { z } from "zod";
import { AppError } from "#domain/errors.ts";
import type { ChannelFile } from "#domain/people/channel-message.ts";
import { fetchWhole } from "#lib/safe-fetch/fetch-whole.ts";
import { FetchFailedError } from "#lib/safe-fetch/follow-redirects.ts";
import type { Services } from "../../context.ts";
import type { Channel, ChannelPerson } from "./answer-press.ts";
import { personOf } from "./read-call.ts";
import { receiveMessage } from "./receive-message.ts";
import type { Belonging } from "./receive-message.ts";

const TIMEOUT_MS = 2_000;
const MAX_BYTES = 64 * 1024;
/** `/new` begins a conversation with what follows it, or with the next message. */
const COMMAND = /^\/(start|new)(?:@\w+)?(?:\s+|$)/;

/** https://core.telegram.org/bots/api#user */
export const telegramUser = z.object({
  id: z.int(),
  is_bot: z.boolean().optional(),
  first_name: z.string().optional(),
  last_name: z.string().optional(),
  username: z.string().optional(),
});
const entity = z.object({ type: z.string(), offset: z.int(), length: z.int(), user: telegramUser.optional() });
const file = z.object({
  file_id: z.string(),
  file_name: z.string().optional(),
  mime_type: z.string().optional(),
  file_size: z.int().optional(),
});
/** https://core.telegram.org/bots/api#message */
export const telegramMessage = z.object({
  message_id: z.int(),
  message_thread_id: z.int().optional(),
  is_topic_message: z.boolean().optional(),
  chat: z.object({ id: z.int(), type: z.string().optional() }),
  from: telegramUser.optional(),
  text: z.string().optional(),
  caption: z.string().optional(),
  entities: z.array(entity).optional(),
  caption_entities: z.array(entity).optional(),
  reply_to_message: z.object({ message_id: z.int(), from: telegramUser.optional() }).optional(),
  document: file.optional(),
  audio: file.optional(),
  video: file.optional(),
  voice: file.optional(),
  /** The same picture in several sizes, the largest last. */
  photo: z.array(file).optional(),
});
const me = z.object({ result: z.object({ username: z.string() }) });
const bot = z.object({ bot_token: z.string() });

/** See {@link telegramMessage}. */
export type TelegramMessage = z.output<typeof telegramMessage>;

/** Somebody at Telegram. */
export function personIn({
  id,
  first_name: first = "",
  last_name: last = "",
  username,
}: z.output<typeof telegramUser>): ChannelPerson {
  return personOf(String(id), [`${first} ${last}`, username]);
}

/** Takes a message for an agent: any of a private chat; in a group one that mentions the bot, or replies to it. */
export async function hearTelegram(services: Services, channel: Channel, message: TelegramMessage): Promise<void> {
  const { from, chat, message_id: id, reply_to_message: to } = message;
  if (from === undefined || from.is_bot === true) return;
  const isPrivate = chat.type === "private";
  const token = bot.parse(channel.route.config).bot_token;
  const told = isPrivate ? (message.text ?? message.caption ?? "") : await addressed(services, token, message);
  if (told === undefined) return;
  const files = filesOf(message);
  const [prefix = "", command] = COMMAND.exec(told) ?? [];
  const text = told.slice(command === "new" ? prefix.length : 0).trim();
  const topic = message.is_topic_message === true ? message.message_thread_id : undefined;
  const belongs: Belonging =
    command === "new"
      ? { thread: `new-${id}` }
      : topic !== undefined
        ? { newestOr: `topic-${topic}` }
        : isPrivate
          ? { newestOr: "chat" }
          : { replyTo: to && String(to.message_id), begins: String(id) };
  const thread = topic !== undefined ? `topic:${topic}` : isPrivate ? null : `reply:${id}`;
  const isEmpty = text === "" && files.length === 0;
  const says = command === "start" ? "started" : !isEmpty ? undefined : command === "new" ? "begun" : "empty";
  const place = { channel: String(chat.id), thread };
  const written = { key: `${chat.id}:${id}`, place, person: personIn(from), text, files, belongs };
  await receiveMessage(services, channel, { ...written, isLocal: false, ...(says && { says }) });
}

/** The text without the bot's name, if the message is for the bot; undefined otherwise. */
async function addressed(services: Services, token: string, message: TelegramMessage): Promise<string | undefined> {
  const botId = Number(token.split(":")[0]);
  const text = message.text ?? message.caption ?? "";
  const named = (message.entities ?? message.caption_entities ?? []).filter(({ type }) =>
    ["mention", "text_mention", "bot_command"].includes(type),
  );
  const isReply = message.reply_to_message?.from?.id === botId;
  if (named.length === 0) return isReply ? text : undefined;
  const name = `@${await usernameOf(services, token)}`.toLowerCase();
  const own = named.find(({ offset, length, user }) => {
    return (
      user?.id === botId ||
      text
        .slice(offset, offset + length)
        .toLowerCase()
        .endsWith(name)
    );
  });
  if (own === undefined) return isReply ? text : undefined;
  const [before, mention] = [text.slice(0, own.offset), text.slice(own.offset, own.offset + own.length)];
  const kept = own.type === "bot_command" ? mention.slice(0, -name.length) : "";
  return `${before}${kept}${text.slice(own.offset + own.length)}`.trim();
}

/** @throws AppError `unavailable`: Telegram calls again */
async function usernameOf({ telegram }: Services, token: string): Promise<string> {
  try {
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES };
    const { body } = await fetchWhole(telegram.fetch, `${telegram.base}/bot${token}/getMe`, limits);
    return me.parse(JSON.parse(new TextDecoder().decode(body))).result.username;
  } catch (error) {
    if (!(error instanceof FetchFailedError || error instanceof SyntaxError || error instanceof z.ZodError))
      throw error;
    throw new AppError("unavailable", "Telegram did not say what the bot is called.");
  }
}

function filesOf({ document, audio, video, voice, photo }: TelegramMessage): readonly ChannelFile[] {
  const picture = photo?.at(-1);
  const described = [
    document && { ...document, fallback: "document" },
    audio && { ...audio, fallback: "audio" },
    video && { ...video, fallback: "video.mp4" },
    voice && { ...voice, fallback: "voice.ogg" },
    picture && { ...picture, mime_type: "image/jpeg", fallback: "photo.jpg" },
  ];
  return described.flatMap((one) =>
    one === undefined
      ? []
      : [{ at: one.file_id, name: one.file_name ?? one.fallback, type: one.mime_type ?? "", size: one.file_size ?? 0 }],
  );
}
