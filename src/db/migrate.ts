import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { codeOf } from "#lib/error-code.ts";
import { applyMigration } from "./migration/apply.ts";
import { LOCK_WAIT, awaitLocks } from "./migration/await-locks.ts";
import type { Changing, LockWait } from "./migration/await-locks.ts";
import { changesOf } from "./migration/changes.ts";
import type { Change } from "./migration/changes.ts";
import { FIRST_MIGRATION, FOLDER, readMigrations } from "./migration/files.ts";
import type { Manner, Migration } from "./migration/files.ts";
import { SchemaError } from "./migration/schema-error.ts";
import { KEEP_ALIVE, named } from "./pool.ts";
import { BACKUP_LOCK } from "./queries/backup/backup-lock.ts";
import { applyRoutines, hasRoutines } from "./routines.ts";
import { rowsOnClient } from "./rows-on-client.ts";
import { statement } from "./statement.ts";

/** An arbitrary lock number, unlikely to be used by other programs; the digits spell "muster" on a phone. */
const MIGRATION_LOCK = 687_837;
const LOCK_RETRY_MS = 100;

/** The oldest PostgreSQL that this program works with. */
const MIN_SERVER = 15;

const INSUFFICIENT_PRIVILEGE = "42501";
const RIGHTS =
  "It needs CREATE on the database and on its schema public, and CREATEROLE; or, in place of the last, an administrator " +
  "runs: CREATE ROLE muster_viewer NOLOGIN; CREATE ROLE muster_app NOLOGIN IN ROLE muster_viewer; " +
  "CREATE ROLE muster_admin NOLOGIN IN ROLE muster_app; CREATE ROLE muster_reach_viewer NOLOGIN; " +
  "CREATE ROLE muster_reach_app NOLOGIN IN ROLE muster_reach_viewer; " +
  "GRANT muster_viewer, muster_app, muster_admin, muster_reach_viewer, muster_reach_app TO";

/** How to migrate; the defaults are for all but tests. */
export interface MigrateOptions {
  /** Aborts a wait. */
  readonly signal?: AbortSignal;
  readonly folder?: string;
  readonly wait?: LockWait;
}

/**
 * Migrates the schema to the current version: tables first, then functions, triggers and views; then runs `afterwards`
 * under the same lock. If several processes start concurrently, one does the work and the others wait.
 * @returns the names of the applied migrations, and the result of `afterwards`
 * @throws SchemaError when the server is too old, the encoding is not UTF8, the database is newer than this program, an
 * applied migration was edited, the URL's role lacks a right, or another session holds a lock
 */
export async function migrate<T>(
  url: string,
  afterwards: () => Promise<T>,
  { signal = new AbortController().signal, folder = FOLDER, wait = LOCK_WAIT }: MigrateOptions = {},
): Promise<{ readonly applied: readonly string[]; readonly result: T }> {
  return onServer(url, async (client) => {
    await lock(client, MIGRATION_LOCK, signal);
    const changing = { client, url, wait, signal };
    const applied = await applyPending(changing, await readMigrations(folder));
    await awaitLocks(changing, "The change of functions, triggers and views", () => applyRoutines(client));
    return { applied, result: await afterwards() };
  });
}

/** A migration that the next start applies. */
export interface PlannedMigration {
  readonly name: string;
  readonly manner: Manner;
  readonly changes: readonly Change[];
}

/** What the next start changes. */
export interface MigrationPlan {
  readonly migrations: readonly PlannedMigration[];
  /** Whether functions, triggers and views are replaced. */
  readonly routines: boolean;
}

/** Reads what {@link migrate} would change; it changes and locks nothing. @throws SchemaError as it does */
export async function planMigrations(url: string, folder = FOLDER): Promise<MigrationPlan> {
  return onServer(url, async (client) => {
    const migrations = await readMigrations(folder);
    const isNew = (await rowsOnClient(client, FIND_HISTORY)).length === 0;
    const pending = isNew ? migrations : await pendingOf(client, migrations);
    const planned = pending.map(({ name, manner, sql }) => ({ name, manner, changes: changesOf(sql) }));
    return { migrations: planned, routines: isNew || !(await hasRoutines(client)) };
  });
}

const FIND_HISTORY = statement({
  name: "find-migration-history",
  text: "select 1 as found from pg_class where oid = to_regclass('schema_migrations')",
});

/** Runs a function with a connection to a server that can be used. */
async function onServer<T>(url: string, run: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: named(url), ...KEEP_ALIVE });
  // Its statement then fails as well, with a better message.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await assertServer(client);
    return await run(client);
  } catch (error) {
    throw isMissingRight(error) ? missingRight(client.user, error) : error;
  } finally {
    await client.end();
  }
}

const READ_SERVER = statement({
  name: "read-server-version",
  text: "select current_setting('server_version_num')::integer / 10000 as major, current_setting('server_version') as version, current_setting('server_encoding') as encoding",
});

async function assertServer(client: Client): Promise<void> {
  const [row] = await rowsOnClient<{ major: number; version: string; encoding: string }>(client, READ_SERVER);
  if (row === undefined) return;
  if (row.major < MIN_SERVER) {
    throw new SchemaError(
      `DATABASE_URL: this is PostgreSQL ${row.version}; Muster needs PostgreSQL ${MIN_SERVER} or newer.`,
    );
  }
  if (row.encoding !== "UTF8") {
    throw new SchemaError(
      `DATABASE_URL: the encoding of this database is ${row.encoding}; Muster needs UTF8. ` +
        `Create another one: CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8';`,
    );
  }
}

const LOCK = statement({ name: "lock-schema", text: "select pg_try_advisory_lock($1) as locked" });

/** Polls, because a statement that waits for the lock would block concurrent index builds. */
async function lock(client: Client, number: number, signal: AbortSignal): Promise<void> {
  for (;;) {
    const [row] = await rowsOnClient<{ locked: boolean }>(client, LOCK, [number]);
    if (row?.locked === true) return;
    await sleep(LOCK_RETRY_MS, undefined, { signal });
  }
}

const READ_APPLIED = statement({
  name: "read-applied-migrations",
  text: "select version, name, checksum from schema_migrations order by version",
});

interface AppliedMigration {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
}

async function applyPending(changing: Changing, migrations: readonly Migration[]): Promise<string[]> {
  const { client, signal } = changing;
  await client.query(`create table if not exists schema_migrations (
    version integer primary key,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default now()
  )`);
  const pending = await pendingOf(client, migrations);
  // A migration that waits for the tables of a backup would block all requests. The lock ends with the connection.
  if (pending.length > 0) await lock(client, BACKUP_LOCK, signal);
  for (const migration of pending) await applyMigration(changing, migration);
  return pending.map((migration) => migration.name);
}

async function pendingOf(client: Client, migrations: readonly Migration[]): Promise<readonly Migration[]> {
  const rows = await rowsOnClient<AppliedMigration>(client, READ_APPLIED);
  if (rows[0] !== undefined && rows[0].name !== FIRST_MIGRATION) throw beforeFirstRelease();
  checkHistory(rows, migrations);
  const done = new Set(rows.map(({ version }) => version));
  return migrations.filter(({ version }) => !done.has(version));
}

function beforeFirstRelease(): SchemaError {
  return new SchemaError(
    "This database was created by a version before the first release, which cannot be upgraded. " +
      "Start with an empty data folder or an empty database.",
  );
}

function checkHistory(applied: readonly AppliedMigration[], migrations: readonly Migration[]): void {
  const byVersion = new Map(migrations.map((migration) => [migration.version, migration]));
  const newest = migrations.at(-1)?.version ?? 0;
  const unknown = applied.findLast(({ version }) => !byVersion.has(version));
  if (unknown !== undefined) {
    throw new SchemaError(
      `The database has schema version ${unknown.version} (${unknown.name}); this program knows versions up to ${newest}. ` +
        "Start the version of Muster that created it, or a newer one.",
    );
  }
  for (const row of applied) {
    if (byVersion.get(row.version)?.checksum !== row.checksum) {
      throw new SchemaError(
        `Migration ${row.name} was changed after it had been applied to this database. ` +
          "Restore the file; changes belong in a new migration.",
      );
    }
  }
}

function isMissingRight(error: unknown): error is Error {
  return error instanceof Error && codeOf(error) === INSUFFICIENT_PRIVILEGE;
}

function missingRight(role: string | undefined, cause: Error): SchemaError {
  const message = `DATABASE_URL: the role ${role} may not prepare the database (${cause.message}). ${RIGHTS} ${role} WITH ADMIN OPTION;`;
  return new SchemaError(message, { cause });
}
