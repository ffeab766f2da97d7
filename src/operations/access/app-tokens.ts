import { hashKey } from "#domain/access/api-key.ts";
import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import type { Database } from "#db/database.ts";
import { findAppToken } from "#db/queries/access/oauth-records.ts";
import { cachedRead } from "#lib/async/cached-read.ts";
import type { KeyRing } from "../ports.ts";

const MAX_CACHED_TOKENS = 10_000;

/** Who calls with an access token. */
export interface AppCaller {
  readonly principal: Principal;
  /** Checks the app again, not the token: a call that has begun may outlast its token. @throws AppError */
  recheck(): Promise<Principal>;
}

/** Where a token is used. */
export interface TokenUse {
  /** The URL of the endpoint: a token for another one is rejected. */
  readonly audience: string;
  /** The caller's IP address. */
  readonly address: string;
}

/** Resolves access tokens of connected apps. */
export interface AppTokens {
  /**
   * The caller of an access token at an MCP endpoint.
   * @throws AppError `unauthorized` for a token that is unknown, expired or for another URL, or whose app was
   * disconnected; `forbidden` from a network that its key does not admit
   */
  authenticate(token: string, use: TokenUse): Promise<AppCaller>;
}

/** Creates a ring that reads each token once: what ends one before its time is the end of its key. */
export function createAppTokens(db: Database, keys: Pick<KeyRing, "authenticateId">): AppTokens {
  const known = cachedRead(MAX_CACHED_TOKENS, async (hash) => {
    const readAt = Date.now();
    const row = await findAppToken(db, hash);
    return row && { ...row, endsAt: readAt + row.msLeft };
  });
  return {
    async authenticate(token, { audience, address }) {
      const found = await known.read(hashKey(token));
      if (found === undefined) throw rejected("The access token is not valid.");
      if (found.endsAt <= Date.now()) throw rejected("The access token has expired.");
      if (found.audience !== audience) throw rejected("The access token is for another service.");
      const recheck = async () =>
        withScope(await keys.authenticateId(found.keyId, { surface: "mcp", address }), found.scope ?? "");
      return { principal: await recheck(), recheck };
    },
  };
}

/** The rights of an app, within those of its token. */
function withScope(principal: Principal, scope: string): Principal {
  const named = scope.split(" ");
  const scopes = principal.scopes.filter((each) => named.includes(each));
  return scopes.includes("write") ? principal : { ...principal, scopes, role: "viewer" };
}

function rejected(message: string): AppError {
  return new AppError("unauthorized", message);
}
