import { z } from "zod";
import { signJwt, verifyJwt } from "#lib/security/jwt.ts";

/** The lifetime of a stream token, in seconds. */
export const STREAM_TOKEN_SECONDS = 900;
/** The purpose of the derived key that signs stream tokens. */
export const STREAM_TOKEN_PURPOSE = "stream-token";

const ISSUER = "muster";
const AUDIENCE = "muster:stream";

const conversation = z.strictObject({
  agent_id: z.uuid(),
  thread_id: z.string(),
  /** Whether messages may be sent; otherwise the thread is a task that is only followed and answered. */
  sends: z.boolean(),
});
const teamRun = z.strictObject({ run_id: z.uuid() });

const claimsShape = z.strictObject({
  iss: z.literal(ISSUER),
  aud: z.literal(AUDIENCE),
  /** The key that made it. */
  key: z.uuid(),
  reach: z.union([conversation, teamRun]),
  iat: z.int(),
  exp: z.int(),
});

/** What a stream token gives access to: one conversation with an agent, or one team run. */
export type StreamReach = z.output<typeof claimsShape>["reach"];

/** A stream token that was signed here. */
export interface StreamToken {
  /** The id of the key that made it; the token has no right that the key lacks. */
  readonly keyId: string;
  readonly reach: StreamReach;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Makes a token, valid for {@link STREAM_TOKEN_SECONDS} from `now` (milliseconds). */
export function signStreamToken(keyId: string, reach: StreamReach, { key, now }: { key: Buffer; now: number }): string {
  const iat = Math.floor(now / 1_000);
  const exp = iat + STREAM_TOKEN_SECONDS;
  return signJwt({ iss: ISSUER, aud: AUDIENCE, key: keyId, reach, iat, exp }, key);
}

/** Reads a token that one of these keys has signed, expired or not; undefined for any other text. */
export function readStreamToken(text: string, keys: readonly Buffer[]): StreamToken | undefined {
  const payload = keys.map((key) => verifyJwt(text, key)).find((verified) => verified !== undefined);
  const { data: claims } = claimsShape.safeParse(payload);
  return claims && { keyId: claims.key, reach: claims.reach, expiresAt: claims.exp * 1_000 };
}
