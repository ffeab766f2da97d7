import { LRUCache } from "lru-cache";
import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import type { Database } from "#db/database.ts";
import { findSession } from "#db/queries/accounts/sessions.ts";
import type { SessionRow } from "#db/queries/accounts/sessions.ts";
import type { SecretBox } from "#lib/security/secret-box.ts";
import { ACCESS_KEY_PURPOSE, readAccessToken } from "./access-token.ts";

/** Sessions cached in memory, by id. */
const MAX_CACHED_SESSIONS = 10_000;
/** How long a cached session is valid without a database read, in case the notification of its change is lost. */
const CACHE_TTL_MS = 30_000;

interface KnownSession {
  readonly row: SessionRow;
  readonly readAt: number;
}

/** A person who is signed in. */
export interface SignedIn extends Principal {
  readonly sessionId: string;
}

/** Resolves access tokens to principals. */
export interface SessionRing {
  /**
   * The person of an access token, with their current role in the token's workspace.
   * @throws AppError `unauthorized` when the token is missing, invalid or expired, when its session has ended, or when
   * the person is no longer a member of the workspace.
   */
  authenticate(token: string | undefined): Promise<SignedIn>;
  /** Evicts a session that has ended, or whose person's rights have changed. */
  evict(sessionId: string): void;
  /** Evicts all sessions: notifications may have been missed. */
  invalidateAll(): void;
}

/** Creates a ring that reads each session from the database once and caches it for {@link CACHE_TTL_MS}. */
export function createSessionRing(db: Database, secrets: SecretBox, now: () => number = Date.now): SessionRing {
  const key = secrets.derive(ACCESS_KEY_PURPOSE);
  const known = new LRUCache<string, KnownSession>({ max: MAX_CACHED_SESSIONS });
  /** Counts change notifications: a row that was read before one may be stale. */
  let changes = 0;

  async function lookUp(sessionId: string, workspaceId: string): Promise<KnownSession | undefined> {
    const kept = known.get(sessionId);
    // Joining a workspace sends no notification: a token for an unknown workspace reads the session again.
    if (kept !== undefined && now() - kept.readAt < CACHE_TTL_MS && workspaceId in kept.row.roles) return kept;
    const [readAt, changesBefore] = [now(), changes];
    const row = await findSession(db, sessionId);
    if (row === undefined) return undefined;
    if (changes === changesBefore) known.set(sessionId, { row, readAt });
    return { row, readAt };
  }

  return {
    async authenticate(token) {
      if (token === undefined) throw sessionRejected("Send an access token in Authorization: Bearer.");
      const claims = readAccessToken(token, key, now());
      if (claims === undefined) throw sessionRejected("Invalid or expired access token.");
      const { sessionId, userId, workspaceId } = claims;
      const found = await lookUp(sessionId, workspaceId);
      if (found === undefined || found.row.userId !== userId || found.readAt + found.row.msLeft <= now()) {
        throw sessionRejected("The session has ended. Sign in again.");
      }
      const role = found.row.roles[workspaceId];
      if (role === undefined) throw sessionRejected("You are no longer a member of this workspace.");
      const canAnswer = found.row.answersIn.includes(workspaceId);
      return { sessionId, userId, workspaceId, role, canAnswer, keyId: null, scopes: ["read", "write"] };
    },
    evict(sessionId) {
      changes++;
      known.delete(sessionId);
    },
    invalidateAll() {
      changes++;
      known.clear();
    },
  };
}

function sessionRejected(message: string): AppError {
  return new AppError("unauthorized", message, { headers: { "WWW-Authenticate": "Bearer" } });
}
