import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import type { Database } from "#db/database.ts";
import { findSession } from "#db/queries/accounts/sessions.ts";
import { cachedRead } from "#lib/async/cached-read.ts";
import type { SecretBox } from "#lib/security/secret-box.ts";
import { ACCESS_KEY_PURPOSE, readAccessToken } from "./access-token.ts";

/** Sessions cached in memory, by id. */
const MAX_CACHED_SESSIONS = 10_000;

/** A person who is signed in. */
export interface SignedIn extends Principal {
  readonly sessionId: string;
  /** The workspaces of the person that require a passkey, which this session does not have. */
  readonly closedIn: readonly string[];
}

/** Resolves access tokens to principals. */
export interface SessionRing {
  /**
   * The person of an access token, with their current role in the token's workspace.
   * @throws AppError `unauthorized` when the token is missing, invalid or expired, when its session has ended, or when
   * the person is no longer a member of the workspace; `forbidden` when a password alone opened the session, and the
   * workspace requires a passkey.
   */
  authenticate(token: string | undefined): Promise<SignedIn>;
  /** The same for the person's own account, which no workspace closes. @throws AppError `unauthorized` */
  identify(token: string | undefined): Promise<SignedIn>;
  /** Evicts a session that has ended, or whose person's rights have changed. */
  evict(sessionId: string): void;
  /** Evicts all sessions: notifications may have been missed. */
  invalidateAll(): void;
}

/** Creates a ring that reads each session from the database once and caches it. */
export function createSessionRing(db: Database, secrets: SecretBox): SessionRing {
  const known = cachedRead(MAX_CACHED_SESSIONS, async (sessionId) => {
    const readAt = Date.now();
    const row = await findSession(db, sessionId);
    return row && { row, readAt };
  });

  /**
   * Joining a workspace sends no notification, and that of a new passkey may still be on its way: a token for an unknown
   * or closed workspace reads the session again.
   */
  async function lookUp(sessionId: string, workspaceId: string) {
    const kept = await known.read(sessionId);
    if (kept === undefined) return kept;
    if (workspaceId in kept.row.roles && !kept.row.closedIn.includes(workspaceId)) return kept;
    known.evict(sessionId);
    return known.read(sessionId);
  }

  async function find(token: string | undefined): Promise<{ readonly who: SignedIn; readonly isClosed: boolean }> {
    if (token === undefined) throw sessionRejected("Send an access token in Authorization: Bearer.");
    const claims = readAccessToken(token, secrets.deriveAll(ACCESS_KEY_PURPOSE), Date.now());
    if (claims === undefined) throw sessionRejected("Invalid or expired access token.");
    const { sessionId, userId, workspaceId } = claims;
    const found = await lookUp(sessionId, workspaceId);
    if (found === undefined || found.row.userId !== userId || found.readAt + found.row.msLeft <= Date.now()) {
      throw sessionRejected("The session has ended. Sign in again.");
    }
    const role = found.row.roles[workspaceId];
    if (role === undefined) throw sessionRejected("You are no longer a member of this workspace.");
    const canAnswer = found.row.answersIn.includes(workspaceId);
    const { closedIn } = found.row;
    const own = { keyId: null, scopes: ["read", "write"] } as const;
    const who = { sessionId, userId, workspaceId, role, canAnswer, closedIn, ...own };
    return { who, isClosed: closedIn.includes(workspaceId) };
  }

  return {
    async authenticate(token) {
      const { who, isClosed } = await find(token);
      if (isClosed) throw needsPasskey();
      return who;
    },
    identify: async (token) => (await find(token)).who,
    evict: known.evict,
    invalidateAll: known.clear,
  };
}

function sessionRejected(message: string): AppError {
  return new AppError("unauthorized", message, { headers: { "WWW-Authenticate": "Bearer" } });
}

/** What a session that a password opened is told of a workspace that requires a passkey. */
export function needsPasskey(): AppError {
  return new AppError(
    "forbidden",
    "This workspace requires a passkey: a password alone does not open it. Open the console to add a passkey or to sign in with one; programs use an API key.",
  );
}
