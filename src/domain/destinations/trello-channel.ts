import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { givenId } from "../given-id.ts";
import { requireOneAssignee, taskTemplate } from "../schedules/schedule.ts";

/** The limit of a card's description; with the note of the card it becomes a task's. */
const MAX_DESCRIPTION = 49_000;
const MAX_TITLE = 200;

/** The body of POST /console/api/trello-channels. */
export const channelCreate = z
  .strictObject({
    name: z.string().trim().min(1).max(100),
    secret: z.string().min(1).max(200).describe("The secret of the Trello app, which signs its calls."),
    list_id: z
      .string()
      .regex(/^[0-9a-zA-Z]{1,64}$/, "must be the id of a list")
      .nullable()
      .default(null)
      .describe("Only cards that are created in this list or moved to it; null: all new cards of the board."),
    is_active: z.boolean().default(true),
    assigned_agent_id: givenId.nullish().describe("The agent of the tasks; set either an agent or a team."),
    assigned_team_id: givenId.nullish().describe("The team of the tasks."),
    priority: taskTemplate.priority.default("medium"),
  })
  .superRefine(requireOneAssignee)
  .describe("A Trello board whose cards become tasks.");

/** A channel to create, validated. */
export type ChannelCreate = z.output<typeof channelCreate>;

/** Fields that a client may send back from a record; they are ignored. */
export const CHANNEL_READ_ONLY = ["id", "workspace_id", "url", "created_by", "created_at"] as const;

/** The row to which the encrypted secret of a channel is bound. */
export function channelSecretContext(workspaceId: string, channelId: string): string {
  return `trello_channels:${workspaceId}:${channelId}`;
}

const card = z.object({
  id: z.string().regex(/^[0-9a-zA-Z]{1,64}$/),
  name: z.string(),
  desc: z.string().default(""),
  shortLink: z.string().max(64).optional(),
});
const list = z.object({ id: z.string() });
const call = z.object({
  action: z.object({
    type: z.string(),
    data: z.object({ card: card.optional(), list: list.optional(), listAfter: list.optional() }),
  }),
});

/** A card that becomes a task. */
export interface TaskCard {
  readonly cardId: string;
  readonly title: string;
  readonly description: string;
}

/**
 * True if a call is signed: `x-trello-webhook` is the Base64 of HMAC-SHA1 over the body and the callback URL
 * (https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/). Compares in constant time.
 */
export function isSignedByTrello(
  secret: string,
  {
    body,
    callbackUrl,
    signature,
  }: { readonly body: Uint8Array; readonly callbackUrl: string; readonly signature: string },
): boolean {
  const expected = createHmac("sha1", secret).update(body).update(callbackUrl).digest();
  const given = Buffer.from(signature, "base64");
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/**
 * Returns the card of a call that becomes a task: created in the list, or moved to it. Undefined for all other calls.
 */
export function taskCardOf(body: unknown, listId: string | null): TaskCard | undefined {
  const { data } = call.safeParse(body);
  if (data === undefined) return undefined;
  const { type, data: changed } = data.action;
  const isNew = type === "createCard" && (listId === null || changed.list?.id === listId);
  const isMoved = type === "updateCard" && listId !== null && changed.listAfter?.id === listId;
  if (changed.card === undefined || !(isNew || isMoved)) return undefined;
  const { id, name, desc, shortLink } = changed.card;
  const text = desc.slice(0, MAX_DESCRIPTION).toWellFormed();
  const link = shortLink === undefined ? "" : `Trello card: https://trello.com/c/${shortLink}`;
  return {
    cardId: id,
    title: Array.from(name.trim() || "Trello card")
      .slice(0, MAX_TITLE)
      .join("")
      .slice(0, MAX_TITLE)
      .toWellFormed(),
    description: [text, link].filter(Boolean).join("\n\n"),
  };
}
