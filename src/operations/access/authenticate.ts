import { LRUCache } from "lru-cache";
import { EXPIRES_SOON_MS, describeRejection, hasWrongChecksum, hashKey, opens } from "#domain/access/api-key.ts";
import { includesRole } from "#domain/access/role.ts";
import { AppError } from "#domain/errors.ts";
import type { Surface } from "#domain/access/api-key.ts";
import type { Principal } from "#domain/access/principal.ts";
import type { Database } from "#db/database.ts";
import { findKey, touchKey } from "#db/queries/access/identity.ts";
import { findKeyHash } from "#db/queries/access/key-hash.ts";
import type { KeyRow } from "#db/queries/access/identity.ts";
import { cachedRead } from "#lib/async/cached-read.ts";
import { networkCheck } from "#lib/security/allowed-networks.ts";
import { fromElsewhere } from "../accounts/from-elsewhere.ts";
import type { KeyRing } from "../ports.ts";

/** API keys cached in memory, by hash. */
const MAX_CACHED_KEYS = 10_000;
const TOUCH_INTERVAL_MS = 60_000;

/** Creates a key ring that reads each key from the database once and caches it. */
export function createKeyRing(db: Database): KeyRing {
  const known = cachedRead(MAX_CACHED_KEYS, async (hash) => {
    const readAt = Date.now();
    const row = await findKey(db, hash);
    return (
      row && {
        row,
        readAt,
        limits: [row.networks, row.accountNetworks].filter((each) => each !== null).map(networkCheck),
      }
    );
  });
  const touched = new LRUCache<string, true>({ max: MAX_CACHED_KEYS, ttl: TOUCH_INTERVAL_MS });

  const hashes = cachedRead(MAX_CACHED_KEYS, (keyId) => findKeyHash(db, keyId));

  async function admit({ row, readAt, limits }: ReadKey, { surface, address }: KeyUse): Promise<Principal> {
    if (row.msLeft !== null && readAt + row.msLeft <= Date.now()) {
      throw new AppError("unauthorized", "The API key has expired.");
    }
    if (row.surfaces?.includes(surface) === false) {
      throw new AppError(
        "forbidden",
        `This key does not open ${surface}: it is limited to ${row.surfaces.join(", ")}.`,
      );
    }
    if (address !== undefined && !limits.every((admits) => admits(address))) throw fromElsewhere(address);
    if (!touched.has(row.keyId)) {
      touched.set(row.keyId, true);
      await touchKey(db, row.keyId);
    }
    const isNearEnd = row.msLeft !== null && readAt + row.msLeft - Date.now() <= EXPIRES_SOON_MS;
    return { ...principalOf(row), ...(isNearEnd && row.expiresAt !== null && { keyExpiresAt: row.expiresAt }) };
  }

  return {
    async authenticate(key, use) {
      const found = hasWrongChecksum(key) ? undefined : await known.read(hashKey(key));
      if (found === undefined || !opens(found.row.kind, use.surface)) {
        throw new AppError("unauthorized", describeRejection(key, use.surface));
      }
      return admit(found, use);
    },
    async authenticateId(keyId, use) {
      const hash = await hashes.read(keyId);
      const found = hash === undefined ? undefined : await known.read(hash);
      if (found === undefined) throw new AppError("unauthorized", "The key that made this token is gone.");
      return admit(found, use);
    },
    evict: known.evict,
    invalidateAll: known.clear,
  };
}

interface ReadKey {
  readonly row: KeyRow;
  /** In milliseconds since 1970. */
  readonly readAt: number;
  /** Whether each of its lists of networks has an address. */
  readonly limits: readonly ((address: string) => boolean)[];
}

/** How a key is used; without an address, its networks do not count. */
interface KeyUse {
  readonly surface: Surface;
  readonly address?: string;
}

/**
 * A key has its creator's rights in the workspace; without the scope `write`, only a viewer's. One that is limited to
 * agents and teams starts their work at most: it manages nothing.
 */
function principalOf({ keyId, workspaceId, userId, role, scopes, reach, isApp }: KeyRow): Principal {
  const granted = scopes.includes("write") ? role : "viewer";
  const key = { keyId, workspaceId, userId, scopes, ...(isApp && { isApp }) };
  if (reach === null) return { ...key, role: granted };
  return { ...key, role: includesRole(granted, "member") ? "member" : "viewer", reach };
}
