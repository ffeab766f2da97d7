import { chmodSync, existsSync, lchownSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Binaries } from "./binaries.ts";
import { ensurePrivateFolder } from "./folder-trust.ts";
import { NoLocalPostgresError } from "./no-local-postgres.ts";
import { POSTGRES_MAJOR, recordPlace, type Place } from "./place.ts";
import { runAs } from "./run-as.ts";

const SCRATCH_PREFIX = "initdb-";

/**
 * Creates the cluster unless it exists, and records it in the data folder. Atomic: `initdb` writes to a temporary name,
 * so a killed one leaves no partial cluster; of two concurrent ones, one wins.
 * @throws {NoLocalPostgresError} when initdb cannot run or fails, or the cluster has another major version
 */
export async function ensureCluster(place: Place, binaries: Binaries): Promise<void> {
  ensurePrivateFolder(place.home, place.account);
  if (!existsSync(place.dataDirectory)) await createCluster(place, binaries);
  const major = readFileSync(join(place.dataDirectory, "PG_VERSION"), "utf8").trim();
  if (major !== String(POSTGRES_MAJOR)) {
    throw new NoLocalPostgresError(
      `${place.dataDirectory} was made by postgresql ${major}, and this version of Muster has postgresql ${POSTGRES_MAJOR}, which cannot read it`,
    );
  }
  recordPlace(place);
  removeInterrupted(place);
}

/** Remains of a killed start. Its initdb may still be writing; it fails when its folder is removed. */
function removeInterrupted(place: Place): void {
  for (const name of readdirSync(place.home).filter((entry) => entry.startsWith(SCRATCH_PREFIX))) {
    rmSync(join(place.home, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  }
}

async function createCluster(place: Place, binaries: Binaries): Promise<void> {
  const scratch = mkdtempSync(join(place.home, SCRATCH_PREFIX));
  chmodSync(scratch, 0o700);
  if (place.account.differs) lchownSync(scratch, place.account.uid, place.account.gid);
  try {
    await runAs(place, binaries.initdb, initdbArguments(scratch));
    renameSync(scratch, place.dataDirectory);
  } catch (error) {
    rmSync(scratch, { recursive: true, force: true });
    if (!existsSync(place.dataDirectory)) throw asNoLocalPostgres(error);
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
