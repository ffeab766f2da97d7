import type { Tenant } from "#domain/access/role.ts";
import type { StatementOf } from "./statement.ts";

/** A statement built for a single use. */
export interface SingleUse {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Its time limit, in milliseconds; also applies to the rest of its transaction. */
  readonly timeoutMs: number;
}

/** An open transaction. */
export interface Transaction {
  /**
   * Runs one statement; statements may be sent without awaiting earlier ones. `Row` has the columns that the caller
   * reads, and is checked against PostgreSQL's description of the statement ({@link StatementOf}).
   */
  query<Row extends object = object>(statement: StatementOf<Row>, values?: readonly unknown[]): Promise<Row[]>;
  /**
   * Runs one statement under a time limit, with times in UTC. `Row` is not checked: texts are composed from
   * requests, so no description of them exists.
   */
  queryOnce<Row extends object = object>(statement: SingleUse): Promise<Row[]>;
  /**
   * Sends COMMIT with the statements sent so far, without waiting for their answers, which saves a round trip: if one
   * of them fails, PostgreSQL rolls back. Call it after the last statement, when no answer decides whether to commit. A
   * part of a shared transaction is committed with the whole.
   */
  commit(): void;
}

/** The use of a pool's connections. */
export interface PoolUse {
  readonly pool: "requests" | "service" | "replica";
  readonly total: number;
  readonly idle: number;
  /** Callers waiting for a connection. */
  readonly waiting: number;
}

/** Runs single statements as the service itself. */
export interface Queries {
  /** As {@link Transaction.query}, without row security. */
  query<Row extends object = object>(statement: StatementOf<Row>, values?: readonly unknown[]): Promise<Row[]>;
}

/**
 * The database as a tenant sees it: under a database role that sees only the rows of the tenant's workspace, and has
 * the rights of the tenant's role.
 */
export interface WorkspaceDatabase<Who extends Tenant = Tenant> {
  readonly who: Who;
  /** Runs one statement, in one round trip. */
  query<Row extends object = object>(statement: StatementOf<Row>, values?: readonly unknown[]): Promise<Row[]>;
  /**
   * Runs a transaction. Rolls back when `run` throws; runs it again when PostgreSQL has aborted the transaction because
   * of a deadlock.
   */
  transaction<T>(run: (tx: Transaction) => Promise<T>): Promise<T>;
}

/**
 * For reports, which may be some seconds old: a read replica answers them if there is one that is up to date enough.
 * Only for reading, and never for what a client may have changed just before. What is read may be read twice.
 */
export interface Reports extends Queries {
  /** As {@link Database.inWorkspace}. */
  inWorkspace(tenant: Tenant): WorkspaceDatabase;
}

/** The service's access to PostgreSQL. */
export interface Database extends Queries {
  /** For the beats of this process: a connection that neither load nor locks of other statements keep from it. */
  readonly beats: Queries;
  /** For the keeper and checks of ownership: the same. */
  readonly ownership: Queries;
  readonly reports: Reports;
  /**
   * Runs one statement as the service itself, without row security: for the engine, and for look-ups before a workspace
   * is known.
   */
  query<Row extends object = object>(statement: StatementOf<Row>, values?: readonly unknown[]): Promise<Row[]>;
  /** Runs a transaction as the service itself; retries it after a deadlock, as in a workspace. */
  transaction<T>(run: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Returns the database as a tenant sees it. */
  inWorkspace(tenant: Tenant): WorkspaceDatabase;
  /**
   * Runs a transaction in a workspace, with a database whose own transactions for the same tenant become parts of it.
   * Everything is committed when `run` returns, or rolled back if any part failed. Statements as the service itself are
   * not included. `run` is called again after a deadlock, as in any transaction of a workspace.
   */
  inSharedTransaction<T>(tenant: Tenant, run: (joined: Database, tx: Transaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
