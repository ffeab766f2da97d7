import { z } from "zod";
import { channelSecretContext, wholeCard } from "#domain/destinations/trello-channel.ts";
import { trelloRoutes } from "#db/queries/destinations/trello-channels.ts";
import type { OpenChannel } from "#db/queries/destinations/trello-channels.ts";
import { fetchWhole } from "#lib/safe-fetch/fetch-whole.ts";
import { FetchFailedError } from "#lib/safe-fetch/follow-redirects.ts";
import type { Services } from "../context.ts";
import { openConfig } from "./route-config.ts";
import type { VendorHttp } from "../ports.ts";

/** Trello waits for the response to its call. */
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 256 * 1024;

const credentials = z.object({ api_key: z.string(), token: z.string() });
type Credentials = z.output<typeof credentials>;

/**
 * Reads a card with the credentials of its channel, or those of the workspace's Trello routes; undefined when there are
 * none, or Trello does not show it. Its calls do not contain a card's description.
 */
export async function readCard(
  services: Pick<Services, "db" | "secrets" | "trello">,
  channel: OpenChannel,
  cardId: string,
): Promise<z.output<typeof wholeCard> | undefined> {
  for (const one of await credentialsOf(services, channel)) {
    const card = await fetchCard(services.trello, one, cardId);
    if (card !== undefined) return card;
  }
  return undefined;
}

async function credentialsOf(
  { db, secrets }: Pick<Services, "db" | "secrets">,
  { id, workspaceId, credentialsCiphertext: encrypted }: OpenChannel,
): Promise<readonly Credentials[]> {
  if (encrypted !== null) {
    const own = secrets.open(encrypted, channelSecretContext(workspaceId, id));
    return [credentials.parse(JSON.parse(own))];
  }
  const routes = await trelloRoutes(db, workspaceId);
  return routes.map((route) => credentials.parse(openConfig(secrets, route)));
}

/** https://developer.atlassian.com/cloud/trello/rest/api-group-cards/#api-cards-id-get */
async function fetchCard({ base, fetch }: VendorHttp, { api_key: key, token }: Credentials, cardId: string) {
  const url = `${base}/1/cards/${encodeURIComponent(cardId)}?fields=name,desc,shortLink,idList`;
  const authorization = `OAuth oauth_consumer_key="${key}", oauth_token="${token}"`;
  try {
    const request = { headers: { authorization }, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES };
    const { ok, body } = await fetchWhole(fetch, url, request);
    return ok ? wholeCard.safeParse(JSON.parse(new TextDecoder().decode(body))).data : undefined;
  } catch (error) {
    if (error instanceof FetchFailedError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
