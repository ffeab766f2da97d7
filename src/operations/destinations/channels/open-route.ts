import type { RouteKind } from "#domain/destinations/output-route.ts";
import { findCalledRoute } from "#db/queries/destinations/posted-questions.ts";
import type { RouteMember } from "#db/queries/destinations/output-routes.ts";
import type { Services } from "../../context.ts";
import { openConfig } from "../route-config.ts";
import type { RouteConfig } from "../route-config.ts";

/** A route of kind people or agent, with its secrets. */
export interface OpenRoute {
  readonly id: string;
  readonly workspaceId: string;
  readonly kind: RouteKind;
  readonly type: string;
  readonly isActive: boolean;
  /** Kind agent: the agent; null when it was deleted. */
  readonly agentId: string | null;
  readonly agentName: string | null;
  readonly config: RouteConfig;
  /** Empty: everybody in the channel. */
  readonly allowedUserIds: readonly string[];
  /** The members in the channel who may answer questions, with their ids at the vendor. */
  readonly members: readonly RouteMember[];
  /** Its creator, or an owner of the workspace. */
  readonly principal: { readonly workspaceId: string; readonly userId: string };
}

/** Opens a route of kind people or agent; undefined when there is none. */
export async function openCalledRoute(
  { db, secrets }: Pick<Services, "db" | "secrets">,
  id: string,
): Promise<OpenRoute | undefined> {
  const found = await findCalledRoute(db, id);
  if (found === undefined || found.userId === null) return undefined;
  const { workspaceId, config, secretsCiphertext, userId, ...route } = found;
  const stored = { workspace_id: workspaceId, id, config, secrets_ciphertext: secretsCiphertext };
  return { ...route, workspaceId, config: openConfig(secrets, stored), principal: { workspaceId, userId } };
}
