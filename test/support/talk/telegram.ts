import { randomUUID } from "node:crypto";
import { z } from "zod";
import { answerJson, startFakeServer } from "../fake-server.ts";
import type { SeenRequest } from "../fake-server.ts";
import type { FakeTalk, Person, SaidMessage, TalkTo } from "./fake-talk.ts";

const [TOKEN, SECRET, NAME] = ["123456:secret-bot-token", "telegram-secret-token", "muster_bot"] as const;
const BOT = { id: 123_456, is_bot: true, first_name: "Muster", username: NAME } as const;
const GROUP = -100_123;

const button = z.union([
  z.strictObject({ text: z.string().min(1), callback_data: z.string().min(1).max(64) }),
  z.strictObject({ text: z.string().min(1), url: z.url({ protocol: /^https$/ }) }),
]);
const replyParameters = z.strictObject({
  message_id: z.int(),
  allow_sending_without_reply: z.literal(true).optional(),
});
const place = { offset: z.int().min(0), length: z.int().min(1) };
/** https://core.telegram.org/bots/api#messageentity */
const entity = z.discriminatedUnion("type", [
  z.strictObject({ type: z.enum(["bold", "italic", "strikethrough", "code", "blockquote"]), ...place }),
  z.strictObject({ type: z.literal("pre"), ...place, language: z.string().min(1).optional() }),
  z.strictObject({ type: z.literal("text_link"), ...place, url: z.url() }),
]);
/** https://core.telegram.org/bots/api#sendmessage */
const post = z.strictObject({
  chat_id: z.string().regex(/^-?\d+$/),
  message_thread_id: z.int().optional(),
  reply_parameters: replyParameters.optional(),
  text: z.string().min(1).max(4_096),
  entities: z.array(entity).min(1).max(100).optional(),
  link_preview_options: z.strictObject({ is_disabled: z.boolean() }),
  reply_markup: z.strictObject({ inline_keyboard: z.array(z.array(button).min(1)) }).optional(),
});
/** https://core.telegram.org/bots/api#editmessagetext */
const edit = post
  .pick({ chat_id: true, text: true, entities: true, link_preview_options: true, reply_markup: true })
  .extend({ message_id: z.int() });

/** Starts Telegram with one bot. */
export async function startTelegramTalk(): Promise<FakeTalk> {
  const messages: SaidMessage[] = [];
  const files = new Map<string, { readonly name: string; readonly content: string }>();
  const faults: string[] = [];
  const plan: { lost: number; limited: number } = { lost: 0, limited: 0 };
  let last = 0;

  const methods: Readonly<Record<string, (request: SeenRequest) => object>> = {
    getMe: () => BOT,
    getFile({ path }) {
      const id = new URL(path, "http://x").searchParams.get("file_id") ?? "";
      if (!files.has(id)) throw new Error("Bad Request: invalid file_id");
      return { file_id: id, file_path: `documents/${id}` };
    },
    sendMessage({ body }) {
      const { chat_id: chat, text: plain, entities, reply_markup: markup, ...sent } = post.parse(JSON.parse(body));
      const text = formed(plain, entities);
      const buttons = (markup?.inline_keyboard ?? []).flat().map((one) => ({
        label: one.text,
        ...("callback_data" in one ? { code: one.callback_data } : { url: one.url }),
      }));
      const thread = sent.message_thread_id ?? sent.reply_parameters?.message_id;
      return place({ channel: chat, thread: thread === undefined ? null : String(thread), text, buttons });
    },
    editMessageText({ body }) {
      const { chat_id: chat, message_id: id, text: plain, entities } = edit.parse(JSON.parse(body));
      const text = formed(plain, entities);
      const found = messages.find((one) => one.channel === chat && one.id === String(id));
      if (found === undefined) throw new Error("Bad Request: message to edit not found");
      if (found.text === text) throw new Error("Bad Request: message is not modified");
      Object.assign(found, { text, buttons: [], edits: found.edits + 1, texts: [...found.texts, text] });
      return { message_id: id, chat: { id: Number(chat) } };
    },
    sendDocument({ body, headers }) {
      const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(headers["content-type"] ?? "")?.[1];
      if (boundary === undefined) throw new Error("Bad Request: there is no document in the request");
      const parts = body
        .split(`--${boundary}`)
        .slice(1, -1)
        .map((one) => one.split("\r\n\r\n"));
      const value = (name: string) => parts.find(([head]) => head?.includes(`name="${name}"`))?.[1]?.slice(0, -2);
      const name = /filename="([^"]+)"/.exec(parts.find(([head]) => head?.includes("filename"))?.[0] ?? "")?.[1];
      const [channel, content] = [value("chat_id"), value("document")];
      if (channel === undefined || name === undefined || content === undefined) throw new Error("Bad Request: no file");
      return place({ channel, thread: null, text: "", buttons: [], file: { name, content } });
    },
  };

  function place(
    said: Pick<SaidMessage, "channel" | "thread" | "text" | "buttons"> & { readonly file?: SaidMessage["file"] },
  ) {
    const id = ++last;
    messages.push({ ...said, id: String(id), edits: 0, texts: [said.text], at: performance.now() });
    return { message_id: id, chat: { id: Number(said.channel) } };
  }

  const server = await startFakeServer((request, response) => {
    const { path } = request;
    const file = files.get(path.replace(`/file/bot${TOKEN}/documents/`, ""));
    if (file !== undefined) return void response.writeHead(200).end(file.content);
    const name = path.replace(`/bot${TOKEN}/`, "").replace(/\?.*/, "");
    const call = methods[name];
    if (!path.startsWith(`/bot${TOKEN}/`) || call === undefined) {
      faults.push(path);
      return answerJson(response, { ok: false, error_code: 404, description: "Not Found" }, 404);
    }
    if (plan.limited > 0 && (name === "sendMessage" || name === "editMessageText")) {
      plan.limited -= 1;
      const description = "Too Many Requests: retry after 1";
      return answerJson(response, { ok: false, error_code: 429, description, parameters: { retry_after: 1 } }, 429);
    }
    try {
      const result = call(request);
      if (plan.lost > 0 && name === "sendMessage") {
        plan.lost -= 1;
        return void response.destroy();
      }
      answerJson(response, { ok: true, result });
    } catch (error) {
      const description = error instanceof Error ? error.message : String(error);
      if (!/not modified|to edit not found/.test(description)) faults.push(`${name}: ${description}`);
      answerJson(response, { ok: false, error_code: 400, description }, 400);
    }
  });

  async function send(to: TalkTo, update: object) {
    const response = await fetch(`${to.url}/channels/${to.routeId}/telegram`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-telegram-bot-api-secret-token": to.isForged === true ? "another-secret-token" : SECRET,
      },
      body: JSON.stringify(update),
    });
    return { status: response.status, text: await response.text() };
  }
  const from = ({ id, name }: Person) => ({ id: Number(id), is_bot: false, first_name: name });

  return {
    type: "telegram",
    env: { TELEGRAM_API_BASE: server.url },
    config: { bot_token: TOKEN, secret_token: SECRET },
    allowed: ["1001"],
    messages: () => messages,
    faults,
    loseAnswers: (count) => (plan.lost = count),
    limit: (count) => (plan.limited = count),
    forget(id) {
      messages.splice(
        messages.findIndex((one) => one.id === id),
        1,
      );
    },
    addFile(name, content) {
      const id = randomUUID();
      files.set(id, { name, content });
      return { file_id: id, file_name: name, mime_type: "text/plain", file_size: content.length };
    },
    compose(text, { person, isGroup = false, replyTo, file, isBot = false }) {
      const id = ++last;
      const isMention = isGroup && replyTo === undefined;
      const whole = isMention ? `@${NAME} ${text}` : text;
      const entities = isMention ? [{ type: "mention", offset: 0, length: NAME.length + 1 }] : [];
      const told =
        file === undefined ? { text: whole, entities } : { caption: whole, caption_entities: entities, document: file };
      const chat = isGroup ? { id: GROUP, type: "supergroup" } : { id: Number(person.id), type: "private" };
      const target = replyTo && { message_id: Number(replyTo), from: BOT, chat };
      const sender = { ...from(person), is_bot: isBot };
      return { update_id: id, message: { message_id: id, chat, from: sender, ...told, reply_to_message: target } };
    },
    press: (code, person) => ({
      update_id: ++last,
      callback_query: { id: randomUUID(), from: from(person), chat_instance: "1", data: code },
    }),
    send,
    close: () => server.close(),
  };
}

/** A text with its code between the marks that people see as a block. */
function formed(text: string, entities: readonly z.output<typeof entity>[] = []): string {
  let whole = text;
  for (const { type, offset, length } of entities.toReversed()) {
    if (offset + length > text.length) throw new Error("Bad Request: entity beyond the text");
    if (type === "pre")
      whole = `${whole.slice(0, offset)}[${whole.slice(offset, offset + length)}]${whole.slice(offset + length)}`;
  }
  return whole;
}
