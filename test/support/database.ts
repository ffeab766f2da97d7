import { chmod, mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "#db/embedded/start-embedded-postgres.ts";
import { migrate } from "#db/migrate.ts";
import { newId } from "#lib/ids.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** A server on which tests may make databases. */
    serverUrl: string;
    /** A database with the schema and nothing in it, to copy. */
    templateName: string;
  }
}

/**
 * Provides a server to the tests, once for all files: the one of TEST_DATABASE_URL, or an embedded one
 * in its own folder that is removed at the end.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
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
    await onServer(serverUrl, `drop database ${templateName} with (force)`);
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

/** Runs one statement on the server's own database. */
export async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
