import { randomBytes } from "node:crypto";
import pLimit from "p-limit";
import { DatabaseError, Pool } from "pg";
import type { QueryResult, QueryResultRow } from "pg";
import { joinTransaction } from "./joint-transaction.ts";
import { retryDeadlock } from "./retry-deadlock.ts";
import type { Role, Tenant } from "#domain/role.ts";

/** The name under which every connection of this process shows in pg_stat_activity; unique to the process. */
export const APPLICATION_NAME = `muster:${process.pid}:${randomBytes(6).toString("hex")}`;

/**
 * Session settings of connections with prepared statements: each is planned once and for all, as
 * look-ups by an index one after another. Without them PostgreSQL plans a statement with array
 * parameters anew for every call, which costs more than to run it; and one that was planned while
 * its tables were nearly empty would go on reading and hashing them whole when they have grown.
 */
const PLAN_ONCE = [
  "plan_cache_mode=force_generic_plan",
  "enable_seqscan=off",
  "enable_hashjoin=off",
  "enable_mergejoin=off",
]
  .map((setting) => `-c ${setting}`)
  .join(" ");

/** {@link PLAN_ONCE} for the rest of a transaction, and its opposite. */
const PLAN_ONCE_AGAIN = {
  name: "plan-once-again",
  text: `select set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true),
    set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`,
};
const PLAN_FOR_VALUES = {
  name: "plan-for-values",
  text: `select set_config('statement_timeout', $1, true), set_config('timezone', 'UTC', true),
    set_config('plan_cache_mode', 'auto', true), set_config('enable_seqscan', 'on', true),
    set_config('enable_hashjoin', 'on', true), set_config('enable_mergejoin', 'on', true)`,
};

const BEGIN = { name: "begin", text: "begin" };
const COMMIT = { name: "commit", text: "commit" };
const ROLLBACK = { name: "rollback", text: "rollback" };
/** For the rest of a transaction: the role, the workspace that it sees, and who it is that acts. */
const ENTER = {
  name: "enter-workspace",
  text: `select set_config('role', $1, true), set_config('muster.workspace_id', $2, true),
    set_config('muster.user_id', $3, true)`,
};

/** The service itself, under whatever role it connects. */
const SERVICE = "service";

/** The database roles that hold the rights of members; who owns a workspace is not for the database to know. */
const DATABASE_ROLE: Readonly<Record<Role, string>> = {
  viewer: "muster_viewer",
  member: "muster_app",
  admin: "muster_admin",
  owner: "muster_admin",
};

/**
 * For connections that wait for an answer: after so long a silence the system asks the other end, and gives the
 * connection up when nobody says anything. Else a statement would wait for a host that is gone for hours.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/** Errors after which a connection's prepared statements are of no more use: their tables have changed, or they are gone. */
const STALE_PREPARED: ReadonlySet<string> = new Set(["0A000", "26000", "42P05"]);

/** A statement; one with a name is prepared once by each connection. */
interface Sendable {
  readonly name?: string;
  readonly text: string;
}

/** Sends a statement on a connection that was lent; those sent without awaiting the one before are pipelined. */
type Send = <Row extends QueryResultRow>(statement: Sendable, values?: readonly unknown[]) => Promise<QueryResult<Row>>;

/** A statement with a name, under which each connection prepares it once. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** A statement that was put together for one use. */
export interface SingleUse {
  readonly text: string;
  readonly values: readonly unknown[];
  /** How long it may take, in milliseconds; holds for whatever follows in its transaction, too. */
  readonly timeoutMs: number;
}

/** An open transaction. */
export interface Transaction {
  /** Runs one statement; statements may be sent without awaiting the one before. */
  query<Row extends QueryResultRow>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
  /** Runs one statement that is planned for its values, not once and for all. Times are in UTC. */
  queryOnce<Row extends QueryResultRow>(statement: SingleUse): Promise<Row[]>;
}

/** How the service talks to PostgreSQL. */
export interface Database {
  readonly pool: Pool;
  /** Runs one statement as the service itself, past row security: for the engine and for look-ups before a workspace is known. */
  query<Row extends QueryResultRow>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
  /** Runs one statement behind the wall of a workspace with the rights of a role, in one round trip. */
  queryInWorkspace<Row extends QueryResultRow>(
    tenant: Tenant,
    statement: Statement,
    values?: readonly unknown[],
  ): Promise<Row[]>;
  /** Runs a transaction as the service itself; again after a deadlock, as `inWorkspace` does. */
  transaction<T>(run: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Runs a transaction behind the wall of a workspace: as a database role that sees only rows of
   * that workspace, and may do no more than the tenant's role. Rolls back when `run` throws; runs it
   * again when PostgreSQL has undone the transaction to end a deadlock.
   */
  inWorkspace<T>(tenant: Tenant, run: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Runs a transaction in a workspace together with a database whose own transactions for the same tenant are parts of
   * it: all of it is committed when `run` is over, or nothing when any part of it has failed. What is done as the
   * service itself stays apart. `run` is run again after a deadlock, as with `inWorkspace`.
   */
  jointly<T>(tenant: Tenant, run: (joined: Database, tx: Transaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** An address under which connections carry {@link APPLICATION_NAME}. */
export function named(url: string): string {
  const address = new URL(url);
  address.searchParams.set("application_name", APPLICATION_NAME);
  return address.href;
}

/** What {@link openDatabase} needs. */
export interface DatabaseOptions {
  readonly url: string;
  /** Connections of the pool. */
  readonly poolSize: number;
  /** Told about connections that break while idle; the pool replaces them. */
  readonly onIdleError: (error: Error) => void;
}

/** Opens a pool. Connects when first used. Statements are pipelined: a whole transaction costs one or two round trips. */
export function openDatabase(options: DatabaseOptions): Database {
  // Fewer than there are connections: one that needs another for something else always gets it.
  const places = pLimit(Math.ceil(options.poolSize / 2));
  const pool = new Pool({
    connectionString: named(options.url),
    max: options.poolSize,
    ...KEEP_ALIVE,
    pipeline: true,
    options: PLAN_ONCE,
  });
  pool.on("error", options.onIdleError);
  outliveBreaks(pool);

  /** Sends BEGIN and what follows it without waiting in between; rolls back when anything of it fails. */
  const transact = <T>(tenant: Tenant | undefined, run: (send: Send) => Promise<T>) =>
    onConnection(pool, async (send) => {
      try {
        const [, result] = await Promise.all([begin(send, tenant), run(send)]);
        return result;
      } catch (error) {
        // When it fails as well, the connection is closed, which rolls back, too.
        await send(ROLLBACK).catch(() => undefined);
        throw error;
      }
    });

  const withTransaction = <T>(tenant: Tenant | undefined, run: (tx: Transaction) => Promise<T>) =>
    transact(tenant, async (send) => {
      const result = await run(transactionOn(send, roleOf(tenant)));
      const { command } = await send(COMMIT);
      // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK, not with an error.
      if (command !== "COMMIT") throw new Error("The transaction was rolled back: one of its statements had failed.");
      return result;
    });

  const db: Database = {
    pool,
    query: <Row extends QueryResultRow>(statement: Statement, values: readonly unknown[] = []) =>
      onConnection(pool, async (send) => (await send<Row>(preparedFor(SERVICE, statement), values)).rows),
    queryInWorkspace: <Row extends QueryResultRow>(
      tenant: Tenant,
      statement: Statement,
      values: readonly unknown[] = [],
    ) =>
      transact(tenant, async (send) => {
        const [{ rows }] = await Promise.all([send<Row>(preparedFor(roleOf(tenant), statement), values), send(COMMIT)]);
        return rows;
      }),
    transaction: (run) => retryDeadlock(() => withTransaction(undefined, run)),
    inWorkspace: (tenant, run) => retryDeadlock(() => withTransaction(tenant, run)),
    jointly: (tenant, run) => places(() => db.inWorkspace(tenant, joining(tenant, run))),
    close: () => pool.end(),
  };
  return db;

  function joining<T>(tenant: Tenant, run: (joined: Database, tx: Transaction) => Promise<T>) {
    return async (tx: Transaction) => {
      const { value, failure } = await joinTransaction(db, { tenant, tx }, (joined) => run(joined, tx));
      if (failure !== undefined) throw failure;
      return value;
    };
  }
}

/**
 * Lets the process live on when a connection breaks that is in use, between two of its statements: nobody else listens
 * then, and the next statement fails anyway.
 */
export function outliveBreaks(pool: Pool): void {
  pool.on("connect", (client) => void client.on("error", () => undefined));
}

/**
 * Lends a connection for as long as `run` takes. It is closed instead of given back when something other than a
 * statement's own fault has happened on it.
 */
async function onConnection<T>(pool: Pool, run: (send: Send) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let isUsable = true;
  let isOver = false;

  async function send<Row extends QueryResultRow>(statement: Sendable, values: readonly unknown[] = []) {
    if (isOver) throw new Error("Statement sent after the end of its transaction.");
    try {
      return await client.query<Row>({ ...statement, values: [...values] });
    } catch (error) {
      isUsable &&= isStatementFault(error);
      throw error;
    }
  }

  try {
    return await run(send);
  } finally {
    isOver = true;
    client.release(!isUsable);
  }
}

/**
 * Whether an error says that one statement was refused, and nothing about its connection: not that it broke, that a
 * value could not be sent, or that a prepared statement is not (or no longer) what `pg` believes it to be.
 */
function isStatementFault(error: unknown): boolean {
  return error instanceof DatabaseError && !STALE_PREPARED.has(error.code ?? "");
}

/** Begins a transaction: behind the wall of a workspace, or as the service itself. */
async function begin(send: Send, tenant: Tenant | undefined): Promise<void> {
  const begun = send(BEGIN);
  if (tenant === undefined) return void (await begun);
  await Promise.all([begun, send(ENTER, [roleOf(tenant), tenant.workspaceId, tenant.userId ?? ""])]);
}

function transactionOn(send: Send, role: string): Transaction {
  return {
    async query<Row extends QueryResultRow>(statement: Statement, values: readonly unknown[] = []) {
      return (await send<Row>(preparedFor(role, statement), values)).rows;
    },
    async queryOnce<Row extends QueryResultRow>({ text, values, timeoutMs }: SingleUse) {
      const [, { rows }] = await Promise.all([
        send(preparedFor(role, PLAN_FOR_VALUES), [Math.ceil(timeoutMs)]),
        send<Row>({ text }, values),
        // Statements with a name that are prepared later in this transaction keep their plans for good.
        send(preparedFor(role, PLAN_ONCE_AGAIN)),
      ]);
      return rows;
    },
  };
}

function roleOf(tenant: Tenant | undefined): string {
  return tenant === undefined ? SERVICE : DATABASE_ROLE[tenant.role];
}

/**
 * A plan holds the row security of the role for which it was made, and PostgreSQL plans a prepared
 * statement anew whenever another role runs it: so each role prepares its own.
 */
function preparedFor(role: string, { name, text }: Statement): Statement {
  return { name: `${role}:${name}`, text };
}
