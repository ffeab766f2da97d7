import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "./place.ts";

/**
 * Whether a process of a server (the postmaster, or a backend that outlived it for a moment) still works on the cluster.
 * PostgreSQL's processes have the cluster as their current folder, which also tells them from a stranger that got the
 * number in `postmaster.pid` (in a restarted container that is likely) and from a dead one that nobody has reaped.
 */
export function hasServerProcess(place: Place): boolean {
  if (process.platform !== "linux") return isPidFileAlive(place);
  return readdirSync("/proc").some((name) => /^\d+$/.test(name) && worksOn(place, name));
}

/**
 * Removes `postmaster.pid` of a server that is gone. PostgreSQL does so itself unless the number in it is in use.
 * Call it only when {@link hasServerProcess} has just said no, under the start lock.
 */
export function removeStalePidFile(place: Place): void {
  if (process.platform === "linux") rmSync(join(place.dataDirectory, "postmaster.pid"), { force: true });
}

function worksOn(place: Place, pid: string): boolean {
  try {
    if (statSync(`/proc/${pid}`).uid !== place.account.uid) return false;
    return readlinkSync(`/proc/${pid}/cwd`) === place.dataDirectory;
  } catch (error) {
    // Root without CAP_SYS_PTRACE (the default in containers) may not look: any PostgreSQL of the account counts.
    return error instanceof Error && "code" in error && error.code === "EACCES" && isPostgres(pid);
  }
}

function isPostgres(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0", 1).join("").includes("postgres");
  } catch {
    return false;
  }
}

function isPidFileAlive(place: Place): boolean {
  const file = join(place.dataDirectory, "postmaster.pid");
  if (!existsSync(file)) return false;
  try {
    process.kill(Number.parseInt(readFileSync(file, "utf8"), 10), 0);
    return true;
  } catch {
    return false;
  }
}
