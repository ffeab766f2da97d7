import { z } from "zod";
import { escapeSlack } from "#lib/text/escape-slack.ts";
import type { ChannelPlace } from "#domain/people/channel-message.ts";
import type { PostedMessage } from "#domain/people/question-message.ts";
import type { AnsweredMessage, DeliveryContext, SentToChannel } from "../define-destination.ts";
import { DeliveryError } from "../delivery/delivery-error.ts";
import { readReply } from "../delivery/read-reply.ts";
import { breakMarkdownMentions, breakMentions } from "../message/mentions.ts";
import { splitText } from "../message/split-text.ts";
import { CODE_POINTS, clip } from "../message/truncate.ts";
import { callSlack } from "./slack.ts";

/** All Markdown of a message (https://docs.slack.dev/reference/block-kit/blocks/markdown-block). */
const MAX_MARKDOWN = 12_000;
const MAX_PARTS = 5;
/** What notifications show of a message. */
const MAX_NOTICE = 150;
/** `chat.update` may be called about 50 times a minute (https://docs.slack.dev/apis/web-api/rate-limits). */
const GAP_MS = 1_500;
/** What an app writes on its messages; with it, a message is found again whose answer was lost. */
const METADATA = "muster_reply";
/** The replies that are searched for it, from the answered message on. */
const MAX_SEARCHED = 100;
/** `<!channel>`, `<@U0123ABCD>` and `<#C0123ABCD>` reach people. */
const CONTROL = /<(?=[!@#])/g;
const ZERO_WIDTH_SPACE = "\u200b";

const posted = z.object({ channel: z.string(), ts: z.string() });
const upload = z.object({ upload_url: z.url(), file_id: z.string() });
const replies = z.object({
  messages: z.array(
    z.object({
      ts: z.string(),
      metadata: z.object({ event_type: z.string(), event_payload: z.looseObject({}).optional() }).optional(),
    }),
  ),
});

/** Splits a text into messages, as long as Slack renders their Markdown. */
export function splitForSlack(text: string): readonly string[] {
  return splitText(text, {
    max: MAX_MARKDOWN,
    unit: (codePoint) => CODE_POINTS(codePoint) + addedTo(codePoint),
    parts: MAX_PARTS,
  });
}

/** How long to wait between two edits. */
export function gapOfSlack(): number {
  return GAP_MS;
}

/** Posts a text into the thread of a conversation. */
export async function sayBySlack(
  context: DeliveryContext,
  token: string,
  { place, text }: { readonly place: ChannelPlace; readonly text: string },
): Promise<PostedMessage> {
  const metadata = { event_type: METADATA, event_payload: { delivery: context.deliveryId } };
  const json = { channel: place.channel, ...threadOf(place), ...contentOf(text), metadata };
  const { channel, ts } = readReply(posted, await callSlack(context, "chat.postMessage", { token, json }));
  return { key: `${channel}:${ts}`, channel, message: ts };
}

/** Replaces a text, unless somebody has deleted its message; the metadata stay. */
export async function changeBySlack(
  context: DeliveryContext,
  token: string,
  { posted: { channel, message: ts }, text }: { readonly posted: PostedMessage; readonly text: string },
): Promise<void> {
  const json = { channel, ts, ...contentOf(text) };
  await callSlack(context, "chat.update", { token, json, alsoOk: "message_not_found" });
}

/**
 * Finds the message of this delivery among the replies after the message that it answers; undefined also for an app
 * without the scopes to look (https://docs.slack.dev/reference/methods/conversations.replies).
 */
export async function findInSlack(
  context: DeliveryContext,
  token: string,
  { place: { channel, thread }, key }: AnsweredMessage,
): Promise<PostedMessage | undefined> {
  const query = new URLSearchParams({
    channel,
    ts: thread ?? "",
    oldest: key.slice(channel.length + 1),
    include_all_metadata: "true",
    limit: String(MAX_SEARCHED),
  });
  try {
    const text = await callSlack(context, `conversations.replies?${query.toString()}`, { token, method: "GET" });
    const found = readReply(replies, text).messages.find(
      ({ metadata }) =>
        metadata?.event_type === METADATA && metadata.event_payload?.["delivery"] === context.deliveryId,
    );
    return found && { key: `${channel}:${found.ts}`, channel, message: found.ts };
  } catch (error) {
    if (error instanceof DeliveryError && error.message.includes("missing_scope")) return undefined;
    throw error;
  }
}

/** Sends a file (https://docs.slack.dev/messaging/working-with-files#upload). */
export async function sendBySlack(
  context: DeliveryContext,
  token: string,
  { place, file }: { readonly place: ChannelPlace; readonly file: SentToChannel },
): Promise<void> {
  const query = new URLSearchParams({ filename: file.name, length: String(file.content.byteLength) });
  const begun = await callSlack(context, `files.getUploadURLExternal?${query.toString()}`, { token, method: "GET" });
  const { upload_url: url, file_id: id } = readReply(upload, begun);
  await context.callUrl(url, { headers: { "content-type": "application/octet-stream" }, body: file.content });
  const json = { files: [{ id, title: file.name }], channel_id: place.channel, ...threadOf(place) };
  await callSlack(context, "files.completeUploadExternal", { token, json });
}

function threadOf({ thread }: ChannelPlace): object {
  return thread === null ? {} : { thread_ts: thread };
}

/** Markdown as the model writes it, in which nobody is mentioned. */
function contentOf(text: string) {
  const safe = breakMarkdownMentions(text).replaceAll(CONTROL, `<${ZERO_WIDTH_SPACE}`);
  const notice = escapeSlack(breakMentions(clip(text, MAX_NOTICE)));
  return { text: notice, blocks: [{ type: "markdown", text: safe }], unfurl_links: false };
}

function addedTo(codePoint: number): number {
  return codePoint === 0x40 || codePoint === 0x26 || codePoint === 0x3c ? 1 : 0;
}
