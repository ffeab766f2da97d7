import type { KeyKind, KeyScope } from "./api-key.ts";

/** Who acts: the workspace, the person behind the credential, and what the credential allows. */
export interface Principal {
  readonly workspaceId: string;
  readonly userId: string;
  readonly keyId: string;
  readonly kind: KeyKind;
  readonly scopes: readonly KeyScope[];
}
