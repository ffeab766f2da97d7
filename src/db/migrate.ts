import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { codeOf } from "#lib/error-code.ts";
import { KEEP_ALIVE, named } from "./pool.ts";
import { BACKUP_LOCK } from "./queries/backup/backup-lock.ts";
import { applyRoutines } from "./routines.ts";
import { rowsOnClient } from "./rows-on-client.ts";
import { statement } from "./statement.ts";

/** An arbitrary lock number, unlikely to be used by other programs; the digits spell "muster" on a phone. */
const MIGRATION_LOCK = 687_837;
const LOCK_RETRY_MS = 100;
const FOLDER = join(import.meta.dirname, "migrations");

/** The oldest PostgreSQL that this program works with. */
const MIN_SERVER = 15;

/** The first migration; every schema that can be upgraded has it. */
export const FIRST_MIGRATION = "0001-first-version.sql";

const INSUFFICIENT_PRIVILEGE = "42501";
const RIGHTS =
  "It needs CREATE on the database and on its schema public, and CREATEROLE; or, in place of the last, an administrator " +
  "runs: CREATE ROLE muster_viewer NOLOGIN; CREATE ROLE muster_app NOLOGIN IN ROLE muster_viewer; " +
  "CREATE ROLE muster_admin NOLOGIN IN ROLE muster_app; GRANT muster_viewer, muster_app, muster_admin TO";

interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/** This version of the program cannot use the database; the message says why. */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
}

/**
 * Migrates the schema to the current version: tables first, then functions, triggers and views; then runs `afterwards`
 * under the same lock. If several processes start concurrently, one does the work and the others wait. Each migration
 * is one transaction.
 * @param signal aborts the wait for another process
 * @returns the names of the applied migrations, and the result of `afterwards`
 * @throws SchemaError when the server is too old, the encoding is not UTF8, the database is newer than this program, an applied migration was edited, or the URL's role
 * lacks a right
 */
export async function migrate<T>(
  url: string,
  afterwards: () => Promise<T>,
  signal: AbortSignal = new AbortController().signal,
): Promise<{ readonly applied: readonly string[]; readonly result: T }> {
  const client = new Client({ connectionString: named(url), ...KEEP_ALIVE });
  // Its statement then fails as well, with a better message.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await assertServer(client);
    await lock(client, MIGRATION_LOCK, signal);
    const applied = await applyPending(client, await readMigrations(FOLDER), signal);
    await applyRoutines(client);
    return { applied, result: await afterwards() };
  } catch (error) {
    throw isMissingRight(error) ? missingRight(client.user, error) : error;
  } finally {
    await client.end();
  }
}

/** The schema version of this program. */
export async function latestVersion(): Promise<number> {
  return (await readMigrations(FOLDER)).at(-1)?.version ?? 0;
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

async function applyPending(client: Client, migrations: readonly Migration[], signal: AbortSignal): Promise<string[]> {
  await client.query(`create table if not exists schema_migrations (
    version integer primary key,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default now()
  )`);
  const rows = await rowsOnClient<AppliedMigration>(client, READ_APPLIED);
  if (rows[0] !== undefined && rows[0].name !== FIRST_MIGRATION) throw beforeFirstRelease();
  checkHistory(rows, migrations);
  const done = new Set(rows.map(({ version }) => version));
  const pending = migrations.filter(({ version }) => !done.has(version));
  // A migration that waits for the tables of a backup would block all requests. The lock ends with the connection.
  if (pending.length > 0) await lock(client, BACKUP_LOCK, signal);
  for (const migration of pending) await apply(client, migration);
  return pending.map((migration) => migration.name);
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

async function apply(client: Client, migration: Migration): Promise<void> {
  await client.query("begin");
  try {
    await client.query(migration.sql);
    await client.query("insert into schema_migrations (version, name, checksum) values ($1, $2, $3)", [
      migration.version,
      migration.name,
      migration.checksum,
    ]);
    await client.query("commit");
  } catch (error) {
    // On a lost connection it fails as well, with a less useful message.
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

function isMissingRight(error: unknown): error is Error {
  return error instanceof Error && codeOf(error) === INSUFFICIENT_PRIVILEGE;
}

function missingRight(role: string | undefined, cause: Error): SchemaError {
  const message = `DATABASE_URL: the role ${role} may not prepare the database (${cause.message}). ${RIGHTS} ${role} WITH ADMIN OPTION;`;
  return new SchemaError(message, { cause });
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  const migrations = await Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), "utf8");
      const version = Number.parseInt(name, 10);
      return { version, name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
  const twice = migrations.find(({ version }, index) => version === migrations[index - 1]?.version);
  if (twice !== undefined) throw new SchemaError(`Migration ${twice.name} has the number of another one.`);
  return migrations;
}
