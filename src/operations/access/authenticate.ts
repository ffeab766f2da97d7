import { LRUCache } from "lru-cache";
import { describeRejection, hashKey } from "#domain/access/api-key.ts";
import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import type { Database } from "#db/database.ts";
import { findKey, touchKey } from "#db/queries/access/identity.ts";
import { findKeyHash } from "#db/queries/access/key-hash.ts";
import type { KeyRow } from "#db/queries/access/identity.ts";
import { cachedRead } from "#lib/async/cached-read.ts";
import type { KeyRing } from "../ports.ts";

/** API keys cached in memory, by hash. */
const MAX_CACHED_KEYS = 10_000;
const TOUCH_INTERVAL_MS = 60_000;

/** Creates a key ring that reads each key from the database once and caches it. */
export function createKeyRing(db: Database): KeyRing {
  const known = cachedRead(MAX_CACHED_KEYS, async (hash) => {
    const readAt = Date.now();
    const row = await findKey(db, hash);
    return row && { row, readAt };
  });
  const touched = new LRUCache<string, true>({ max: MAX_CACHED_KEYS, ttl: TOUCH_INTERVAL_MS });

  const hashes = cachedRead(MAX_CACHED_KEYS, (keyId) => findKeyHash(db, keyId));

  async function admit({ row, readAt }: { readonly row: KeyRow; readonly readAt: number }): Promise<Principal> {
    if (row.msLeft !== null && readAt + row.msLeft <= Date.now()) {
      throw new AppError("unauthorized", "The API key has expired.");
    }
    if (!touched.has(row.keyId)) {
      touched.set(row.keyId, true);
      await touchKey(db, row.keyId);
    }
    return principalOf(row);
  }

  return {
    async authenticate(key, kinds) {
      const found = await known.read(hashKey(key));
      if (found === undefined || !kinds.includes(found.row.kind)) {
        throw new AppError("unauthorized", describeRejection(key, kinds));
      }
      return admit(found);
    },
    async authenticateId(keyId) {
      const hash = await hashes.read(keyId);
      const found = hash === undefined ? undefined : await known.read(hash);
      if (found === undefined) throw new AppError("unauthorized", "The key that made this token is gone.");
      return admit(found);
    },
    evict: known.evict,
    invalidateAll: known.clear,
  };
}

/** A key has its creator's rights in the workspace; without the scope `write`, only a viewer's. */
function principalOf({ keyId, workspaceId, userId, role, scopes }: KeyRow): Principal {
  return { keyId, workspaceId, userId, scopes, role: scopes.includes("write") ? role : "viewer" };
}
