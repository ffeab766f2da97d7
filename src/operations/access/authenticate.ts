import { LRUCache } from "lru-cache";
import { describeRejection, hashKey } from "#domain/access/api-key.ts";
import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import type { Database } from "#db/database.ts";
import { findKey, touchKey } from "#db/queries/access/identity.ts";
import type { KeyRow } from "#db/queries/access/identity.ts";
import type { KeyRing } from "../ports.ts";

/** API keys cached in memory, by hash. */
const MAX_CACHED_KEYS = 10_000;
/** How long a cached key is valid without a database read, in case the notification of its change is lost. */
const CACHE_TTL_MS = 30_000;
const TOUCH_INTERVAL_MS = 60_000;

interface KnownKey {
  readonly row: KeyRow;
  readonly readAt: number;
  touchedAt: number;
}

/** Creates a key ring that reads each key from the database once and caches it for {@link CACHE_TTL_MS}. */
export function createKeyRing(db: Database, now: () => number = Date.now): KeyRing {
  const known = new LRUCache<string, KnownKey>({ max: MAX_CACHED_KEYS });
  /** Counts change notifications: a row that was read before one may be stale. */
  let changes = 0;

  async function lookUp(hash: string): Promise<KnownKey | undefined> {
    const kept = known.get(hash);
    if (kept !== undefined && now() - kept.readAt < CACHE_TTL_MS) return kept;
    const [readAt, changesBefore] = [now(), changes];
    const row = await findKey(db, hash);
    if (row === undefined) return undefined;
    const fresh = { row, readAt, touchedAt: kept?.touchedAt ?? 0 };
    if (changes === changesBefore) known.set(hash, fresh);
    return fresh;
  }

  return {
    async authenticate(key, kinds) {
      const found = await lookUp(hashKey(key));
      if (found === undefined || !kinds.includes(found.row.kind)) {
        throw new AppError("unauthorized", describeRejection(key, kinds));
      }
      if (found.row.msLeft !== null && found.readAt + found.row.msLeft <= now()) {
        throw new AppError("unauthorized", "The API key has expired.");
      }
      if (now() - found.touchedAt >= TOUCH_INTERVAL_MS) {
        found.touchedAt = now();
        await touchKey(db, found.row.keyId);
      }
      return principalOf(found.row);
    },
    evict(keyHash) {
      changes++;
      known.delete(keyHash);
    },
    invalidateAll() {
      changes++;
      known.clear();
    },
  };
}

/** A key has its creator's rights in the workspace; without the scope `write`, only a viewer's. */
function principalOf({ keyId, workspaceId, userId, role, scopes }: KeyRow): Principal {
  return { keyId, workspaceId, userId, scopes, role: scopes.includes("write") ? role : "viewer" };
}
