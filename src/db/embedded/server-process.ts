import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "#lib/error-code.ts";
import type { ClusterLocation } from "./cluster-location.ts";

/**
 * Whether a server process (the postmaster, or a backend that briefly outlives it) still uses the cluster. PostgreSQL's
 * processes have the cluster as their working directory. This distinguishes them from an unrelated process with the pid
 * in `postmaster.pid` (likely in a restarted container) and from a zombie.
 */
export function hasServerProcess(location: ClusterLocation): boolean {
  if (process.platform !== "linux") return isPidFileAlive(location);
  return readdirSync("/proc").some((name) => /^\d+$/.test(name) && isInCluster(location, name));
}

/**
 * Removes the `postmaster.pid` of a dead server. PostgreSQL does so itself unless its pid is in use again. Call it only
 * right after {@link hasServerProcess} returned false, under the start lock.
 */
export function removeStalePidFile(location: ClusterLocation): void {
  if (process.platform === "linux") rmSync(join(location.dataDirectory, "postmaster.pid"), { force: true });
}

function isInCluster(location: ClusterLocation, pid: string): boolean {
  try {
    if (statSync(`/proc/${pid}`).uid !== location.account.uid) return false;
    return readlinkSync(`/proc/${pid}/cwd`) === location.dataDirectory;
  } catch (error) {
    // Root without CAP_SYS_PTRACE (the default in containers) cannot read it: any PostgreSQL of the account counts.
    return codeOf(error) === "EACCES" && isPostgres(pid);
  }
}

function isPostgres(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0", 1).join("").includes("postgres");
  } catch {
    return false;
  }
}

function isPidFileAlive(location: ClusterLocation): boolean {
  const file = join(location.dataDirectory, "postmaster.pid");
  if (!existsSync(file)) return false;
  try {
    process.kill(Number.parseInt(readFileSync(file, "utf8"), 10), 0);
    return true;
  } catch {
    return false;
  }
}
