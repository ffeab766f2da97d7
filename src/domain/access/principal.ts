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
  readonly scopes: readonly KeyScope[];
  /** Whether a signed-in viewer may answer questions; members always may. */
  readonly canAnswer?: boolean;
  /** The protocol of the request, if created records are marked with it. */
  readonly protocol?: "a2a" | "mcp";
}

/** Checks that the caller's key has a scope; a signed-in person has all. @throws AppError `forbidden`. */
export function requireScope({ scopes }: Pick<Principal, "scopes">, needed: KeyScope): void {
  if (!scopes.includes(needed)) throw new AppError("forbidden", `This key has no ${needed} scope.`);
}
