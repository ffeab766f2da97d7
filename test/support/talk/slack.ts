import { createHmac, randomUUID } from "node:crypto";
import { z } from "zod";
import { answerJson, startFakeServer } from "../fake-server.ts";
import type { SeenRequest } from "../fake-server.ts";
import type { FakeTalk, SaidMessage } from "./fake-talk.ts";

const [TOKEN, SECRET, CHANNEL, BOT, TEAM] = [
  "xoxb-1-2-secret",
  "slack-signing-secret",
  "C0TALK",
  "U0BOT",
  "T0",
] as const;

const plain = (max: number) =>
  z.strictObject({ type: z.literal("plain_text"), text: z.string().min(1).max(max), emoji: z.boolean() });
const button = z.strictObject({
  type: z.literal("button"),
  action_id: z.string().min(1).max(255),
  value: z.string().max(2_000).optional(),
  url: z.url().max(3_000).optional(),
  text: plain(75),
  style: z.enum(["primary", "danger"]).optional(),
});
const block = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("markdown"), text: z.string().min(1).max(12_000) }),
  z.strictObject({ type: z.literal("header"), text: plain(150) }),
  z.strictObject({ type: z.literal("section"), text: plain(3_000) }),
  z.strictObject({ type: z.literal("context"), elements: z.array(plain(3_000)).min(1).max(10) }),
  z.strictObject({ type: z.literal("actions"), elements: z.array(button).min(1).max(25) }),
]);
/** https://docs.slack.dev/reference/methods/chat.postMessage */
const content = {
  channel: z.string().regex(/^[CD]/),
  text: z.string().min(1).max(4_000),
  blocks: z.array(block).min(1).max(50),
  unfurl_links: z.boolean().optional(),
};
const metadata = z.strictObject({ event_type: z.string(), event_payload: z.record(z.string(), z.string()) });
const post = z.strictObject({ ...content, thread_ts: z.string().optional(), metadata: metadata.optional() });
const edit = z.strictObject({ ...content, ts: z.string() });
const complete = z.strictObject({
  files: z.array(z.strictObject({ id: z.string(), title: z.string() })).length(1),
  channel_id: z.string(),
  thread_ts: z.string().optional(),
});

/** Starts Slack with one app. */
export async function startSlackTalk(): Promise<FakeTalk> {
  const messages: (SaidMessage & { readonly metadata?: z.output<typeof metadata> | undefined })[] = [];
  const files = new Map<string, { readonly name: string; readonly content: string }>();
  const uploads = new Map<string, { readonly name: string; readonly length: number; content?: string }>();
  const faults: string[] = [];
  const plan = { lost: 0, limited: 0 };
  let last = 0;
  const nextTs = () => `1700000000.${String(++last).padStart(6, "0")}`;

  const methods: Readonly<Record<string, (request: SeenRequest, query: URLSearchParams) => object>> = {
    "chat.postMessage"({ body }) {
      const { channel, thread_ts: thread, blocks, metadata: about } = post.parse(JSON.parse(body));
      const id = nextTs();
      const text = textOf(blocks);
      const buttons = buttonsOf(blocks);
      messages.push({
        id,
        channel,
        thread: thread ?? null,
        text,
        buttons,
        texts: [text],
        edits: 0,
        at: performance.now(),
        metadata: about,
      });
      return { channel, ts: id };
    },
    "chat.update"({ body }) {
      const { channel, ts, blocks } = edit.parse(JSON.parse(body));
      const found = messages.find((one) => one.channel === channel && one.id === ts);
      if (found === undefined) throw new Error("message_not_found");
      const text = textOf(blocks);
      Object.assign(found, { text, buttons: buttonsOf(blocks), edits: found.edits + 1, texts: [...found.texts, text] });
      return { channel, ts };
    },
    "conversations.replies"(_, query) {
      const [channel, thread] = [query.get("channel"), query.get("ts")];
      const after = query.get("oldest") ?? "";
      const found = messages.filter((one) => one.channel === channel && one.thread === thread && one.id > after);
      const shown = query.get("include_all_metadata") === "true";
      return { messages: found.map(({ id, metadata: about }) => ({ ts: id, ...(shown && { metadata: about }) })) };
    },
    "files.getUploadURLExternal"(_, query) {
      const [id, name] = [`F${randomUUID().slice(0, 8)}`, query.get("filename")];
      if (name === null || name === "") throw new Error("invalid_arguments");
      uploads.set(id, { name, length: z.coerce.number().int().min(1).parse(query.get("length")) });
      return { upload_url: `https://files.slack.com/upload/v1/${id}`, file_id: id };
    },
    "files.completeUploadExternal"({ body }) {
      const { files: sent, channel_id: channel, thread_ts: thread } = complete.parse(JSON.parse(body));
      const upload = uploads.get(sent[0]?.id ?? "");
      if (upload?.content === undefined || Buffer.byteLength(upload.content) !== upload.length)
        throw new Error("file_not_found");
      const file = { name: upload.name, content: upload.content };
      messages.push({
        id: nextTs(),
        channel,
        thread: thread ?? null,
        text: "",
        texts: [],
        buttons: [],
        file,
        edits: 0,
        at: performance.now(),
      });
      return { files: sent };
    },
  };

  const server = await startFakeServer((request, response) => {
    const { pathname, searchParams: query } = new URL(request.path, "http://x");
    const upload = uploads.get(pathname.replace("/upload/v1/", ""));
    if (upload !== undefined) {
      upload.content = request.body;
      return void response.writeHead(200).end("OK");
    }
    const isOurs = request.headers.authorization === `Bearer ${TOKEN}`;
    const file = files.get(pathname.replace("/files-pri/", ""));
    if (file !== undefined) {
      // Without the token Slack shows its sign-in page.
      const type = isOurs ? "text/plain" : "text/html";
      return void response.writeHead(200, { "content-type": type }).end(isOurs ? file.content : "<html>");
    }
    const name = pathname.replace("/api/", "");
    const call = methods[name];
    if (call === undefined || !isOurs) {
      faults.push(pathname);
      return answerJson(response, { ok: false, error: isOurs ? "unknown_method" : "invalid_auth" });
    }
    if (plan.limited > 0 && name.startsWith("chat.")) {
      plan.limited -= 1;
      response.setHeader("retry-after", "1");
      return answerJson(response, { ok: false, error: "ratelimited" }, 429);
    }
    try {
      const result = call(request, query);
      if (plan.lost > 0 && name === "chat.postMessage") {
        plan.lost -= 1;
        return void response.destroy();
      }
      answerJson(response, { ok: true, ...result });
    } catch (error) {
      const reason = error instanceof z.ZodError || !(error instanceof Error) ? "invalid_blocks" : error.message;
      if (reason !== "message_not_found") faults.push(`${name}: ${String(error)}`);
      answerJson(response, { ok: false, error: reason });
    }
  });

  return {
    type: "slack",
    env: { SLACK_API_BASE: server.url },
    config: { bot_token: TOKEN, signing_secret: SECRET },
    allowed: [],
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
    addFile(name, text) {
      const id = `F${randomUUID().slice(0, 8)}`;
      files.set(id, { name, content: text });
      const url = `https://files.slack.com/files-pri/${id}`;
      return { id, name, mimetype: "text/plain", size: text.length, url_private: url, url_private_download: url };
    },
    compose(text, { person, isGroup = false, replyTo, file, isBot = false, isGuest = false }) {
      const ts = nextTs();
      const event = {
        type: isGroup ? "app_mention" : "message",
        ...(isGroup ? {} : { channel_type: "im" }),
        channel: isGroup ? CHANNEL : `D${person.id}`,
        user: person.id,
        team: TEAM,
        ...(isGuest && { user_team: "T1", source_team: "T1" }),
        text: escaped(isGroup ? `<@${BOT}> ${text}` : text),
        ts,
        event_ts: ts,
        ...(replyTo !== undefined && { thread_ts: replyTo }),
        ...(file !== undefined && { files: [file], ...(!isGroup && { subtype: "file_share" }) }),
        ...(isBot && { bot_id: "B1", subtype: "bot_message" }),
      };
      return {
        type: "event_callback",
        team_id: TEAM,
        api_app_id: "A0",
        event_id: `Ev${randomUUID().slice(0, 8)}`,
        event_time: Math.floor(Date.now() / 1_000),
        authorizations: [{ team_id: TEAM, user_id: BOT, is_bot: true }],
        event,
      };
    },
    press: (code, { id, name }) => ({
      type: "block_actions",
      trigger_id: randomUUID(),
      user: { id, username: name, name, team_id: TEAM },
      channel: { id: CHANNEL, name: "talk" },
      actions: [{ type: "button", action_id: code, value: code, action_ts: "1" }],
    }),
    async send(to, call) {
      const isEvent = !("trigger_id" in call);
      const json = JSON.stringify(call);
      const body = isEvent ? json : new URLSearchParams({ payload: json }).toString();
      const signedAt = to.signedAt ?? Math.floor(Date.now() / 1_000);
      const mac = createHmac("sha256", to.isForged === true ? "another secret" : SECRET);
      const response = await fetch(`${to.url}/channels/${to.routeId}/slack`, {
        method: "POST",
        headers: {
          "content-type": isEvent ? "application/json" : "application/x-www-form-urlencoded",
          "x-slack-request-timestamp": String(signedAt),
          "x-slack-signature": `v0=${mac.update(`v0:${signedAt}:${body}`).digest("hex")}`,
        },
        body,
      });
      return { status: response.status, text: await response.text() };
    },
    close: () => server.close(),
  };
}

type Blocks = z.output<typeof block>[];

function textOf(blocks: Blocks): string {
  return blocks
    .flatMap((one) => {
      if (one.type === "markdown") return [one.text];
      if (one.type === "context") return one.elements.map(({ text }) => text);
      return one.type === "actions" ? [] : [one.text.text];
    })
    .join("\n");
}

function buttonsOf(blocks: Blocks): SaidMessage["buttons"] {
  return blocks
    .flatMap((one) => (one.type === "actions" ? one.elements : []))
    .map(({ text, value, url }) => ({
      label: text.text,
      ...(value !== undefined && { code: value }),
      ...(url !== undefined && { url }),
    }));
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll(/<(?!@)/g, "&lt;")
    .replaceAll(/(?<!@U0BOT)>/g, "&gt;");
}
