import { AppError } from "../errors.ts";
import type { KeyScope } from "./api-key.ts";
import type { Tenant } from "./role.ts";

/**
 * The caller: the workspace, the person of the credential, and the rights of both together. The role is the person's in
 * that workspace, or `viewer` for a key without the `write` scope.
 */
export interface Principal extends Tenant {
  readonly userId: string;
  /** The API key in use; null for a signed-in person. */
  readonly keyId: string | null;
  /** Whether the key is that of an app that the person has connected: it stands for the person. */
  readonly isApp?: boolean;
  /** The session of a signed-in person. */
  readonly sessionId?: string;
  readonly scopes: readonly KeyScope[];
  /** When the key expires, in ISO 8601, if that is soon. */
  readonly keyExpiresAt?: string;
  /** Whether a signed-in viewer may answer questions; members always may. */
  readonly canAnswer?: boolean;
  /** The protocol of the request, if created records are marked with it. */
  readonly protocol?: "a2a" | "mcp";
  /** The page of an agent, for its visitors: they are no users, and the page's id stands for theirs. */
  readonly pageId?: string;
  /** The route of a message that somebody wrote in a channel. */
  readonly channelRouteId?: string;
}

/** What a request with a limited key is told, when it asks for anything else. */
export const BEYOND_REACH =
  "This key is limited to certain agents and teams: it gives access to them and their runs only.";

/** Checks that the caller is not limited to agents and teams. @throws AppError `forbidden`. */
export function requireWholeWorkspace({ reach }: Pick<Principal, "reach">): void {
  if (reach !== undefined) throw new AppError("forbidden", BEYOND_REACH);
}

/** Checks that the caller's key has a scope; a signed-in person has all. @throws AppError `forbidden`. */
export function requireScope({ scopes }: Pick<Principal, "scopes">, needed: KeyScope): void {
  if (!scopes.includes(needed)) throw new AppError("forbidden", `This key has no ${needed} scope.`);
}
