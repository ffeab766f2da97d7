import { findPeopleRoute } from "#db/queries/destinations/posted-questions.ts";
import type { RouteMember } from "#db/queries/destinations/output-routes.ts";
import type { Services } from "../../context.ts";
import { openConfig } from "../route-config.ts";
import type { RouteConfig } from "../route-config.ts";

/** An active route of kind people, with its secrets. */
export interface OpenRoute {
  readonly id: string;
  readonly workspaceId: string;
  readonly type: string;
  readonly config: RouteConfig;
  /** Empty: everybody in the channel. */
  readonly allowedUserIds: readonly string[];
  /** The members in the channel, with their ids at the vendor. */
  readonly members: readonly RouteMember[];
  /** Its creator, or an owner of the workspace. */
  readonly principal: { readonly workspaceId: string; readonly userId: string };
}

/** Opens an active route of kind people; undefined when there is none. */
export async function openPeopleRoute(
  { db, secrets }: Pick<Services, "db" | "secrets">,
  id: string,
): Promise<OpenRoute | undefined> {
  const found = await findPeopleRoute(db, id);
  if (found === undefined || found.userId === null) return undefined;
  const { workspaceId, config, secretsCiphertext, userId, ...route } = found;
  const stored = { workspace_id: workspaceId, id, config, secrets_ciphertext: secretsCiphertext };
  return { ...route, workspaceId, config: openConfig(secrets, stored), principal: { workspaceId, userId } };
}
