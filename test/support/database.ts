import { chmod, mkdtemp, rm } from "node:fs/promises";
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
  const folder = given === undefined ? await mkdtemp(join(tmpdir(), "muster-test-")) : undefined;
  // As root, the server runs as another user, which needs access to the folder.
  if (folder !== undefined) await chmod(folder, 0o755);
  const embedded = folder === undefined ? undefined : await startEmbeddedPostgres({ dataFolder: folder });
  const serverUrl = given ?? embedded?.url ?? "";
  if (embedded !== undefined) await relaxDurability(embedded.url);
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

/** The server's data need not outlive the machine: without waiting for the disk the tests take less time. */
async function relaxDurability(serverUrl: string): Promise<void> {
  for (const setting of ["fsync", "full_page_writes"]) await onServer(serverUrl, `alter system set ${setting} = off`);
  await onServer(serverUrl, "select pg_reload_conf()");
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
