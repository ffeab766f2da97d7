import { chmod, mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import type { QueryResultRow } from "pg";
import type { TestProject } from "vitest/node";
import { z } from "zod";
import { startEmbeddedPostgres } from "#db/embedded/start-embedded-postgres.ts";
import { migrate } from "#db/migrate.ts";
import { newId } from "#lib/ids.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** A server on which tests may make databases. */
    serverUrl: string;
    /** A database with the schema and nothing in it, to copy; the names of its copies begin with its name. */
    templateName: string;
  }
}

/**
 * Provides a server to the tests, once for all projects: the one of TEST_DATABASE_URL, or an embedded one in its own
 * folder that is removed at the end. Unit tests alone need none.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (project.vitest.projects.every(({ name }) => name === "unit")) return () => Promise.resolve();
  const given = process.env["TEST_DATABASE_URL"];
  const folder = given === undefined ? await mkdtemp(join(await roomForDatabases(), "muster-test-")) : undefined;
  // As root, the server runs as another user, which needs access to the folder.
  if (folder !== undefined) await chmod(folder, 0o755);
  const embedded =
    folder === undefined ? undefined : await startEmbeddedPostgres({ dataFolder: folder, settings: SETTINGS });
  const serverUrl = given ?? embedded?.url ?? "";
  const templateName = `muster_template_${newId().slice(-12)}`;
  await onServer(serverUrl, `create database ${templateName}`);
  const templateUrl = inDatabase(serverUrl, templateName);
  await migrate(templateUrl, async () => undefined);
  project.provide("serverUrl", serverUrl);
  project.provide("templateName", templateName);

  return async () => {
    if (embedded === undefined) await dropAll(serverUrl, templateName);
    await embedded?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  };
}

/** The data need not outlive the machine, so nothing waits for the disk; each worker has several services at a time. */
const SETTINGS = { fsync: "off", full_page_writes: "off", max_connections: "300" } as const;

/** Linux keeps the files of this folder in memory. */
const MEMORY_FOLDER = "/dev/shm";
/** Several times what the databases of a run take at once, with their write-ahead log. */
const ROOM_BYTES = 4 * 1024 ** 3;

/** In memory if there is room: a database has 800 files, whose copies take a tenth of the CPU time there. */
async function roomForDatabases(): Promise<string> {
  const room = await statfs(MEMORY_FOLDER).catch(() => undefined);
  return room !== undefined && room.bavail * room.bsize >= ROOM_BYTES ? MEMORY_FOLDER : tmpdir();
}

/** The same server, another database. */
export function inDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Drops the template and its copies that are still there, each with the role of its requests. */
async function dropAll(serverUrl: string, templateName: string): Promise<void> {
  const find = `select datname as name, 'muster_requests_' || oid as role from pg_database where starts_with(datname, '${templateName}')`;
  for (const { name, role } of copies.parse(await onServer(serverUrl, find))) {
    await onServer(serverUrl, `drop database ${name} with (force)`);
    await onServer(serverUrl, `drop role if exists ${role}`);
  }
}

const copies = z.array(z.object({ name: z.string(), role: z.string() }));

/** Runs one statement on the server's own database. @returns its rows */
export async function onServer(serverUrl: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    return (await client.query<QueryResultRow>(statement)).rows;
  } finally {
    await client.end();
  }
}
