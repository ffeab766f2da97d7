import { z } from "zod";
import { answerJson, startFakeServer } from "../fake-server.ts";
import type { Called, CallOptions, FakeChannel, ShownMessage } from "./fake-channel.ts";

const [TOKEN, CHAT, SECRET] = ["123456:secret-bot-token", -100_123, "telegram-secret-token"] as const;

/** Telegram rejects links that are not on the internet. */
const link = z.url({ protocol: /^https$/ });
const button = z.union([
  z.strictObject({
    text: z.string().min(1),
    callback_data: z.string().refine((data) => Buffer.byteLength(data) >= 1 && Buffer.byteLength(data) <= 64),
  }),
  z.strictObject({ text: z.string().min(1), url: link }),
]);
/** https://core.telegram.org/bots/api#sendmessage */
const content = {
  text: z.string().min(1).max(4_096),
  link_preview_options: z.strictObject({ is_disabled: z.boolean() }),
};
const markup = z.strictObject({ inline_keyboard: z.array(z.array(button).min(1)).max(100) });
const post = z.strictObject({ chat_id: z.literal(String(CHAT)), ...content, reply_markup: markup });
/** https://core.telegram.org/bots/api#editmessagetext */
const edit = post.extend({ message_id: z.int(), reply_markup: markup.optional() });
/** A method in the response to an update. */
const method = z.discriminatedUnion("method", [
  z.strictObject({
    method: z.literal("answerCallbackQuery"),
    callback_query_id: z.string(),
    text: z.string().max(200),
    show_alert: z.boolean(),
  }),
  z.strictObject({
    method: z.literal("sendMessage"),
    chat_id: z.literal(CHAT),
    text: z.string().min(1).max(4_096),
    reply_parameters: z.strictObject({ message_id: z.int() }),
  }),
]);

/** Starts Telegram with one bot in one group. */
export async function startTelegram(): Promise<FakeChannel> {
  const messages = new Map<number, ShownMessage>();
  const deleted = new Set<string>();
  const faults: string[] = [];
  let lastUpdate = 0;

  const server = await startFakeServer(({ path, body }, response) => {
    const reject = (description: string, status = 400) => {
      faults.push(`${path}: ${description}`);
      answerJson(response, { ok: false, error_code: status, description }, status);
    };
    if (!path.startsWith(`/bot${TOKEN}/`)) return reject("Unauthorized", 401);
    const sent = post.safeParse(JSON.parse(body));
    const edited = edit.safeParse(JSON.parse(body));
    if (path.endsWith("/sendMessage")) {
      if (!sent.success) return reject(`Bad Request: ${sent.error.message}`);
      const id = messages.size + 1;
      const { text, reply_markup: shown } = sent.data;
      messages.set(id, { id: String(id), text, buttons: buttonsIn(shown), edits: 0 });
      return answerJson(response, { ok: true, result: { message_id: id, chat: { id: CHAT, type: "supergroup" } } });
    }
    if (!path.endsWith("/editMessageText")) return reject("Not Found", 404);
    if (!edited.success) return reject(`Bad Request: ${edited.error.message}`);
    const { message_id: id, text, reply_markup: shown } = edited.data;
    const buttons = buttonsIn(shown);
    const before = messages.get(id);
    const description = "Bad Request: message to edit not found";
    if (deleted.has(String(id))) return answerJson(response, { ok: false, error_code: 400, description }, 400);
    if (before === undefined) return reject(description);
    if (before.text === text && JSON.stringify(before.buttons) === JSON.stringify(buttons)) {
      const same = "Bad Request: message is not modified: specified new message content is exactly the same";
      return answerJson(response, { ok: false, error_code: 400, description: same }, 400);
    }
    messages.set(id, { id: String(id), text, buttons, edits: before.edits + 1 });
    answerJson(response, { ok: true, result: { message_id: id, chat: { id: CHAT } } });
  });

  async function send(to: Called, { isForged }: CallOptions, update: object) {
    const response = await fetch(`${to.url}/channels/${to.routeId}/telegram`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-telegram-bot-api-secret-token": isForged === true ? "another-secret-token" : SECRET,
      },
      body: JSON.stringify({ update_id: ++lastUpdate, ...update }),
    });
    const text = await response.text();
    const called = response.ok && text !== "" ? method.parse(JSON.parse(text)) : undefined;
    return { status: response.status, called };
  }

  const from = ({ person }: CallOptions) => ({ id: Number(person.id), is_bot: false, first_name: person.name });
  return {
    type: "telegram",
    env: { TELEGRAM_API_BASE: server.url },
    config: { bot_token: TOKEN, chat_id: String(CHAT), secret_token: SECRET },
    messages: () => [...messages.values()],
    remove: (id) => void deleted.add(id),
    faults,
    async press(to, code, options) {
      const callback = { id: `callback-${lastUpdate}`, from: from(options), chat_instance: "1", data: code };
      const { status, called } = await send(to, options, { callback_query: callback });
      const isSeen = called?.method === "answerCallbackQuery" && called.show_alert;
      return { status, notice: isSeen ? called.text : undefined };
    },
    async write(to, message, text, options) {
      const reply = { message_id: Number(message.id), chat: { id: CHAT } };
      const { status, called } = await send(to, options, {
        message: { message_id: 9_999, chat: { id: CHAT }, from: from(options), text, reply_to_message: reply },
      });
      return { status, notice: called?.text };
    },
    close: () => server.close(),
  };
}

function buttonsIn(shown: z.output<typeof markup> | undefined): ShownMessage["buttons"] {
  return (shown?.inline_keyboard ?? []).flat().map((one) => ({
    label: one.text,
    ...("callback_data" in one ? { code: one.callback_data } : { url: one.url }),
  }));
}
