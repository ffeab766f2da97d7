import { z } from "zod";
import { ROLES } from "#domain/access/role.ts";
import type { Role } from "#domain/access/role.ts";
import { signJwt, verifyJwt } from "#lib/security/jwt.ts";

/** The lifetime of an access token, in seconds. */
export const ACCESS_SECONDS = 3_600;
/** The purpose of the derived key: no other secret of the instance is derived for it. */
export const ACCESS_KEY_PURPOSE = "access-token";

const ISSUER = "muster";
/** The audience of the token: other tokens signed by this instance are rejected. */
const AUDIENCE = "muster:api";

const claimsShape = z.strictObject({
  iss: z.literal(ISSUER),
  aud: z.literal(AUDIENCE),
  sub: z.uuid(),
  workspace_id: z.uuid(),
  role: z.enum(ROLES),
  sid: z.uuid(),
  iat: z.int(),
  exp: z.int(),
});

/** The claims of an access token. */
export interface AccessClaims {
  readonly userId: string;
  readonly workspaceId: string;
  /** The role when the token was issued, for information only. Authorization uses the member's current role. */
  readonly role: Role;
  readonly sessionId: string;
}

/** Issues an access token, valid for {@link ACCESS_SECONDS} from `now` (milliseconds). */
export function signAccessToken(claims: AccessClaims, key: Buffer, now: number): string {
  const iat = Math.floor(now / 1_000);
  const { userId, workspaceId, role, sessionId } = claims;
  const payload: z.input<typeof claimsShape> = {
    iss: ISSUER,
    aud: AUDIENCE,
    sub: userId,
    workspace_id: workspaceId,
    role,
    sid: sessionId,
    iat,
    exp: iat + ACCESS_SECONDS,
  };
  return signJwt(payload, key);
}

/**
 * Reads the claims of an access token that one of these keys has signed; undefined when it is invalid or has expired at
 * `now` (milliseconds).
 */
export function readAccessToken(token: string, keys: readonly Buffer[], now: number): AccessClaims | undefined {
  const payload = keys.map((key) => verifyJwt(token, key)).find((verified) => verified !== undefined);
  const { data: claims } = claimsShape.safeParse(payload);
  if (claims === undefined || claims.exp * 1_000 <= now) return undefined;
  return { userId: claims.sub, workspaceId: claims.workspace_id, role: claims.role, sessionId: claims.sid };
}
