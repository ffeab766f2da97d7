import type { Principal } from "#domain/access/principal.ts";
import { SAID } from "#domain/people/channel-message.ts";
import type { ChannelFile, ChannelPlace } from "#domain/people/channel-message.ts";
import {
  findConversationOf,
  findLastConversation,
  findRoutesOfChannel,
  storeMessage,
} from "#db/queries/destinations/channel-messages.ts";
import type { MessageOutcome } from "#db/queries/destinations/channel-messages.ts";
import { newId } from "#lib/ids.ts";
import type { Services } from "../../context.ts";
import { bindWorkspace } from "../../workspace.ts";
import type { Channel, ChannelPerson } from "./answer-press.ts";
import type { OpenRoute } from "./open-route.ts";

/** A message that somebody wrote to an agent. */
export interface WrittenMessage {
  /** The vendor's ids of the message, the same in each call about it. */
  readonly key: string;
  readonly place: ChannelPlace;
  readonly person: ChannelPerson;
  readonly text: string;
  readonly files: readonly ChannelFile[];
  /** What the message belongs to. */
  readonly belongs: Belonging;
  /** Whether an empty list allows the person; in the one chat of a route it allows everybody. */
  readonly isLocal: boolean;
  /** Said instead of a run. */
  readonly says?: "started" | "begun" | "empty";
}

/**
 * The conversation of a message: that of a thread, by its name; that of the message to which it replies, or a new one; or
 * the newest of its channel, unless it begins another.
 */
export type Belonging =
  | { readonly thread: string }
  | { readonly replyTo: string | undefined; readonly begins: string }
  | { readonly newestOr: string };

/**
 * Stores a message for the agent of a route, with the delivery that answers it, in one transaction; a message that the
 * vendor sends again is ignored.
 */
export async function receiveMessage(services: Services, channel: Channel, message: WrittenMessage): Promise<void> {
  const route = await routeOf(services, channel, message.place.channel);
  if (route === undefined) return;
  const { id: routeId, workspaceId, allowedUserIds: allowed } = route;
  const { key, place, person, text, files, says } = message;
  const isLocal = message.isLocal || route.config["chat_id"] !== undefined;
  const isAllowed = allowed.length > 0 ? allowed.includes(person.id) : isLocal;
  const conversation = await conversationOf(services, route, message);
  const isCommand = says !== undefined || !route.isActive;
  const stored = { id: newId(), workspaceId, routeId, key, place, conversation, person, text, files };
  await bindWorkspace(services, writerOf(route)).transaction((tx) =>
    storeMessage(tx, { ...stored, isAllowed, isCommand }, (outcome) => sayOf(outcome, route, says)),
  );
}

/** Who runs what people write in a channel: the route's creator, as a member. */
export function writerOf({ principal, id }: Pick<OpenRoute, "principal" | "id">): Principal {
  return { ...principal, role: "member", keyId: null, scopes: ["read", "write"], channelRouteId: id };
}

/**
 * The route for a channel: one that is for it alone, else the called one if it is for all. An app has one URL for all
 * its channels; the other route must accept the call as well.
 */
async function routeOf({ db }: Services, { vendor: type, route, otherRoute }: Channel, channel: string) {
  const { workspaceId } = route;
  const ids = await findRoutesOfChannel(db, { workspaceId, type, channel });
  for (const id of ids) {
    const other = id === route.id ? route : await otherRoute(id);
    if (other !== undefined) return other;
  }
  return isForOne(route) ? undefined : route;
}

/** Whether a route is for one channel. */
function isForOne({ config }: OpenRoute): boolean {
  return config["channel_id"] !== undefined || config["chat_id"] !== undefined;
}

async function conversationOf(
  { db }: Services,
  { id }: OpenRoute,
  { belongs, place }: WrittenMessage,
): Promise<string> {
  const named = (thread: string) => `channel:${id}:${place.channel}:${thread}`;
  if ("thread" in belongs) return named(belongs.thread);
  if ("newestOr" in belongs) return (await findLastConversation(db, id, place)) ?? named(belongs.newestOr);
  const { replyTo, begins } = belongs;
  const known = replyTo === undefined ? undefined : await findConversationOf(db, id, `${place.channel}:${replyTo}`);
  return known ?? named(begins);
}

function sayOf(outcome: MessageOutcome, { isActive, agentName }: OpenRoute, says: WrittenMessage["says"]): string {
  if (outcome === "refused") return SAID.refused;
  if (outcome === "limited") return SAID.limited;
  if (outcome !== "told") return "";
  if (!isActive) return SAID.paused;
  return says === "started" ? SAID.started(agentName ?? "an agent") : SAID[says ?? "empty"];
}
