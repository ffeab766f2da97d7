import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "#lib/error-code.ts";

const POLL_MS = 10;
const RENEW_MS = 500;
/** A holder that has not renewed its lock for this long is dead, even if another process has its pid now. */
const STALE_MS = 5_000;

/**
 * Runs `work` while no other process runs it for the same `file`; waits for the current holder, and takes over from a
 * dead one. This only avoids duplicate work: PostgreSQL itself prevents two servers on one cluster.
 */
export async function withStartLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  while (!tryTake(file)) await sleep(POLL_MS);
  const renewal = setInterval(() => renew(file), RENEW_MS);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    rmSync(file, { force: true });
  }
}

function tryTake(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  removeStale(file);
  return false;
}

/** Renames before it removes: of several processes that find the same dead holder, one succeeds. */
function removeStale(file: string): void {
  const aside = `${file}.stale-${process.pid}`;
  try {
    const holder = Number(readFileSync(file, "utf8"));
    const isFresh = Date.now() - statSync(file).mtimeMs < STALE_MS;
    // An empty file was created a moment ago, and its holder is about to write its pid.
    if (isFresh && (holder === 0 || isRunning(holder))) return;
    renameSync(file, aside);
    rmSync(aside, { force: true });
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

function renew(file: string): void {
  const now = new Date();
  try {
    utimesSync(file, now, now);
  } catch (error) {
    // Taken over after a long pause of this process; the work continues to its end.
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}
