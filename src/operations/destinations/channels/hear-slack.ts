import { z } from "zod";
import type { ChannelFile } from "#domain/people/channel-message.ts";
import type { Services } from "../../context.ts";
import type { Channel } from "./answer-press.ts";
import { personOf, readJson } from "./read-call.ts";
import { receiveMessage } from "./receive-message.ts";
import { readSlackText } from "./slack-text.ts";

/** Messages of people have no subtype, or one of these (https://docs.slack.dev/reference/events/message). */
const SUBTYPES: ReadonlySet<string | undefined> = new Set([undefined, "file_share", "thread_broadcast"]);

const file = z.object({
  id: z.string(),
  name: z.string().nullish(),
  mimetype: z.string().nullish(),
  size: z.int().nullish(),
  url_private_download: z.string().nullish(),
  url_private: z.string().nullish(),
});
const message = z.object({
  type: z.enum(["app_mention", "message"]),
  subtype: z.string().optional(),
  channel: z.string(),
  channel_type: z.string().optional(),
  user: z.string().optional(),
  bot_id: z.string().nullish(),
  text: z.string().nullish(),
  ts: z.string(),
  thread_ts: z.string().optional(),
  files: z.array(file).nullish(),
  /** The workspace of a person who is a guest by a shared channel. */
  user_team: z.string().nullish(),
  source_team: z.string().nullish(),
  team: z.string().nullish(),
});
/** https://docs.slack.dev/apis/events-api/#events-JSON; other events are accepted and ignored. */
const call = z.union([
  z.object({
    type: z.literal("event_callback"),
    team_id: z.string().nullish(),
    authorizations: z.array(z.object({ user_id: z.string().nullish(), team_id: z.string().nullish() })).nullish(),
    event: z.union([message, z.looseObject({ type: z.string() }).transform(() => undefined)]),
  }),
  z.looseObject({ type: z.string() }).transform(() => undefined),
]);

type Message = z.output<typeof message>;

/** Takes a message for an agent: one that mentions the app, or a direct one. */
export async function hearSlack(services: Services, channel: Channel, body: string): Promise<void> {
  const called = readJson(call, body);
  const { event, authorizations, team_id: team } = called ?? {};
  if (event === undefined || !isForAgent(event)) return;
  const { channel: id, user = "", ts, thread_ts: thread = ts } = event;
  const [own] = authorizations ?? [];
  if (user === own?.user_id) return;
  const files = filesOf(event);
  const text = readSlackText(event.text ?? "", own?.user_id ?? undefined);
  const home = own?.team_id ?? team;
  await receiveMessage(services, channel, {
    key: `${id}:${ts}`,
    place: { channel: id, thread },
    person: personOf(user, []),
    text,
    files,
    belongs: { thread },
    isLocal: [event.user_team, event.source_team, event.team].every((team) => team == null || team === home),
    ...(text === "" && files.length === 0 && { says: "empty" as const }),
  });
}

/** In a channel the app hears what mentions it; messages of bots and changes of messages are none. */
function isForAgent({ type, subtype, channel_type: kind, bot_id: bot, user }: Message): boolean {
  const isDirect = type === "message" && kind === "im";
  return (type === "app_mention" || isDirect) && bot == null && user !== undefined && SUBTYPES.has(subtype);
}

function filesOf({ files }: Message): readonly ChannelFile[] {
  return (files ?? []).flatMap((one) => {
    const at = one.url_private_download ?? one.url_private;
    if (at == null) return [];
    return [{ at, name: one.name ?? one.id, type: one.mimetype ?? "", size: one.size ?? 0 }];
  });
}
