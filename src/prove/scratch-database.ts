import { chmod, mkdtemp, rm } from "node:fs/promises";
import type { NetConnectOpts } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { startEmbeddedPostgres } from "#db/embedded/start-embedded-postgres.ts";
import { newId } from "#lib/ids.ts";

/** A database of its own for a proof, gone afterwards. */
export interface ScratchDatabase {
  readonly url: string;
  /** Where its server listens. */
  readonly server: NetConnectOpts;
  /** The same database at another port of this machine. */
  urlAt(port: number): string;
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  close(): Promise<void>;
}

/**
 * Makes an empty database: in a PostgreSQL of its own, or in a server of the caller's.
 * @param serverUrl a server whose role may create databases, reached without TLS
 */
export async function openScratchDatabase(serverUrl?: string): Promise<ScratchDatabase> {
  return serverUrl === undefined ? openEmbedded() : openOnServer(serverUrl);
}

async function openEmbedded(): Promise<ScratchDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "muster-prove-"));
  // For root, the server runs as another user, who must be able to enter the folder.
  await chmod(folder, 0o755);
  const server = await startEmbeddedPostgres({ dataFolder: folder });
  return open(server.url, async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });
}

async function openOnServer(serverUrl: string): Promise<ScratchDatabase> {
  const name = `muster_prove_${newId().replaceAll("-", "").slice(-12)}`;
  const admin = new Client({ connectionString: serverUrl });
  await admin.connect();
  await admin.query(`create database ${name}`);
  const { rows } = await admin.query<{ role: string }>(
    "select 'muster_requests_' || oid as role from pg_database where datname = $1",
    [name],
  );
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return open(url.href, async () => {
    await admin.query(`drop database ${name} with (force)`);
    for (const { role } of rows) await admin.query(`drop role if exists ${role}`);
    await admin.end();
  });
}

async function open(url: string, remove: () => Promise<void>): Promise<ScratchDatabase> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  const { host, port, user = "", password, database = "" } = client;
  return {
    url,
    server: host.startsWith("/") ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port },
    urlAt(at) {
      const place = new URL(`postgresql://127.0.0.1:${at}/${database}?sslmode=disable`);
      place.username = encodeURIComponent(user);
      place.password = encodeURIComponent(password ?? "");
      return place.href;
    },
    async query<Row extends object>(text: string, values: readonly unknown[] = []) {
      return (await client.query<Row>(text, [...values])).rows;
    },
    async close() {
      await client.end();
      await remove();
    },
  };
}
