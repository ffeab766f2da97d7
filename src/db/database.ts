import type { QueryResultRow } from "pg";
import type { Tenant } from "#domain/access/role.ts";

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
  /** Runs one statement under a time limit, with times in UTC. */
  queryOnce<Row extends QueryResultRow>(statement: SingleUse): Promise<Row[]>;
}

/** How the connections of a pool are used. */
export interface PoolUse {
  readonly pool: "requests" | "service";
  readonly total: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
}

/** How the service talks to PostgreSQL. */
export interface Database {
  /** Runs one statement as the service itself, past row security: for the engine and for look-ups before a workspace is known. */
  query<Row extends QueryResultRow>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
  /** Runs one statement isolated to a workspace with the rights of a role, in one round trip. */
  queryInWorkspace<Row extends QueryResultRow>(
    tenant: Tenant,
    statement: Statement,
    values?: readonly unknown[],
  ): Promise<Row[]>;
  /** Runs a transaction as the service itself; again after a deadlock, as `inWorkspace` does. */
  transaction<T>(run: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Runs a transaction isolated to a workspace: as a database role that sees only rows of
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
