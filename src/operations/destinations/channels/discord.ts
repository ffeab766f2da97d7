import { z } from "zod";
import { codeOf, readCode } from "#domain/people/question-button.ts";
import { isSignedByDiscord } from "#domain/people/vendor-signature.ts";
import type { Services } from "../../context.ts";
import type { RouteConfig } from "../route-config.ts";
import { answerPress } from "./answer-press.ts";
import type { Channel, PressOutcome } from "./answer-press.ts";
import { personOf, readJson } from "./read-call.ts";
import type { VendorCall, VendorReply } from "./vendor-call.ts";

/** https://discord.com/developers/docs/interactions/receiving-and-responding */
const CALL = { ping: 1, component: 3, modal: 5 } as const;
const REPLY = { pong: 1, message: 4, accepted: 6, modal: 9 } as const;
/** Only the person sees it. */
const EPHEMERAL = 64;
/** https://discord.com/developers/docs/components/reference#label and #text-input */
const COMPONENT = { label: 18, textInput: 4, paragraph: 2 } as const;
const MAX = { label: 45, text: 4_000 } as const;
const INPUT = "text";

const user = z.object({ id: z.string(), username: z.string().optional(), global_name: z.string().nullish() });
const interaction = z.object({
  type: z.int(),
  user: user.optional(),
  member: z.object({ user, nick: z.string().nullish() }).optional(),
  data: z
    .object({
      custom_id: z.string().optional(),
      components: z
        .array(z.object({ component: z.object({ custom_id: z.string(), value: z.string().optional() }).optional() }))
        .optional(),
    })
    .optional(),
});
const secrets = z.object({ public_key: z.string().min(1) });

/** Whether Discord signed a call for the application of a route. */
export function isFromDiscord(config: RouteConfig, { body, header, now }: VendorCall): boolean {
  const { data } = secrets.safeParse(config);
  const [timestamp, signature] = [header("x-signature-timestamp"), header("x-signature-ed25519")];
  return data !== undefined && isSignedByDiscord(data.public_key, { body, timestamp, signature, now });
}

/** Answers a press, the modal in which somebody wrote an answer, or Discord's check of the URL. */
export async function answerDiscord(services: Services, channel: Channel, { body }: VendorCall): Promise<VendorReply> {
  const { type, data, member, user: direct } = readJson(interaction, body.toString());
  if (type === CALL.ping) return { type: REPLY.pong };
  const by = member?.user ?? direct;
  const pressed = readCode(data?.custom_id ?? "");
  const isAnswer = type === CALL.component || type === CALL.modal;
  if (!isAnswer || by === undefined || pressed === undefined) return told("This is not for Muster.");
  const person = personOf(by.id, [member?.nick, by.global_name, by.username]);
  const text = type === CALL.modal ? textIn(data?.components) : undefined;
  const press = { ...pressed, person, ...(text !== undefined && { text }) };
  return replyOf(await answerPress(services, channel, press), codeOf(pressed));
}

function textIn(components: NonNullable<z.output<typeof interaction>["data"]>["components"]): string {
  return components?.find(({ component }) => component?.custom_id === INPUT)?.component?.value ?? "";
}

function replyOf(outcome: PressOutcome, code: string): VendorReply {
  if (outcome.kind === "asks") return { type: REPLY.modal, data: modalOf(outcome.title, code) };
  return outcome.kind === "accepted" ? { type: REPLY.accepted } : told(outcome.text);
}

function told(content: string) {
  return { type: REPLY.message, data: { content, flags: EPHEMERAL, allowed_mentions: { parse: [] } } };
}

function modalOf(title: string, code: string) {
  const label = title.length > MAX.label ? `${title.slice(0, MAX.label - 1).toWellFormed()}…` : title;
  const input = { type: COMPONENT.textInput, custom_id: INPUT, style: COMPONENT.paragraph, max_length: MAX.text };
  return { custom_id: code, title: "Your answer", components: [{ type: COMPONENT.label, label, component: input }] };
}
