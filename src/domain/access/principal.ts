import type { KeyScope } from "./api-key.ts";
import type { Tenant } from "./role.ts";

/**
 * Who acts: the workspace, the person behind the credential, and what both allow together. The
 * role is the person's in that workspace, or `viewer` behind a key without the `write` scope.
 */
export interface Principal extends Tenant {
  readonly userId: string;
  /** The API key that was used; null for a person who is signed in. */
  readonly keyId: string | null;
  readonly scopes: readonly KeyScope[];
  /** Whether a viewer who is signed in may answer questions; members may anyway. */
  readonly canAnswer?: boolean;
  /** The protocol by which the request came, where what it creates is told apart by that. */
  readonly protocol?: "a2a" | "mcp";
}
