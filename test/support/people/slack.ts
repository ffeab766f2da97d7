import { createHmac, randomUUID } from "node:crypto";
import { z } from "zod";
import { answerJson, startFakeServer } from "../fake-server.ts";
import { unixSeconds } from "./fake-channel.ts";
import type { Called, CallOptions, CallResult, FakeChannel, ShownMessage } from "./fake-channel.ts";

const [TOKEN, CHANNEL, SECRET] = ["xoxb-1-2-secret", "C0PEOPLE", "slack-signing-secret"] as const;

const text = (max: number) =>
  z.strictObject({
    type: z.literal("plain_text"),
    text: z
      .string()
      .min(1)
      .refine((one) => Array.from(one).length <= max, `more than ${max} characters`),
    emoji: z.boolean(),
  });
const button = z.strictObject({
  type: z.literal("button"),
  action_id: z.string().min(1).max(255),
  value: z.string().max(2_000).optional(),
  url: z.url().max(3_000).optional(),
  text: text(75),
  style: z.enum(["primary", "danger"]).optional(),
});
const block = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("header"), text: text(150) }),
  z.strictObject({ type: z.literal("section"), text: text(3_000) }),
  z.strictObject({ type: z.literal("context"), elements: z.array(text(3_000)).min(1).max(10) }),
  z.strictObject({
    type: z.literal("actions"),
    elements: z
      .array(button)
      .min(1)
      .max(25)
      .refine((all) => new Set(all.map((one) => one.action_id)).size === all.length, "action ids must differ"),
  }),
]);
/** https://docs.slack.dev/reference/methods/chat.postMessage */
const content = {
  // In the text of a notification, these mark mentions.
  text: z
    .string()
    .min(1)
    .max(4_000)
    .regex(/^[^<>]*$/),
  blocks: z.array(block).min(1).max(50),
};
const post = z.strictObject({ channel: z.literal(CHANNEL), ...content });
const edit = z.strictObject({ channel: z.literal(CHANNEL), ts: z.string(), ...content });
const ephemeral = z.strictObject({
  channel: z.literal(CHANNEL),
  user: z.string(),
  text: z.string().min(1).max(4_000),
  thread_ts: z.string().optional(),
});
/** https://docs.slack.dev/reference/views/modal-views */
const open = z.strictObject({
  trigger_id: z.string(),
  view: z.strictObject({
    type: z.literal("modal"),
    private_metadata: z.string().max(3_000),
    title: text(24),
    submit: text(24),
    close: text(24),
    blocks: z.array(
      z.strictObject({
        type: z.literal("input"),
        block_id: z.string().max(255),
        label: text(2_000),
        element: z.strictObject({
          type: z.literal("plain_text_input"),
          action_id: z.string().max(255),
          multiline: z.boolean(),
          max_length: z.int().max(3_000),
        }),
      }),
    ),
  }),
});
const errors = z.object({ errors: z.record(z.string(), z.string()).optional() });

type Content = Pick<z.output<typeof post>, "blocks">;

/** A fake of Slack with what only it can do. */
export type FakeSlack = FakeChannel & {
  /** Writes a message in the thread of another; `more` are fields of the event, as of a bot's. */
  reply(
    to: Called,
    message: ShownMessage,
    written: CallOptions & { readonly text: string; readonly more?: object },
  ): Promise<CallResult>;
  /** The names that its bot may read, by the ids of people. */
  readonly names: Map<string, string>;
  /** Checks the URL for events, as Slack does when it is saved. */
  verifyUrl(to: Called, isForged?: boolean): Promise<{ readonly status: number; readonly text: string }>;
};

/** Starts Slack with one app in one channel. */
export async function startSlack(): Promise<FakeSlack> {
  const messages = new Map<string, ShownMessage>();
  const deleted = new Set<string>();
  const faults: string[] = [];
  const notices = new Map<string, string>();
  const triggers = new Set<string>();
  /** The people whose names the app may read. */
  const names = new Map<string, string>();
  const modals = new Map<string, z.output<typeof open>["view"]>();

  const methods: Readonly<Record<string, (body: unknown) => object>> = {
    "chat.postMessage"(body) {
      const ts = `1700000000.${String(messages.size).padStart(6, "0")}`;
      messages.set(ts, { id: ts, ...shown(post.parse(body)), edits: 0 });
      return { ok: true, channel: CHANNEL, ts };
    },
    "chat.update"(body) {
      const { ts, ...changed } = edit.parse(body);
      if (deleted.has(ts)) return { error: "message_not_found" };
      const before = messages.get(ts);
      if (before === undefined) return { ok: false, error: "message_not_found" };
      messages.set(ts, { id: ts, ...shown(changed), edits: before.edits + 1 });
      return { ok: true, channel: CHANNEL, ts };
    },
    "chat.postEphemeral"(body) {
      const { user, text: notice } = ephemeral.parse(body);
      notices.set(user, notice);
      return { ok: true, message_ts: "1" };
    },
    "users.info"(body) {
      const { user } = z.strictObject({ user: z.string() }).parse(body);
      const name = names.get(user);
      if (name === undefined) return { ok: false, error: "missing_scope" };
      return { ok: true, user: { id: user, name: user.toLowerCase(), profile: { display_name: name } } };
    },
    "views.open"(body) {
      const { trigger_id: trigger, view } = open.parse(body);
      // Each opens one view.
      if (!triggers.delete(trigger)) return { ok: false, error: "expired_trigger_id" };
      modals.set(trigger, view);
      return { ok: true };
    },
  };
  const reads = new Set([methods["users.info"]]);
  const server = await startFakeServer(({ method, path, headers, body }, response) => {
    const call = methods[path.replace("/api/", "")];
    if (method !== "POST" || call === undefined) return answerJson(response, { ok: false, error: "unknown_method" });
    if (headers.authorization !== `Bearer ${TOKEN}`) return answerJson(response, { ok: false, error: "invalid_auth" });
    // Methods that read take no JSON.
    const given = () => (reads.has(call) ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body));
    const outcome = attempt(() => call(given()));
    if (/"ok":false,"error":"(?!missing_scope)/.test(JSON.stringify(outcome)))
      faults.push(`${path}: ${JSON.stringify(outcome)}`);
    answerJson(response, { ok: false, ...outcome });
  });

  function send(to: Called, { person, ...signing }: CallOptions, payload: object) {
    const user = { id: person.id, username: person.name, name: person.name, team_id: "T0" };
    const body = new URLSearchParams({ payload: JSON.stringify({ ...payload, user }) }).toString();
    return call(to, signing, { type: "application/x-www-form-urlencoded", body });
  }

  async function call(
    to: Called,
    { isForged, signedAt = unixSeconds() }: Omit<CallOptions, "person">,
    { type, body }: { readonly type: string; readonly body: string },
  ) {
    const mac = createHmac("sha256", isForged === true ? "another secret" : SECRET);
    const response = await fetch(`${to.url}/channels/${to.routeId}/slack`, {
      method: "POST",
      headers: {
        "content-type": type,
        "x-slack-request-timestamp": String(signedAt),
        "x-slack-signature": `v0=${mac.update(`v0:${signedAt}:${body}`).digest("hex")}`,
      },
      body,
    });
    return { status: response.status, text: await response.text() };
  }

  async function press(to: Called, code: string, options: CallOptions): Promise<CallResult & { trigger: string }> {
    const trigger = randomUUID();
    triggers.add(trigger);
    notices.delete(options.person.id);
    const { status } = await send(to, options, {
      type: "block_actions",
      trigger_id: trigger,
      channel: { id: CHANNEL, name: "people" },
      actions: [{ type: "button", action_id: code, value: code, action_ts: "1" }],
    });
    return { status, notice: notices.get(options.person.id), trigger };
  }

  return {
    type: "slack",
    env: { SLACK_API_BASE: server.url },
    names,
    config: { bot_token: TOKEN, channel_id: CHANNEL, signing_secret: SECRET },
    messages: () => [...messages.values()],
    remove: (id) => void deleted.add(id),
    faults,
    press,
    async write(to, message, written, options) {
      const code = message.buttons.find(({ label }) => label === "Answer")?.code ?? "";
      const { status, notice, trigger } = await press(to, code, options);
      const view = modals.get(trigger);
      const [input] = view?.blocks ?? [];
      if (view === undefined || input === undefined) return { status, notice };
      const values = { [input.block_id]: { [input.element.action_id]: { type: "plain_text_input", value: written } } };
      const sent = await send(to, options, { type: "view_submission", view: { ...view, state: { values } } });
      const refused = sent.text === "" ? undefined : errors.safeParse(JSON.parse(sent.text)).data?.errors;
      return { status: sent.status, notice: refused?.[input.block_id] };
    },
    async reply(to, message, { text: said, more = {}, ...options }) {
      notices.delete(options.person.id);
      const ts = `1800000000.${String(unixSeconds())}`;
      const event = { type: "message", channel: CHANNEL, user: options.person.id, text: said, ts, ...more };
      const body = {
        type: "event_callback",
        team_id: "T0",
        event_id: randomUUID(),
        event: { thread_ts: message.id, ...event },
      };
      const { status } = await call(to, options, { type: "application/json", body: JSON.stringify(body) });
      return { status, notice: notices.get(options.person.id) };
    },
    verifyUrl(to, isForged = false) {
      const body = { type: "url_verification", challenge: "a-challenge", token: "t" };
      return call(to, { isForged }, { type: "application/json", body: JSON.stringify(body) });
    },
    close: () => server.close(),
  };
}

function attempt(call: () => object): object {
  try {
    return call();
  } catch (error) {
    return { ok: false, error: "invalid_blocks", reason: String(error) };
  }
}

function shown({ blocks }: Content): Pick<ShownMessage, "text" | "buttons"> {
  const texts = blocks.flatMap((one) => {
    if (one.type === "context") return one.elements.map((element) => element.text);
    return one.type === "actions" ? [] : [one.text.text];
  });
  const buttons = blocks.flatMap((one) => (one.type === "actions" ? one.elements : []));
  return {
    text: texts.join("\n"),
    buttons: buttons.map(({ text: label, value, url }) => ({
      label: label.text,
      ...(value !== undefined && { code: value }),
      ...(url !== undefined && { url }),
    })),
  };
}
