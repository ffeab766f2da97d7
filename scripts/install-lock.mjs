// A lock between processes of one checkout: a folder (creating one is atomic), whose time stamp the holder renews.
// A holder that died stops renewing, whatever the reason, also in another container, and the lock is taken over.
import { mkdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const RENEW_MS = 1_000;
const STALE_MS = 10_000;
const POLL_MS = 100;

/**
 * Runs `work` while no other process runs it for the same `folder`; waits as long as another one holds the lock.
 * @template T
 * @param {string} folder path of the lock; it exists while the lock is held
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withInstallLock(folder, work) {
  mkdirSync(dirname(folder), { recursive: true });
  while (!tryTake(folder)) await sleep(POLL_MS);
  const renewal = setInterval(() => renew(folder), RENEW_MS);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    rmSync(folder, { recursive: true, force: true });
  }
}

function tryTake(folder) {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  removeStale(folder);
  return false;
}

/** Renames before it removes: of several processes that find the same stale lock, one succeeds. */
function removeStale(folder) {
  try {
    if (Date.now() - statSync(folder).mtimeMs < STALE_MS) return;
    const aside = `${folder}.stale-${process.pid}`;
    renameSync(folder, aside);
    rmSync(aside, { recursive: true, force: true });
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
}

function renew(folder) {
  const now = new Date();
  try {
    utimesSync(folder, now, now);
  } catch {
    // Taken over after a long pause of this process (a suspended laptop); the work continues to its end.
  }
}
