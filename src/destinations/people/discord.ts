import { z } from "zod";
import type { OpenMessage, PostedMessage, QuestionMessage } from "#domain/people/question-message.ts";
import type { DeliveryContext, DeliveryRequest } from "../define-destination.ts";
import { readReply } from "../delivery/read-reply.ts";
import { WITH_ESCAPES, escapeDiscord } from "../message/discord-text.ts";
import { clip } from "../message/truncate.ts";

const API = "/api/v10";
/** https://discord.com/developers/docs/resources/message#embed-object-embed-limits, and a button's label. */
const MAX = { title: 256, text: 3_500, footer: 1_000, label: 80 } as const;
/** https://discord.com/developers/docs/components/reference#button */
const STYLES = { plain: 2, primary: 3, danger: 4, link: 5 } as const;
const [ROW, BUTTON] = [1, 2];
const NOT_FOUND = 404;
const PER_ROW = 5;

const sent = z.object({ id: z.string(), channel_id: z.string() });

/** Who posts to a channel: an application's bot, whose messages can have buttons, or a webhook. */
export type DiscordSender =
  | { readonly bot_token: string; readonly channel_id: string }
  | { readonly webhook_url: string };

/** Posts a message; returns Discord's reply. */
export function postByDiscord(context: DeliveryContext, sender: DiscordSender, message: object): Promise<string> {
  const path = "bot_token" in sender ? `${API}/channels/${sender.channel_id}/messages` : "";
  return call(context, sender, { path, json: message });
}

/** Posts a question; returns the ids of the message. */
export async function askByDiscord(
  context: DeliveryContext,
  sender: DiscordSender,
  question: OpenMessage,
): Promise<PostedMessage> {
  const reply = await postByDiscord(context, sender, discordQuestion(question));
  const { id, channel_id: channel } = readReply(sent, reply);
  return { key: `${channel}:${id}`, channel, message: id };
}

/** Replaces a message, unless somebody has deleted it. */
export async function editByDiscord(
  context: DeliveryContext,
  sender: DiscordSender,
  { posted, message }: { readonly posted: PostedMessage; readonly message: QuestionMessage },
): Promise<void> {
  const messages = `/messages/${posted.message}`;
  const path = "bot_token" in sender ? `${API}/channels/${posted.channel}${messages}` : messages;
  const { link } = message;
  const json = link === null ? discordClosed(message) : discordQuestion({ ...message, link });
  await call(context, sender, { method: "PATCH", path, json, alsoOk: NOT_FOUND });
}

/** A question as an embed with buttons. */
function discordQuestion(message: OpenMessage) {
  const buttons = [
    ...message.buttons.map(({ code, label, style }) => ({
      type: BUTTON,
      style: STYLES[style],
      label: clip(label, MAX.label),
      custom_id: code,
    })),
    { type: BUTTON, style: STYLES.link, label: message.link.label, url: message.link.url },
  ];
  const rows = Array.from({ length: Math.ceil(buttons.length / PER_ROW) }, (_, row) => ({
    type: ROW,
    components: buttons.slice(row * PER_ROW, (row + 1) * PER_ROW),
  }));
  return { embeds: [embedOf(message)], components: rows, allowed_mentions: { parse: [] } };
}

/** The same after it was closed: without buttons. */
function discordClosed(message: QuestionMessage) {
  return { embeds: [embedOf(message)], components: [], allowed_mentions: { parse: [] } };
}

function embedOf({ title, context, text, footer }: QuestionMessage) {
  return {
    title: escapeDiscord(clip(title, MAX.title, WITH_ESCAPES)),
    ...(text !== "" && { description: escapeDiscord(clip(text, MAX.text, WITH_ESCAPES)) }),
    author: { name: clip(context, MAX.title) },
    footer: { text: clip(footer, MAX.footer) },
  };
}

/** `wait` makes a webhook return its message, `with_components` lets it have buttons that are links. */
async function call(
  context: DeliveryContext,
  sender: DiscordSender,
  { path, ...request }: DeliveryRequest & { readonly path: string },
): Promise<string> {
  if ("bot_token" in sender) {
    const headers = { authorization: `Bot ${sender.bot_token}` };
    return (await context.callApi(path, { ...request, headers })).text;
  }
  const url = new URL(sender.webhook_url);
  url.pathname += path;
  url.searchParams.set("wait", "true");
  url.searchParams.set("with_components", "true");
  return (await context.callUrl(url.href, request)).text;
}
