import { chmodSync, existsSync, lchownSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { nameAccount } from "./account-name.ts";
import type { Binaries } from "./binaries.ts";
import { ensurePrivateFolder } from "./folder-trust.ts";
import { NoLocalPostgresError } from "./no-local-postgres.ts";
import { MOVE_IT, POSTGRES_MAJOR, recordLocation, type ClusterLocation } from "./cluster-location.ts";
import { runAs } from "./run-as.ts";

const SCRATCH_PREFIX = "initdb-";

/**
 * Creates the cluster unless it exists, and records it in the data folder. Atomic: `initdb` writes to a temporary name,
 * so a killed one leaves no partial cluster; of two concurrent ones, one wins.
 * @throws {NoLocalPostgresError} when initdb cannot run or fails, or the cluster has another major version
 */
export async function ensureCluster(location: ClusterLocation, binaries: Binaries): Promise<void> {
  ensurePrivateFolder(location.home, location.account);
  if (!existsSync(location.dataDirectory)) await createCluster(location, binaries);
  const major = readFileSync(join(location.dataDirectory, "PG_VERSION"), "utf8").trim();
  if (major !== String(POSTGRES_MAJOR)) {
    throw new NoLocalPostgresError(`${location.dataDirectory} was created by PostgreSQL ${major}, ${MOVE_IT}`);
  }
  recordLocation(location);
  removeInterrupted(location);
}

/** Remains of a killed start. Its initdb may still be writing; it fails when its folder is removed. */
function removeInterrupted(location: ClusterLocation): void {
  for (const name of readdirSync(location.home).filter((entry) => entry.startsWith(SCRATCH_PREFIX))) {
    rmSync(join(location.home, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  }
}

async function createCluster(location: ClusterLocation, binaries: Binaries): Promise<void> {
  const scratch = mkdtempSync(join(location.home, SCRATCH_PREFIX));
  chmodSync(scratch, 0o700);
  if (location.account.differs) lchownSync(scratch, location.account.uid, location.account.gid);
  const names = `${scratch}-names`;
  try {
    const env = nameAccount(location.account, names);
    await runAs(location, { program: binaries.initdb, args: initdbArguments(scratch), env });
    renameSync(scratch, location.dataDirectory);
  } catch (error) {
    rmSync(scratch, { recursive: true, force: true });
    if (!existsSync(location.dataDirectory)) throw asNoLocalPostgres(error);
  } finally {
    rmSync(names, { recursive: true, force: true });
  }
}

function asNoLocalPostgres(error: unknown): NoLocalPostgresError {
  if (error instanceof NoLocalPostgresError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new NoLocalPostgresError(`initdb failed (${reason})`, { cause: error });
}

/**
 * PostgreSQL's built-in C.UTF-8 sorts and folds case identically on every system; library locales change with the
 * system, which corrupts indexes. Local connections need no password, because the socket's folder is private.
 */
function initdbArguments(dataDirectory: string): string[] {
  return [
    `--pgdata=${dataDirectory}`,
    "--username=postgres",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--auth-local=trust",
    "--auth-host=reject",
    "--no-instructions",
  ];
}
