import { openQuestion } from "#domain/tasks/open-question.ts";
import { findPostedMessages } from "#db/queries/destinations/posted-questions.ts";
import type { Services } from "../../context.ts";
import { answerPress } from "./answer-press.ts";
import type { Channel, ChannelPerson, PressOutcome } from "./answer-press.ts";

/** A text that somebody wrote below a message. */
export interface Reply {
  /** The message's key, see `PostedMessage`. */
  readonly key: string;
  readonly text: string;
  /** Called for an answer only: the vendor may have to be asked who wrote it. */
  readonly person: () => ChannelPerson | Promise<ChannelPerson>;
}

/** Takes a reply to a message that asks for a text as its answer; undefined for what else people write. */
export async function answerReply(
  services: Services,
  channel: Channel,
  { key, text, person }: Reply,
): Promise<PressOutcome | undefined> {
  const { route } = channel;
  const found = await findPostedMessages(services.db, route.workspaceId, key);
  // Chats with two bots may have messages with the same ids.
  const question = found.find(({ routeId }) => routeId === route.id) ?? found[0];
  if (question === undefined || question.isTest || !asksForText(question.request)) return undefined;
  return answerPress(services, channel, { deliveryId: question.id, action: "text", text, person: await person() });
}

function asksForText(request: unknown): boolean {
  const { data } = openQuestion.safeParse(request);
  return data?.interactionType === "text_input" && data.wizard === undefined;
}
