import { chmodSync, existsSync, lchownSync, lstatSync, mkdirSync, realpathSync, statSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import type { ServerAccount } from "./server-account.ts";

const GROUP_OR_OTHERS_MAY_WRITE = 0o022;
const GROUP_AND_OTHERS = 0o077;

/**
 * Whether `account` can reach files inside `folder`: it may enter the folder and all its parents. Decided by permission
 * bits; supplementary groups are ignored because a changed user does not keep them. A missing folder is judged by its
 * nearest existing parent.
 */
export function canEnter(account: ServerAccount, folder: string): boolean {
  let current = folder;
  while (!existsSync(current)) current = dirname(current);
  current = realpathSync(current);
  while (maySearch(account, statSync(current))) {
    if (dirname(current) === current) return true;
    current = dirname(current);
  }
  return false;
}

/**
 * Creates a folder for files that everyone may read but only root (or the current user) may change, or checks an
 * existing one: a real folder, owned by root or the current user, not writable by others.
 * @throws {Error} when another user created it or may change it
 */
export function ensureProtectedFolder(folder: string): void {
  const created = mkdirSync(folder, { recursive: true, mode: 0o755 });
  // The umask may have removed permissions that others need to enter it.
  if (created) chmodSync(folder, 0o755);
  const stats = lstatSync(folder);
  const isOurs = stats.uid === 0 || stats.uid === process.getuid?.();
  if (!stats.isDirectory() || !isOurs || (stats.mode & GROUP_OR_OTHERS_MAY_WRITE) !== 0) {
    throw new Error(`${folder} is not a folder that only its owner, root or the current user, may write to`);
  }
}

/**
 * Creates a folder that only `account` (and root) may enter, or checks an existing one.
 * @throws {Error} when it is no real folder, belongs to another account, or is open to others
 */
export function ensurePrivateFolder(folder: string, account: ServerAccount): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (account.differs && lstatSync(folder).uid === 0) lchownSync(folder, account.uid, account.gid);
  if (!isPrivateFolder(folder, account)) {
    throw new Error(`${folder} must be a folder of user ${account.uid} that no other user can access (mode 0700)`);
  }
}

/** Whether `folder` is a real folder (no symbolic link) of `account` that only root and its owner may enter. */
export function isPrivateFolder(folder: string, account: ServerAccount): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  return (
    stats !== undefined && stats.isDirectory() && stats.uid === account.uid && (stats.mode & GROUP_AND_OTHERS) === 0
  );
}

function maySearch(account: ServerAccount, stats: Stats): boolean {
  if (stats.uid === account.uid) return (stats.mode & 0o100) !== 0;
  if (stats.gid === account.gid) return (stats.mode & 0o010) !== 0;
  return (stats.mode & 0o001) !== 0;
}
