import { setTimeout as sleep } from "node:timers/promises";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { startEmbeddedPostgres } from "#db/embedded/start-embedded-postgres.ts";
import { eventually } from "../support/eventually.ts";
import { sql } from "../support/workspace.ts";

const START_MS = 60_000;

/** How a PostgreSQL server can be ended: in good order, or as if the power were gone. */
export type ServerEnd = "SIGINT" | "SIGQUIT";

/** A PostgreSQL server that no other test uses, so it may be restarted. */
export interface OwnDatabase {
  readonly url: string;
  /** Ends the server and waits until it is there again. */
  restart(how: ServerEnd): Promise<void>;
  /** Holds what a statement locks, for so many milliseconds, unless the server ends before. */
  holdLock(statement: string, ms: number): Promise<void>;
  /** Breaks every connection, as a network does. */
  cutConnections(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server in its own folder. */
export async function openOwnDatabase(): Promise<OwnDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "muster-chaos-"));
  // As root, the server runs as another user, which needs access to the folder.
  await chmod(folder, 0o755);
  const server = await startEmbeddedPostgres({ dataFolder: folder });
  return {
    url: server.url,
    async restart(how) {
      const ended = await endOf(server.url);
      process.kill(Number.parseInt(await readFile(join(server.dataDirectory, "postmaster.pid"), "utf8"), 10), how);
      await ended();
      // The process that owns an embedded server restarts it when it dies.
      await eventually("the database is back", () => answers(server.url), START_MS);
    },
    async holdLock(statement, ms) {
      const locker = new Client({ connectionString: server.url });
      locker.on("error", () => undefined);
      try {
        await locker.connect();
        await locker.query(`begin; ${statement}`);
        await sleep(ms);
      } catch {
        // The server ended, or broke the connection.
      } finally {
        await locker.end().catch(() => undefined);
      }
    },
    async cutConnections() {
      const backends = "backend_type = 'client backend' and pid <> pg_backend_pid()";
      await sql(server.url, `select pg_terminate_backend(pid) from pg_stat_activity where ${backends}`);
    },
    async close() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Opens a connection; the returned function waits until the server has ended it. */
async function endOf(url: string): Promise<() => Promise<void>> {
  const witness = new Client({ connectionString: url });
  const { promise, resolve } = Promise.withResolvers<void>();
  witness.on("error", () => undefined);
  witness.once("end", resolve);
  await witness.connect();
  return () => promise;
}

/** By a new connection: one from before may still answer while the server shuts down. */
async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}
