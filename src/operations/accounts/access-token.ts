import { z } from "zod";
import { ROLES } from "#domain/access/role.ts";
import type { Role } from "#domain/access/role.ts";
import { signJwt, verifyJwt } from "#lib/security/jwt.ts";

/** How long an access token is good, in seconds. */
export const ACCESS_SECONDS = 3_600;
/** What the key is derived for: no other secret of the instance is made with it. */
export const ACCESS_KEY_PURPOSE = "access-token";

const ISSUER = "muster";
/** What the token is for: anything else that this instance may ever sign is rejected as one. */
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

/** Whose an access token is. */
export interface AccessClaims {
  readonly userId: string;
  readonly workspaceId: string;
  /** The role when the token was made: for the client to read. What counts is the member's role now. */
  readonly role: Role;
  readonly sessionId: string;
}

/** Makes an access token, good for {@link ACCESS_SECONDS} from `now` (milliseconds). */
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

/** What an access token of this instance says; undefined when it is none, or has expired at `now` (milliseconds). */
export function readAccessToken(token: string, key: Buffer, now: number): AccessClaims | undefined {
  const { data: claims } = claimsShape.safeParse(verifyJwt(token, key));
  if (claims === undefined || claims.exp * 1_000 <= now) return undefined;
  return { userId: claims.sub, workspaceId: claims.workspace_id, role: claims.role, sessionId: claims.sid };
}
