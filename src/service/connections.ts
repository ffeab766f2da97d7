import type { Config } from "#config/config.ts";
import { RESERVED_CONNECTIONS } from "#db/open-database.ts";
import type { RequestLink } from "#db/open-database.ts";
import { RESERVED_REPLICA_CONNECTIONS } from "#db/replica/open-replica.ts";

/**
 * The maximum number of connections of a process, including the listener; a pooler's connections are not counted.
 */
export function connectionsOf({ DATABASE_POOL, DATABASE_ENGINE_POOL }: Config, { isPooled }: RequestLink): number {
  return (isPooled ? 0 : DATABASE_POOL) + DATABASE_ENGINE_POOL + RESERVED_CONNECTIONS + 1;
}

/** The maximum number of connections of a process to the replica for reports. */
export function replicaConnectionsOf({ DATABASE_POOL }: Config): number {
  return DATABASE_POOL + RESERVED_REPLICA_CONNECTIONS;
}
