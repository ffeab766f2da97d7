import { randomBytes } from "node:crypto";
import { AppError } from "#domain/errors.ts";
import { DatabaseError, Pool } from "pg";
import type { PoolConfig, QueryResult, QueryResultRow } from "pg";

/** The name under which every connection of this process shows in pg_stat_activity; unique to the process. */
export const APPLICATION_NAME = `muster:${process.pid}:${randomBytes(6).toString("hex")}`;

/**
 * For connections that wait for an answer: after so long a silence the system asks the other end, and gives the
 * connection up when nobody says anything. Else a statement would wait for a host that is gone for hours.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/** How long a caller waits for a connection, a new one or one that others use, in milliseconds. */
const CONNECT_MS = 10_000;

/**
 * For how long a transaction may wait for a lock, and for its own next statement. A host that is gone in the middle of a
 * transaction holds its locks no longer than that.
 */
export const LOCK_WAIT_MS = 10_000;
export const IDLE_IN_TRANSACTION_MS = 20_000;

/** Settings of a session with which the server itself notices that its client is gone while it sends or waits. */
export const NOTICE_DEAD_CLIENTS = [
  "tcp_keepalives_idle=10",
  "tcp_keepalives_interval=5",
  "tcp_keepalives_count=3",
  "tcp_user_timeout=25000",
];

/** Errors after which a connection's prepared statements are of no more use: their tables have changed, or they are gone. */
const STALE_PREPARED: ReadonlySet<string> = new Set(["0A000", "26000", "42P05"]);

/** The SQLSTATE of `count_stored` and `limit_schedules` (routines/010-access.sql). */
const QUOTA_EXCEEDED = "MQ001";

/** A statement; one with a name is prepared once by each connection. */
export interface Sendable {
  readonly name?: string | undefined;
  readonly text: string;
  /** How long its answer may take in place of the pool's limit, in milliseconds. */
  readonly query_timeout?: number;
}

/** Sends a statement on a connection that was lent; those sent without awaiting the one before are pipelined. */
export type Send = <Row extends QueryResultRow>(
  statement: Sendable,
  values?: readonly unknown[],
) => Promise<QueryResult<Row>>;

/** What {@link openPool} needs. */
export interface PoolOptions {
  readonly url: string;
  readonly size: number;
  /** Settings of each session, as in `lock_timeout=10s`; none where a pooler hands sessions from one client to the next. */
  readonly session: readonly string[];
  /** How long an answer may take, in milliseconds; then the connection is closed, for the network may have lost it. */
  readonly answerMs: number;
  /** Told about connections that break while idle; the pool replaces them. */
  readonly onIdleError: (error: Error) => void;
}

/** Opens a pool, which connects when first used. */
export function openPool({ url, size, session, answerMs, onIdleError }: PoolOptions): Pool {
  const config: PoolConfig = {
    connectionString: named(url),
    max: size,
    ...KEEP_ALIVE,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: answerMs,
    pipeline: true,
    ...(session.length > 0 && { options: session.map((setting) => `-c ${setting}`).join(" ") }),
  };
  const pool = new Pool(config);
  pool.on("error", onIdleError);
  outliveBreaks(pool);
  return pool;
}

/** An address under which connections carry {@link APPLICATION_NAME}. */
export function named(url: string): string {
  const address = new URL(url);
  address.searchParams.set("application_name", APPLICATION_NAME);
  return address.href;
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
export async function onConnection<T>(pool: Pool, run: (send: Send) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let isUsable = true;
  let isOver = false;

  async function send<Row extends QueryResultRow>(statement: Sendable, values: readonly unknown[] = []) {
    if (isOver) throw new Error("Statement sent after the end of its transaction.");
    try {
      return await client.query<Row>({ ...statement, values: [...values] });
    } catch (error) {
      isUsable &&= isStatementError(error);
      throw asQuotaError(error);
    }
  }

  try {
    return await run(send);
  } finally {
    isOver = true;
    client.release(!isUsable);
  }
}

/** Triggers of the quotas reject a statement with a message for the caller. */
function asQuotaError(error: unknown): unknown {
  const isQuota = error instanceof DatabaseError && error.code === QUOTA_EXCEEDED;
  return isQuota ? new AppError("quota_exceeded", error.message, { cause: error }) : error;
}

/**
 * Whether an error says that one statement was rejected, and nothing about its connection: not that it broke, that a
 * value could not be sent, or that a prepared statement is not (or no longer) what `pg` believes it to be.
 */
function isStatementError(error: unknown): boolean {
  return error instanceof DatabaseError && !STALE_PREPARED.has(error.code ?? "");
}
