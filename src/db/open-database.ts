import type { Pool } from "pg";
import type { Database, PoolUse, SingleUse, Transaction } from "./database.ts";
import { Statement } from "./statement.ts";
import { joinTransaction } from "./shared-transaction.ts";
import { IDLE_IN_TRANSACTION_MS, LOCK_WAIT_MS, NOTICE_DEAD_CLIENTS, onConnection, openPool } from "./pool.ts";
import type { Connection, Sendable } from "./pool.ts";
import { retryDeadlock } from "./retry-deadlock.ts";
import type { Role, Tenant } from "#domain/access/role.ts";

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

/** The time limit of a statement, and the additional time for its answer, in milliseconds. */
const STATEMENT_MS = 25_000;
const GRACE_MS = 5_000;
const ANSWER_MS = STATEMENT_MS + GRACE_MS;
const limits = (lockMs: number) => [
  `statement_timeout=${STATEMENT_MS}`,
  `lock_timeout=${Math.round(lockMs)}`,
  `idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_MS}`,
];
/** Checks of ownership go on while the keeper waits. */
const OWNERSHIP_CONNECTIONS = 2;
/** The number of connections of an open database besides those of its two pools. */
export const RESERVED_CONNECTIONS = 1 + OWNERSHIP_CONNECTIONS;
/** The shares of a lease that statements may wait for a lock: the next beat must not come too late. */
const LOCK_SHARE = { beats: 0.2, others: 0.5 } as const;
const DEFAULT_LEASE_MS = 5_000;

const BEGIN = new Statement({ name: "begin", text: "begin" });
const COMMIT = { text: "commit" };
const ROLLBACK = { text: "rollback" };
/** A request does without parallel workers: starting them costs milliseconds, and takes the cores of other requests. */
const ALONE = "max_parallel_workers_per_gather=0";
/** For the rest of a transaction: the role, the workspace, the acting person and key, and the limits. */
const ENTER = new Statement({
  name: "enter-workspace",
  text: `select set_config('role', $1, true), set_config('muster.workspace_id', $2, true),
    set_config('muster.user_id', $3, true), set_config('muster.key_id', $4, true), ${[...limits(LOCK_WAIT_MS), ALONE].map(asLocal).join(", ")}`,
});
const LIMIT_TIME = new Statement({
  name: "limit-time",
  text: "select set_config('statement_timeout', $1, true), set_config('timezone', 'UTC', true)",
});

/** The service itself, under the role that it connects with. */
const SERVICE = "service";

/** The database roles with the rights of members; the database does not distinguish owners. */
const DATABASE_ROLE: Readonly<Record<Role, string>> = {
  viewer: "muster_viewer",
  member: "muster_app",
  admin: "muster_admin",
  owner: "muster_admin",
};

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

  const db: OpenDatabase = {
    query: service.query,
    beats,
    ownership,
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
    ],
    async connectRequests(requests) {
      const before = workspace;
      workspace = openRequests(requests);
      await before.close();
    },
    async close() {
      await Promise.all([service, beats, ownership, workspace].map((sessions) => sessions.close()));
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

/** The statements and transactions of one pool. */
function sessionsOn(pool: Pool, keepsStatements: boolean) {
  const nameOf = keepsStatements ? preparedFor : withoutName;

  /**
   * Sends BEGIN and the following statements without waiting in between. Rolls back when any of them fails, unless
   * `run` has sent COMMIT: then PostgreSQL has done so.
   */
  const transact = <T>(tenant: Tenant | undefined, run: (open: OpenTransaction) => Promise<T>) =>
    onConnection(pool, async (connection) => {
      const open = openTransaction(connection);
      try {
        const [, result] = await Promise.all([begin(connection.send, tenant, nameOf), run(open)]);
        await open.end();
        return result;
      } catch (error) {
        // If this fails as well, the connection is closed, which also rolls back.
        await open.rollBack().catch(() => undefined);
        throw error;
      }
    });

  return {
    query: <Row extends object>(statement: Statement<unknown>, values: readonly unknown[] = []) =>
      onConnection(pool, async ({ send }) => (await send<Row>(nameOf(SERVICE, statement), values)).rows),
    queryInWorkspace: <Row extends object>(
      tenant: Tenant,
      statement: Statement<unknown>,
      values: readonly unknown[] = [],
    ) =>
      transact(tenant, async (open) => {
        const answer = open.send<Row>(nameOf(roleOf(tenant), statement), values);
        open.commit();
        return (await answer).rows;
      }),
    transaction: <T>(tenant: Tenant | undefined, run: (tx: Transaction) => Promise<T>) =>
      transact(tenant, (open) => run(transactionOn(open, (statement) => nameOf(roleOf(tenant), statement)))),
    use: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  };
}

/** A transaction that was begun on a connection. */
interface OpenTransaction extends Pick<Connection, "send"> {
  /** See {@link Transaction.commit}. */
  commit(): void;
  /** Waits for the COMMIT, and sends it if it has not been sent. @throws an error when it was rolled back */
  end(): Promise<void>;
  rollBack(): Promise<void>;
}

function openTransaction({ send, hasFailed }: Connection): OpenTransaction {
  let committing: Promise<{ readonly command: string }> | undefined;

  function commit(): void {
    if (hasFailed()) return;
    committing ??= send(COMMIT);
    committing.catch(() => undefined);
  }

  return {
    async send(statement, values) {
      if (committing !== undefined) throw new Error("Statement sent after COMMIT.");
      return send(statement, values);
    },
    commit,
    async end() {
      commit();
      // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK instead of an error.
      if ((await committing)?.command === "COMMIT") return;
      throw new Error("The transaction was rolled back: one of its statements had failed.");
    },
    async rollBack() {
      await (committing ?? send(ROLLBACK));
    },
  };
}

/** Begins a transaction: in a workspace with a role's rights, or as the service itself. */
async function begin(send: Connection["send"], tenant: Tenant | undefined, nameOf: typeof preparedFor): Promise<void> {
  const role = roleOf(tenant);
  const begun = send(nameOf(role, BEGIN));
  if (tenant === undefined) return void (await begun);
  await Promise.all([
    begun,
    send(nameOf(role, ENTER), [role, tenant.workspaceId, tenant.userId ?? "", tenant.keyId ?? ""]),
  ]);
}

function transactionOn(
  { send, commit }: OpenTransaction,
  sendable: (statement: Statement<unknown>) => Sendable,
): Transaction {
  return {
    commit,
    async query<Row extends object>(statement: Statement<unknown>, values: readonly unknown[] = []) {
      return (await send<Row>(sendable(statement), values)).rows;
    },
    async queryOnce<Row extends object>({ text, values, timeoutMs }: SingleUse) {
      const [, { rows }] = await Promise.all([
        send(sendable(LIMIT_TIME), [Math.ceil(timeoutMs)]),
        send<Row>({ text, query_timeout: timeoutMs + GRACE_MS }, values),
      ]);
      return rows;
    },
  };
}

function asLocal(setting: string): string {
  const [name, value] = setting.split("=");
  return `set_config('${name}', '${value}', true)`;
}

function roleOf(tenant: Tenant | undefined): string {
  return tenant === undefined ? SERVICE : DATABASE_ROLE[tenant.role];
}

/**
 * A plan contains the row security of the role that it was made for, and PostgreSQL replans a prepared statement
 * whenever the role changes. So each role prepares its own.
 */
function preparedFor(role: string, { name, text }: Statement<unknown>): Sendable {
  return { name: `${role}:${name}`, text };
}

function withoutName(_role: string, { text }: Statement<unknown>): Sendable {
  return { text };
}
