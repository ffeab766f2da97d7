import { LRUCache } from "lru-cache";
import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import type { Database } from "#db/database.ts";
import { findSession } from "#db/queries/accounts/sessions.ts";
import type { SessionRow } from "#db/queries/accounts/sessions.ts";
import type { SecretBox } from "#lib/security/secret-box.ts";
import { ACCESS_KEY_PURPOSE, readAccessToken } from "./access-token.ts";

/** Sessions that are kept in memory, by their id. */
const MAX_CACHED_SESSIONS = 10_000;
/** How long a session is trusted without asking the database again, should the notice of its change be lost. */
const CACHE_TTL_MS = 30_000;

interface KnownSession {
  readonly row: SessionRow;
  readonly readAt: number;
}

/** A person who is signed in. */
export interface SignedIn extends Principal {
  readonly sessionId: string;
}

/** Finds out whose an access token is. */
export interface SessionRing {
  /**
   * The person behind an access token, with the role that they have now in the workspace it names.
   * @throws AppError `unauthorized` when the token is missing, not one of this instance or expired,
   * when its session has ended, or when the person is no member of the workspace any more.
   */
  authenticate(token: string | undefined): Promise<SignedIn>;
  /** Forgets a session because it has ended, or what its person may do has changed. */
  forget(sessionId: string): void;
  /** Forgets all sessions: notices may have been missed. */
  invalidateAll(): void;
}

/** Makes a ring that asks the database once per session and then trusts its memory for a while. */
export function createSessionRing(db: Database, secrets: SecretBox, now: () => number = Date.now): SessionRing {
  const key = secrets.derive(ACCESS_KEY_PURPOSE);
  const known = new LRUCache<string, KnownSession>({ max: MAX_CACHED_SESSIONS });
  /** Counts the notices of changes: what was read before one may be out of date. */
  let changes = 0;

  async function lookUp(sessionId: string, workspaceId: string): Promise<KnownSession | undefined> {
    const kept = known.get(sessionId);
    // Nobody tells of a workspace that was joined: who names an unknown one is looked up again.
    if (kept !== undefined && now() - kept.readAt < CACHE_TTL_MS && workspaceId in kept.row.roles) return kept;
    const [readAt, changesBefore] = [now(), changes];
    const row = await findSession(db, sessionId);
    if (row === undefined) return undefined;
    if (changes === changesBefore) known.set(sessionId, { row, readAt });
    return { row, readAt };
  }

  return {
    async authenticate(token) {
      const claims = token === undefined ? undefined : readAccessToken(token, key, now());
      if (claims === undefined) throw refused("Invalid or expired access token.");
      const { sessionId, userId, workspaceId } = claims;
      const found = await lookUp(sessionId, workspaceId);
      if (found === undefined || found.row.userId !== userId || found.readAt + found.row.msLeft <= now()) {
        throw refused("The session has ended. Sign in again.");
      }
      const role = found.row.roles[workspaceId];
      if (role === undefined) throw refused("You are no member of this workspace any more.");
      const canAnswer = found.row.answersIn.includes(workspaceId);
      return { sessionId, userId, workspaceId, role, canAnswer, keyId: null, scopes: ["read", "write"] };
    },
    forget(sessionId) {
      changes++;
      known.delete(sessionId);
    },
    invalidateAll() {
      changes++;
      known.clear();
    },
  };
}

function refused(message: string): AppError {
  return new AppError("unauthorized", message);
}
