import type { Tenant } from "#domain/access/role.ts";
import type { Database, PoolUse, Transaction } from "./database.ts";
import { joinTransaction } from "./shared-transaction.ts";
import { LOCK_WAIT_MS, NOTICE_DEAD_CLIENTS, openPool } from "./pool.ts";
import { openReplica } from "./replica/open-replica.ts";
import type { Replica, ReplicaOptions } from "./replica/open-replica.ts";
import { retryDeadlock } from "./retry-deadlock.ts";
import { ANSWER_MS, limits, sessionsOn } from "./sessions.ts";

/**
 * Session settings of the service's own connections: each prepared statement is planned once, with index scans and
 * nested loops. Otherwise PostgreSQL replans a statement with array parameters for every call, which costs more than
 * running it, and a plan made while tables were almost empty would keep scanning and hashing them after they have
 * grown. Request connections use the planner's defaults.
 */
const PLAN_ONCE = [
  "plan_cache_mode=force_generic_plan",
  "enable_seqscan=off",
  "enable_hashjoin=off",
  "enable_mergejoin=off",
];

/**
 * Session settings of all connections: no plan is compiled. Statements are short, and before PostgreSQL 18 a scan under
 * `enable_seqscan=off` counts as so expensive that its plan would be compiled each time, for up to a second.
 * https://www.postgresql.org/docs/15/jit-decision.html
 */
const NOT_COMPILED = ["jit=off"];

/** Checks of ownership go on while the keeper waits. */
const OWNERSHIP_CONNECTIONS = 2;
/** The number of connections of an open database besides those of its two pools. */
export const RESERVED_CONNECTIONS = 1 + OWNERSHIP_CONNECTIONS;
/** The shares of a lease that statements may wait for a lock: the next beat must not come too late. */
const LOCK_SHARE = { beats: 0.2, others: 0.5 } as const;
const DEFAULT_LEASE_MS = 5_000;

/** How requests connect, when not as the service itself. */
export interface RequestLink {
  readonly url: string;
  /** Whether a pooler may use another session for each transaction; then no session state is used. */
  readonly isPooled: boolean;
  /** Whether prepared statements can be executed by name in every transaction. */
  readonly keepsStatements: boolean;
}

/** Options of {@link openDatabase}. */
export interface DatabaseOptions {
  /** The database as its owner, not through a transaction pooler. */
  readonly url: string;
  /** Connections for requests, which work in a workspace. */
  readonly poolSize: number;
  /** Connections for the service's own statements, mainly the engine's writes. */
  readonly servicePoolSize?: number;
  /** The time without a beat after which a process is presumed dead, in milliseconds. */
  readonly leaseMs?: number;
  /** Called when an idle connection breaks; the pool replaces it. */
  readonly onIdleError: (error: Error) => void;
}

/** A database with its pools. */
export interface OpenDatabase extends Database {
  /** Connects requests by this link; before that, as the service itself. To be called before the first request. */
  connectRequests(requests: RequestLink): Promise<void>;
  /** Lets a read replica answer reports. To be called once, after {@link OpenDatabase.connectRequests}. */
  connectReplica(replica: ReplicaOptions): void;
  /** The current use of the pools. */
  use(): readonly PoolUse[];
}

/**
 * Opens two pools: one for requests in a workspace, one for the service itself, so that neither blocks the other; and
 * the connections that keep the lease. They connect on first use. Statements are pipelined: a transaction costs one or two round trips.
 */
export function openDatabase({
  url,
  poolSize,
  onIdleError,
  servicePoolSize = poolSize,
  leaseMs = DEFAULT_LEASE_MS,
}: DatabaseOptions): OpenDatabase {
  const openOwn = (size: number, lockMs: number, answerMs = ANSWER_MS) => {
    const session = [...PLAN_ONCE, ...NOT_COMPILED, ...limits(lockMs), ...NOTICE_DEAD_CLIENTS];
    return sessionsOn(openPool({ url, size, session, answerMs, onIdleError }), true);
  };
  const service = openOwn(servicePoolSize, Math.min(LOCK_WAIT_MS, leaseMs * LOCK_SHARE.others));
  const beats = openOwn(1, leaseMs * LOCK_SHARE.beats, leaseMs);
  const ownership = openOwn(OWNERSHIP_CONNECTIONS, leaseMs * LOCK_SHARE.beats);
  const openRequests = (requests: RequestLink) =>
    sessionsOn(
      openPool({
        url: requests.url,
        size: poolSize,
        session: requests.isPooled ? [] : [...NOT_COMPILED, ...NOTICE_DEAD_CLIENTS],
        answerMs: ANSWER_MS,
        onIdleError,
      }),
      requests.keepsStatements,
    );
  let workspace = openRequests({ url, isPooled: false, keepsStatements: true });
  let replica: Replica | undefined;

  const db: OpenDatabase = {
    query: service.query,
    beats,
    ownership,
    get reports() {
      return replica?.reports ?? db;
    },
    transaction: (run) => retryDeadlock(() => service.transaction(undefined, run)),
    inWorkspace: (who) => ({
      who,
      query: (statement, values) => workspace.queryInWorkspace(who, statement, values),
      transaction: (run) => retryDeadlock(() => workspace.transaction(who, run)),
    }),
    inSharedTransaction: (tenant, run) =>
      db
        .inWorkspace(tenant)
        .transaction((tx) => runShared(db, { tenant, tx: { ...tx, commit: () => undefined } }, run)),
    use: () => [
      { pool: "requests", ...workspace.use() },
      { pool: "service", ...service.use() },
      ...(replica === undefined ? [] : [replica.use()]),
    ],
    async connectRequests(requests) {
      const before = workspace;
      workspace = openRequests(requests);
      await before.close();
    },
    connectReplica(options) {
      // Neither load nor locks keep probes from these connections.
      replica = openReplica({ primary: ownership, reports: db }, options);
    },
    async close() {
      const opened = [service, beats, ownership, workspace, ...(replica === undefined ? [] : [replica])];
      await Promise.all(opened.map((each) => each.close()));
    },
  };
  return db;
}

async function runShared<T>(
  db: Database,
  open: { readonly tenant: Tenant; readonly tx: Transaction },
  run: (joined: Database, tx: Transaction) => Promise<T>,
): Promise<T> {
  const { value, failure } = await joinTransaction(db, open, (joined) => run(joined, open.tx));
  if (failure !== undefined) throw failure;
  return value;
}
