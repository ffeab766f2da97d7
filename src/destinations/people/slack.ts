import { z } from "zod";
import type { ChannelPlace } from "#domain/people/channel-message.ts";
import type { OpenMessage, PostedMessage, QuestionMessage } from "#domain/people/question-message.ts";
import { escapeSlack } from "#lib/text/escape-slack.ts";
import type { DeliveryContext, DeliveryRequest } from "../define-destination.ts";
import { DeliveryError } from "../delivery/delivery-error.ts";
import { readReply } from "../delivery/read-reply.ts";
import { breakMentions } from "../message/mentions.ts";
import { clip } from "../message/truncate.ts";

/** https://docs.slack.dev/reference/block-kit/blocks: of a header, a section and a context; a button's label. */
const MAX = { header: 150, section: 2_900, context: 300, button: 75 } as const;

const reply = z.object({ ok: z.boolean(), error: z.string().optional() });
const posted = z.object({ channel: z.string(), ts: z.string() });

/** A Slack app that posts to a channel: its token, and the channel's id. */
export interface SlackBot {
  readonly bot_token: string;
  readonly channel_id: string;
}

/** Posts a message by the bot. @throws DeliveryError with Slack's own word for what is wrong. */
export function postBySlackBot(
  context: DeliveryContext,
  { bot_token: token, channel_id: channel }: SlackBot,
  { place, ...message }: object & { readonly place?: ChannelPlace | undefined },
): Promise<string> {
  const at = place === undefined ? { channel } : { channel: place.channel, thread_ts: place.thread ?? undefined };
  return callSlack(context, "chat.postMessage", { token, json: { ...at, ...message } });
}

/** The same with a question; returns the ids of the message. */
export async function askBySlackBot(
  context: DeliveryContext,
  bot: SlackBot,
  question: OpenMessage,
): Promise<PostedMessage> {
  const { channel: id, ts } = readReply(
    posted,
    await postBySlackBot(context, bot, { place: question.place, ...slackQuestion(question) }),
  );
  return { key: `${id}:${ts}`, channel: id, message: ts };
}

/** Replaces a message of the bot, unless somebody has deleted it. @throws DeliveryError */
export async function editBySlackBot(
  context: DeliveryContext,
  token: string,
  { posted: { channel, message: ts }, message }: { readonly posted: PostedMessage; readonly message: QuestionMessage },
): Promise<void> {
  const { link } = message;
  const shown = link === null ? slackClosed(message) : slackQuestion({ ...message, link });
  const json = { channel, ts, ...shown };
  await callSlack(context, "chat.update", { token, json, alsoOk: "message_not_found" });
}

/** A question as blocks. They are plain text, so that a model cannot mention a person. */
export function slackQuestion({ title, context, text, buttons, link, footer }: OpenMessage) {
  const elements = [
    ...buttons.map(({ code, label, style }) => ({
      type: "button",
      action_id: code,
      value: code,
      text: plainText(clip(label, MAX.button)),
      ...(style !== "plain" && { style }),
    })),
    { type: "button", action_id: "muster:link", text: plainText(link.label), url: link.url },
  ];
  return {
    text: noticeOf(title),
    blocks: [
      ...headOf({ title, context, text }),
      { type: "actions", elements },
      ...(footer === "" ? [] : [{ type: "context", elements: [plainText(footer)] }]),
    ],
  };
}

/** The same after it was closed: without buttons. */
function slackClosed({ title, context, text, footer }: QuestionMessage) {
  return {
    text: noticeOf(footer),
    blocks: [...headOf({ title, context, text }), { type: "section", text: plainText(clip(footer, MAX.section)) }],
  };
}

function headOf({ title, context, text }: Pick<QuestionMessage, "title" | "context" | "text">) {
  return [
    { type: "header", text: plainText(clip(title, MAX.header)) },
    ...(context === "" ? [] : [{ type: "context", elements: [plainText(clip(context, MAX.context))] }]),
    ...(text === "" ? [] : [{ type: "section", text: plainText(clip(text, MAX.section)) }]),
  ];
}

/** What notifications show, which Slack reads as its markup. */
function noticeOf(text: string): string {
  return escapeSlack(breakMentions(clip(text, MAX.context)));
}

/**
 * Calls a method. Slack answers 200 with `ok: false` to what it rejects (https://docs.slack.dev/apis/web-api/#responses).
 * @throws DeliveryError unless the reason is the one that is also fine
 */
export async function callSlack(
  context: DeliveryContext,
  method: string,
  { token, alsoOk, ...request }: Omit<DeliveryRequest, "alsoOk"> & { readonly token: string; readonly alsoOk?: string },
): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json; charset=utf-8" };
  const { text } = await context.callApi(`/api/${method}`, { ...request, headers });
  const { ok, error } = readReply(reply, text);
  if (!ok && error !== alsoOk) throw new DeliveryError(`Slack rejects it: ${error ?? "no reason given"}.`);
  return text;
}

function plainText(text: string) {
  return { type: "plain_text", text, emoji: false };
}
