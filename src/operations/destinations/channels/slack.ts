import { z } from "zod";
import { AppError } from "#domain/errors.ts";
import { codeOf, readCode } from "#domain/people/question-button.ts";
import { isSignedBySlack } from "#domain/people/vendor-signature.ts";
import { escapeSlack } from "#lib/text/escape-slack.ts";
import { fetchWhole } from "#lib/safe-fetch/fetch-whole.ts";
import { FetchFailedError } from "#lib/safe-fetch/follow-redirects.ts";
import type { Services } from "../../context.ts";
import type { RouteConfig } from "../route-config.ts";
import { answerPress } from "./answer-press.ts";
import type { Channel, ChannelPerson, Press } from "./answer-press.ts";
import { answerReply } from "./answer-reply.ts";
import { hearSlack } from "./hear-slack.ts";
import { personOf, readJson } from "./read-call.ts";
import { readSlackText } from "./slack-text.ts";
import type { VendorCall, VendorReply } from "./vendor-call.ts";

/** Slack waits three seconds for the response to its call, and a `trigger_id` lives as long. */
const TIMEOUT_MS = 2_000;
const MAX_BYTES = 64 * 1024;
const MAX = { label: 140, text: 3_000 } as const;
/** The ids of the modal's input. */
const INPUT = { block: "answer", action: "text" } as const;

const user = z.object({ id: z.string(), name: z.string().optional(), username: z.string().optional() });
const blockActions = z.object({
  type: z.literal("block_actions"),
  user,
  trigger_id: z.string(),
  channel: z.object({ id: z.string() }).optional(),
  actions: z.array(z.object({ value: z.string().optional() })).min(1),
});
const viewSubmission = z.object({
  type: z.literal("view_submission"),
  user,
  view: z.object({
    private_metadata: z.string(),
    state: z.object({
      values: z.record(z.string(), z.record(z.string(), z.object({ value: z.string().nullish() }))),
    }),
  }),
});
/** https://docs.slack.dev/reference/interaction-payloads; others are accepted and ignored. */
const interaction = z.union([blockActions, viewSubmission, z.object({ type: z.string() }).transform(() => null)]);
const written = z.object({
  type: z.literal("message"),
  channel: z.string(),
  ts: z.string(),
  user: z.string(),
  text: z.string(),
  thread_ts: z.string(),
  // What a bot wrote, and what is no new message, is nobody's answer.
  bot_id: z.undefined().optional(),
  subtype: z.literal("thread_broadcast").optional(),
});
/** https://docs.slack.dev/apis/events-api; others are accepted and ignored. */
const event = z.union([
  z.object({ type: z.literal("url_verification"), challenge: z.string().max(1_000) }),
  z.object({ type: z.literal("event_callback"), event: written }),
  z.object({ type: z.string() }).transform(() => null),
]);
const accepted = z.looseObject({ ok: z.literal(true) });
/** https://docs.slack.dev/reference/methods/users.info */
const userInfo = z.object({
  user: z.object({
    name: z.string().optional(),
    real_name: z.string().optional(),
    profile: z.object({ display_name: z.string().optional() }).optional(),
  }),
});
const secrets = z.object({ signing_secret: z.string().min(1) });

/** Whether Slack signed a call with the secret of a route. */
export function isFromSlack(config: RouteConfig, { body, header, now }: VendorCall): boolean {
  const { data } = secrets.safeParse(config);
  const [timestamp, signature] = [header("x-slack-request-timestamp"), header("x-slack-signature")];
  return data !== undefined && isSignedBySlack(data.signing_secret, { body, timestamp, signature, now });
}

/**
 * Answers a press, the modal or the reply in which somebody wrote an answer, or Slack's check of the URL for events; or
 * hears what somebody writes to an agent.
 */
export async function answerSlack(services: Services, channel: Channel, { body }: VendorCall): Promise<VendorReply> {
  const text = body.toString();
  // Slack sends interactions as a form, and events as JSON.
  if (!text.startsWith("{")) {
    const call = readJson(interaction, new URLSearchParams(text).get("payload") ?? "");
    return answerInteraction(services, channel, call);
  }
  const answered = await answerEvent(services, channel, readJson(event, text));
  if (answered !== undefined) return answered.reply;
  if (channel.route.kind === "agent") await hearSlack(services, channel, text);
  return undefined;
}

/** Slack's check, or a reply to a message that asks for a text; undefined for anything else. */
async function answerEvent(
  services: Services,
  channel: Channel,
  call: z.output<typeof event>,
): Promise<{ readonly reply: VendorReply } | undefined> {
  if (call === null) return undefined;
  if ("challenge" in call) return { reply: { challenge: call.challenge } };
  const { channel: place, thread_ts: thread, ts, user: id, text } = call.event;
  if (thread === ts) return undefined;
  const written = {
    key: `${place}:${thread}`,
    text: readSlackText(text),
    person: () => readPerson(services, channel, id),
  };
  const outcome = await answerReply(services, channel, written);
  if (outcome === undefined) return undefined;
  if (outcome.kind === "refused") {
    const notice = { channel: place, user: id, thread_ts: thread, text: escapeSlack(outcome.text) };
    await send(services, channel, "chat.postEphemeral", notice);
  }
  return { reply: undefined };
}

async function answerInteraction(
  services: Services,
  channel: Channel,
  call: z.output<typeof interaction>,
): Promise<VendorReply> {
  if (call === null) return undefined;
  const { id, name, username } = call.user;
  const person = personOf(id, [name, username]);
  if (call.type === "view_submission") return submit(services, channel, { ...call.view, person });
  const pressed = readCode(call.actions[0]?.value ?? "");
  if (pressed === undefined) return undefined;
  const outcome = await answerPress(services, channel, { ...pressed, person });
  if (outcome.kind === "asks") {
    const view = modalOf(outcome.title, codeOf(pressed));
    await send(services, channel, "views.open", { trigger_id: call.trigger_id, view });
  } else if (outcome.kind === "refused" && call.channel !== undefined) {
    const { text } = outcome;
    await send(services, channel, "chat.postEphemeral", {
      channel: call.channel.id,
      user: id,
      text: escapeSlack(text),
    });
  }
  return undefined;
}

async function submit(
  services: Services,
  channel: Channel,
  {
    private_metadata: code,
    state,
    person,
  }: z.output<typeof viewSubmission>["view"] & { readonly person: Press["person"] },
): Promise<VendorReply> {
  const pressed = readCode(code);
  if (pressed === undefined) return undefined;
  const text = state.values[INPUT.block]?.[INPUT.action]?.value ?? "";
  const outcome = await answerPress(services, channel, { ...pressed, person, text });
  if (outcome.kind !== "refused") return { response_action: "clear" };
  return { response_action: "errors", errors: { [INPUT.block]: outcome.text } };
}

/** https://docs.slack.dev/reference/views/modal-views */
function modalOf(title: string, code: string) {
  return {
    type: "modal",
    private_metadata: code,
    title: plainText("Your answer"),
    submit: plainText("Answer"),
    close: plainText("Cancel"),
    blocks: [
      {
        type: "input",
        block_id: INPUT.block,
        label: plainText(title.length > MAX.label ? `${title.slice(0, MAX.label).toWellFormed()}…` : title),
        element: { type: "plain_text_input", action_id: INPUT.action, multiline: true, max_length: MAX.text },
      },
    ],
  };
}

/** A person under the name that Slack shows; under the id without the bot's scope `users:read`. */
async function readPerson(services: Services, channel: Channel, id: string): Promise<ChannelPerson> {
  const type = "application/x-www-form-urlencoded";
  const reply = await call(services, channel, { method: "users.info", type, body: `user=${encodeURIComponent(id)}` });
  const { name, real_name, profile } = userInfo.safeParse(reply).data?.user ?? {};
  return personOf(id, [profile?.display_name, real_name, name]);
}

/** Sends what only the person sees. @throws AppError `unavailable`: the person sees that it failed */
async function send(services: Services, channel: Channel, method: string, message: object): Promise<void> {
  const request = { method, type: "application/json; charset=utf-8", body: JSON.stringify(message) };
  if ((await call(services, channel, request)) === undefined)
    throw new AppError("unavailable", `Slack did not accept ${method}.`);
}

/** Calls a method of Slack (https://docs.slack.dev/apis/web-api); undefined when Slack rejects it, or is away. */
async function call(
  { slack }: Services,
  { route }: Channel,
  { method, type, body }: { readonly method: string; readonly type: string; readonly body: string },
): Promise<unknown> {
  const { bot_token: token } = z.object({ bot_token: z.string().default("") }).parse(route.config);
  try {
    const response = await fetchWhole(slack.fetch, `${slack.base}/api/${method}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": type },
      body,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
    return accepted.safeParse(JSON.parse(new TextDecoder().decode(response.body))).data;
  } catch (error) {
    if (error instanceof FetchFailedError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function plainText(text: string) {
  return { type: "plain_text", text, emoji: false };
}
