import {
  calledCard,
  channelSecretContext,
  describeCard,
  isSignedByTrello,
} from "#domain/destinations/trello-channel.ts";
import type { CalledCard, ChannelCreate } from "#domain/destinations/trello-channel.ts";
import { AppError, notFound, orNotFound } from "#domain/errors.ts";
import { serviceIn } from "#domain/access/role.ts";
import { readRecord } from "#db/queries/tasks/read-record.ts";
import * as rows from "#db/queries/destinations/trello-channels.ts";
import type { OpenChannel } from "#db/queries/destinations/trello-channels.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import { JsonSyntaxError, parseJson } from "#lib/text/parse-json.ts";
import type { Services } from "../context.ts";
import { insertDispatched } from "../tasks/insert-dispatched.ts";
import { readCard } from "./trello-card.ts";
import { changeWorkspace } from "../change-workspace.ts";
import type { Workspace } from "../workspace.ts";

const found = orNotFound("Trello channel");

/** Creates a channel. @throws AppError `bad_request` for an unknown agent or team. */
export async function createChannel(workspace: Workspace, input: ChannelCreate): Promise<JsonText> {
  const id = newId();
  const { workspaceId, userId } = workspace.who;
  const { secret, api_key, token, ...fields } = input;
  const encrypt = (text: string) => workspace.secrets.encrypt(text, channelSecretContext(workspaceId, id));
  return workspace.transaction(async (tx) => {
    await rows.insertChannel(tx, {
      ...fields,
      id,
      workspace_id: workspaceId,
      created_by: userId,
      secret_ciphertext: encrypt(secret),
      credentials_ciphertext: api_key === null ? null : encrypt(JSON.stringify({ api_key, token })),
    });
    return found(await readRecord(tx, "trello_channel", id));
  });
}

/** Reads a channel. @throws AppError `not_found`. */
export async function getChannel(workspace: Workspace, id: string): Promise<JsonText> {
  return found(await readRecord(workspace, "trello_channel", id));
}

/** Deletes a channel; its tasks remain. @throws AppError `not_found`. */
export async function deleteChannel(workspace: Workspace, id: string): Promise<void> {
  if (!(await workspace.transaction((tx) => rows.deleteChannel(tx, id)))) throw notFound("Trello channel");
}

/** Finds the active channel of a call. @throws AppError `not_found`. */
export async function openChannel({ db }: Pick<Services, "db">, id: string): Promise<OpenChannel> {
  return found(await rows.findChannel(db, id));
}

/** A webhook call from Trello. */
export interface TrelloCall {
  readonly body: Uint8Array;
  /** The callback URL registered at Trello. */
  readonly callbackUrl: string;
  /** The header `x-trello-webhook`. */
  readonly signature: string;
}

/**
 * Returns the card of a call that may create a task; undefined for other calls, which are accepted and ignored.
 * @throws AppError `unauthorized` for a wrong signature; `bad_request` for a body that is not JSON.
 */
export function readCall({ secrets }: Services, channel: OpenChannel, call: TrelloCall): CalledCard | undefined {
  const secret = secrets.open(channel.secretCiphertext, channelSecretContext(channel.workspaceId, channel.id));
  if (!isSignedByTrello(secret, call)) throw new AppError("unauthorized", "The signature x-trello-webhook is wrong.");
  return calledCard(jsonOf(call.body), channel.listId);
}

/** Creates a task from a card in the channel's list, once per card. */
export async function createCardTask(services: Services, channel: OpenChannel, called: CalledCard): Promise<void> {
  const { workspaceId } = channel;
  const { id: cardId, isInList } = called;
  if (await rows.isCardMapped(services.db, channel.id, cardId)) return;
  const whole = await readCard(services, channel, cardId);
  if (isInList === undefined && whole?.idList !== channel.listId) return;
  const { title, description } = describeCard({ ...called, ...whole });
  const taskId = newId();
  await changeWorkspace(services, serviceIn(workspaceId), async (tx) => {
    const mapping = { id: newId(), workspaceId, channelId: channel.id, cardId, taskId };
    if (!(await rows.mapCard(tx, mapping))) return;
    const author = { workspaceId, userId: channel.createdBy };
    const metadata = JSON.stringify({ trello_card_id: cardId });
    await insertDispatched(tx, author, {
      ...channel,
      id: taskId,
      title,
      description,
      metadata,
      scheduledFor: null,
      source: { kind: "trigger", id: channel.id },
    });
  });
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (error) {
    const reason = error instanceof JsonSyntaxError ? error.message : "it is not UTF-8";
    throw new AppError("bad_request", `The body must be JSON: ${reason}.`);
  }
}
