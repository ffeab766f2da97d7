import { randomBytes } from "node:crypto";
import { DatabaseError, Pool } from "pg";
import type { PoolClient, PoolConfig, QueryResult } from "pg";
import { explainRejection } from "./constraints.ts";
import { GatheringSocket } from "./gathering-socket.ts";

/** The name of all connections of this process in pg_stat_activity; unique per process. */
export const APPLICATION_NAME = `muster:${process.pid}:${randomBytes(6).toString("hex")}`;

/**
 * TCP keep-alive for connections that wait for an answer: after this much silence the system probes the other end, and
 * closes the connection without a reply. Otherwise a statement would wait for a dead host for hours.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/** How long a caller waits for a free or new connection, in milliseconds. */
const CONNECT_MS = 10_000;

/**
 * After how long an idle connection is closed, in milliseconds. The first request on a new one takes 40 ms longer,
 * because PostgreSQL reads its catalog and plans each statement again: a person should not wait for that at each click.
 */
const IDLE_MS = 10 * 60_000;

/** How long a statement may wait for a lock, in milliseconds. */
export const LOCK_WAIT_MS = 10_000;
/**
 * How long a transaction may wait for its own next statement, in milliseconds. A host that disappears during a
 * transaction holds its locks no longer than this.
 */
export const IDLE_IN_TRANSACTION_MS = 20_000;

/** Session settings with which the server notices that a client is gone while it sends or waits. */
export const NOTICE_DEAD_CLIENTS = [
  "tcp_keepalives_idle=10",
  "tcp_keepalives_interval=5",
  "tcp_keepalives_count=3",
  "tcp_user_timeout=25000",
];

/** Errors that invalidate a connection's prepared statements: their tables have changed, or they are gone. */
const STALE_PREPARED: ReadonlySet<string> = new Set(["0A000", "26000", "42P05"]);

/**
 * A server that accepts no writes, as the former primary after a switchover that left connections open: every connection
 * may lead to it.
 */
const READ_ONLY = "25006";
/** A server that shuts down, has crashed or starts. */
const SHUTTING_DOWN = /^57P0[123]$/;

/** When each connection was opened, by `performance.now()`. */
const openedAt = new WeakMap<PoolClient, number>();
/** Connections opened before this time are closed instead of used, in all pools. */
let renewedAt = -Infinity;

/** A statement; a named one is prepared once per connection. */
export interface Sendable {
  readonly name?: string | undefined;
  readonly text: string;
  /** The time limit of its answer, instead of the pool's, in milliseconds. */
  readonly query_timeout?: number;
}

/** A borrowed connection. */
export interface Connection {
  /** Sends a statement; statements sent without awaiting are pipelined. */
  readonly send: <Row extends object>(statement: Sendable, values?: readonly unknown[]) => Promise<QueryResult<Row>>;
  /** Whether a statement has failed by now. One whose values cannot be sent fails before `send` returns. */
  readonly hasFailed: () => boolean;
}

/** Options of {@link openPool}. */
export interface PoolOptions {
  readonly url: string;
  readonly size: number;
  /** Settings of each session, such as `lock_timeout=10s`; none where a pooler shares sessions between clients. */
  readonly session: readonly string[];
  /**
   * The time limit of an answer, in milliseconds; then the connection is closed, because the network may have dropped
   * it.
   */
  readonly answerMs: number;
  /** Called when an idle connection breaks; the pool replaces it. */
  readonly onIdleError: (error: Error) => void;
}

/** Opens a pool, which connects on first use. */
export function openPool({ url, size, session, answerMs, onIdleError }: PoolOptions): Pool {
  const config: PoolConfig = {
    connectionString: named(url),
    max: size,
    ...KEEP_ALIVE,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    query_timeout: answerMs,
    pipeline: true,
    stream: () => new GatheringSocket(),
    ...(session.length > 0 && { options: session.map((setting) => `-c ${setting}`).join(" ") }),
  };
  const pool = new Pool(config);
  pool.on("error", onIdleError);
  pool.on("connect", (client) => void openedAt.set(client, performance.now()));
  handleConnectionErrors(pool);
  return pool;
}

/** Adds {@link APPLICATION_NAME} to an address. */
export function named(url: string): string {
  const address = new URL(url);
  address.searchParams.set("application_name", APPLICATION_NAME);
  return address.href;
}

/**
 * Handles the error of a borrowed connection that breaks between two statements: without a listener it would end the
 * process, and the next statement fails anyway.
 */
export function handleConnectionErrors(pool: Pool): void {
  pool.on("connect", (client) => void client.on("error", () => undefined));
}

/**
 * Lends a connection for the duration of `run`. It is closed instead of returned after any error other than a
 * statement's own.
 */
export async function onConnection<T>(pool: Pool, run: (connection: Connection) => Promise<T>): Promise<T> {
  const client = await connectAnew(pool);
  let isUsable = true;
  let hasFailed = false;
  let isOver = false;

  async function send<Row extends object>(statement: Sendable, values: readonly unknown[] = []) {
    if (isOver) throw new Error("Statement sent after the end of its transaction.");
    const answer = Promise.withResolvers<QueryResult<Row>>();
    client.query<Row>({ ...statement, values: [...values] }, (error: Error | null, result) => {
      if (error === null) return answer.resolve(result);
      hasFailed = true;
      isUsable &&= isStatementError(error);
      if (codeOf(error) === READ_ONLY) renewedAt = performance.now();
      answer.reject(error);
    });
    try {
      return await answer.promise;
    } catch (error) {
      // The error's own stack ends at the socket; this one leads to the caller.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw explainRejection(error);
    }
  }

  try {
    return await run({ send, hasFailed: () => hasFailed });
  } finally {
    isOver = true;
    client.release(!isUsable || isOutdated(client));
  }
}

async function connectAnew(pool: Pool): Promise<PoolClient> {
  for (;;) {
    const client = await pool.connect();
    if (!isOutdated(client)) return client;
    client.release(true);
  }
}

function isOutdated(client: PoolClient): boolean {
  return (openedAt.get(client) ?? Infinity) < renewedAt;
}

/**
 * Whether only the statement was rejected and the connection is still usable: it is not broken, the values could be
 * sent, its prepared statements are valid, and the server accepts writes.
 */
function isStatementError(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && code !== READ_ONLY && !SHUTTING_DOWN.test(code) && !STALE_PREPARED.has(code);
}

function codeOf(error: unknown): string | undefined {
  return error instanceof DatabaseError ? (error.code ?? "") : undefined;
}
