import { createHmac } from "node:crypto";
import { z } from "zod";
import { givenId } from "../given-id.ts";
import { requireOneAssignee, taskTemplate } from "../schedules/schedule.ts";
import { areEqual } from "#lib/security/equal-texts.ts";
import { displayName } from "../display-name.ts";

/** The limit of a card's description; with the note of the card it becomes a task's. */
const MAX_DESCRIPTION = 49_000;
const MAX_TITLE = 200;

const credential = z
  .string()
  .trim()
  .max(2_000)
  .regex(/^[\w-]+$/, "must have letters and digits only")
  .nullable()
  .default(null)
  .meta({ writeOnly: true });

/** The body of POST /console/api/trello-channels. */
export const channelCreate = z
  .strictObject({
    name: displayName(100).trim(),
    secret: z.string().min(1).max(200).describe("The secret of the Trello app, which signs its calls."),
    api_key: credential.describe(
      "With token: reads each card's description, which Trello's calls do not contain. Default: those of the workspace's Trello routes.",
    ),
    token: credential,
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
  .refine(({ api_key: key, token }) => (key === null) === (token === null), {
    path: ["token"],
    error: "api_key and token are given together",
  })
  .describe("A Trello board whose cards become tasks.");

/** A channel to create, validated. */
export type ChannelCreate = z.output<typeof channelCreate>;

/** Fields that a client may send back from a record; they are ignored. */
export const CHANNEL_READ_ONLY = ["id", "workspace_id", "url", "created_by", "created_at"] as const;

/** The row to which the encrypted secret of a channel is bound. */
export function channelSecretContext(workspaceId: string, channelId: string): string {
  return `trello_channels:${workspaceId}:${channelId}`;
}

const ID = z.string().regex(/^[0-9a-zA-Z]{1,64}$/);
const card = z.object({
  id: ID,
  name: z.string().optional(),
  desc: z.string().optional(),
  shortLink: z.string().max(64).optional(),
});
const list = z.object({ id: z.string() });
const call = z.object({
  action: z.object({
    type: z.string(),
    data: z.object({ card: card.optional(), list: list.optional(), listAfter: list.optional() }),
  }),
});

/** A card as Trello's API returns it. */
export const wholeCard = card.extend({ idList: z.string() });

/** The actions that put a new card on a board; all but `createCard` also name another card or board. */
const NEW_CARD: ReadonlySet<string> = new Set([
  "createCard",
  "copyCard",
  "emailCard",
  "moveCardToBoard",
  "convertToCardFromCheckItem",
]);

/** A card that a call names. */
export interface CalledCard extends z.output<typeof card> {
  /** Whether it is in the channel's list; undefined when the call does not say. */
  readonly isInList: boolean | undefined;
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
  const expected = createHmac("sha1", secret).update(body).update(callbackUrl).digest("base64");
  return areEqual(signature, expected);
}

/**
 * Returns the card of a call that may become a task: it is new on the board or in the list. Undefined for all other
 * calls. They seldom have the card's description.
 */
export function calledCard(body: unknown, listId: string | null): CalledCard | undefined {
  const { data } = call.safeParse(body);
  if (data === undefined) return undefined;
  const { type, data: changed } = data.action;
  if (changed.card === undefined) return undefined;
  const isMoved = type === "updateCard" && listId !== null && changed.listAfter !== undefined;
  if (!isMoved && !NEW_CARD.has(type)) return undefined;
  const to = isMoved ? changed.listAfter : changed.list;
  const isInList = listId === null || (to === undefined ? undefined : to.id === listId);
  return isInList === false ? undefined : { ...changed.card, isInList };
}

/** Title and description of a card's task. */
export function describeCard({ name = "", desc = "", shortLink }: z.output<typeof card>) {
  const text = desc.slice(0, MAX_DESCRIPTION).toWellFormed();
  const link = shortLink === undefined ? "" : `Trello card: https://trello.com/c/${shortLink}`;
  return {
    title: Array.from(name.trim() || "Trello card")
      .slice(0, MAX_TITLE)
      .join("")
      .slice(0, MAX_TITLE)
      .toWellFormed(),
    description: [text, link].filter(Boolean).join("\n\n"),
  };
}
