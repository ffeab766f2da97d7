import { notFound, orNotFound } from "#domain/errors.ts";
import { listOwnAgents, listPublishedAgents, readPublishedAgent } from "#db/queries/conversations/a2a/agents.ts";
import { isUuid } from "#lib/ids.ts";
import type { Services } from "../../context.ts";
import type { CardAgent } from "#domain/agents/card-agent.ts";
import type { Workspace } from "../../workspace.ts";

/** The maximum number of agents on one card. */
const MAX_ON_CARD = 500;

/** Lists the agents of the instance that are published to A2A, oldest first. */
export function publishedAgents({ db }: Pick<Services, "db">): Promise<readonly CardAgent[]> {
  return listPublishedAgents(db, MAX_ON_CARD);
}

/** Returns an agent that is published to A2A. @throws AppError `not_found` for any other. */
export async function publishedAgent({ db }: Pick<Services, "db">, id: string): Promise<CardAgent> {
  return orNotFound("Agent")(isUuid(id) ? await readPublishedAgent(db, id) : undefined);
}

/** Lists the agents of the caller's workspace, published or not. */
export function ownAgents(workspace: Workspace): Promise<readonly CardAgent[]> {
  return listOwnAgents(workspace, { limit: MAX_ON_CARD });
}

/** Lists the agents of the caller's workspace that are published to A2A. */
export function ownPublishedAgents(workspace: Workspace): Promise<readonly CardAgent[]> {
  return listOwnAgents(workspace, { onlyPublished: true, limit: MAX_ON_CARD });
}

/** Returns an agent of the caller's workspace, published or not. @throws AppError `not_found`. */
export async function ownAgent(workspace: Workspace, id: string): Promise<CardAgent> {
  const [agent] = isUuid(id) ? await listOwnAgents(workspace, { id, limit: 1 }) : [];
  if (agent === undefined) throw notFound("Agent");
  return agent;
}

/** Returns the only agent of the caller's workspace that is published to A2A; undefined for none or several. */
export async function onlyPublishedAgent(workspace: Workspace): Promise<CardAgent | undefined> {
  const agents = await listOwnAgents(workspace, { onlyPublished: true, limit: 2 });
  return agents.length === 1 ? agents[0] : undefined;
}
