import { existsSync, readFileSync, statSync } from "node:fs";
import { NoLocalPostgresError } from "./no-local-postgres.ts";

/** Accounts that exist on practically every Unix and own nothing of value; PostgreSQL's own comes first. */
const UNPRIVILEGED_ACCOUNTS = ["postgres", "nobody", "daemon"];

/** The operating-system account of the PostgreSQL processes. */
export interface ServerAccount {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  /** True when this process is root and has to change to the account: PostgreSQL refuses to run as root. */
  readonly differs: boolean;
}

/**
 * The account to run PostgreSQL as: the current user; for root the owner of the existing cluster, or for a new cluster
 * the first of postgres, nobody and daemon in /etc/passwd.
 * @param clusterHome the folder that holds the cluster; it need not exist
 * @throws {NoLocalPostgresError} when no such account exists, or the cluster belongs to another user
 */
export function chooseServerAccount(clusterHome: string): ServerAccount {
  const uid = process.getuid?.();
  const gid = process.getgid?.();
  if (uid === undefined || gid === undefined) throw new NoLocalPostgresError(`${process.platform} is not supported`);
  const owner = existsSync(clusterHome) ? statSync(clusterHome) : undefined;
  if (uid === 0) return accountForRoot(owner);
  if (owner && owner.uid !== uid) {
    throw new NoLocalPostgresError(`${clusterHome} belongs to user ${owner.uid}; start Muster as that user or as root`);
  }
  return { name: "the current user", uid, gid, differs: false };
}

function accountForRoot(owner: { readonly uid: number; readonly gid: number } | undefined): ServerAccount {
  if (owner && owner.uid !== 0) return { name: String(owner.uid), uid: owner.uid, gid: owner.gid, differs: true };
  for (const name of UNPRIVILEGED_ACCOUNTS) {
    const account = readAccount(name);
    if (account) return account;
  }
  throw new NoLocalPostgresError(
    `PostgreSQL refuses to run as root, and /etc/passwd has none of ${UNPRIVILEGED_ACCOUNTS.join(", ")} to run it as`,
  );
}

function readAccount(name: string): ServerAccount | undefined {
  // name:password:uid:gid:…; macOS writes nobody's ids as negative numbers, which cannot be used here.
  const match = new RegExp(`^${name}:[^:]*:([1-9]\\d*):(\\d+):`, "m").exec(readFileSync("/etc/passwd", "utf8"));
  return match ? { name, uid: Number(match[1]), gid: Number(match[2]), differs: true } : undefined;
}
