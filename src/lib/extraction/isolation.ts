import { spawn } from "node:child_process";
import { once } from "node:events";
import { basename, dirname, join, resolve } from "node:path";
import { codeOf } from "../error-code.ts";
import { denying } from "./deny-calls.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
/** The program and its packages: the only files that the extraction process may read. */
const READABLE = [join(ROOT, "src"), join(ROOT, "node_modules"), ...foldersOfPackages(dirname(ROOT))];
/** An unused user and group id; the account `nobody` may own the embedded database. */
const UNPRIVILEGED_ID = 65_533;

/**
 * Node's flags for a process that reads untrusted files: it may read its own program only, write no files, and start
 * nothing but threads (https://nodejs.org/docs/latest-v24.x/api/permissions.html).
 */
export const PERMISSIONS: readonly string[] = [
  "--permission",
  ...READABLE.map((folder) => `--allow-fs-read=${folder}`),
  "--allow-worker",
  "--no-warnings",
];

let prefix: Promise<readonly string[]> | undefined;

/**
 * The prefix of a command that runs without network access: in its own network namespace, if Linux allows this user to
 * create one (https://man7.org/linux/man-pages/man1/unshare.1.html), or else without sockets; empty where neither
 * works. Detected once.
 */
export function withoutNetwork(): Promise<readonly string[]> {
  return (prefix ??= findPrefix());
}

/**
 * Changes a root process to an unprivileged user; call it before reading untrusted bytes, and after loading all code.
 * Does nothing where the system forbids the change.
 */
export function dropPrivileges(): void {
  if (process.getuid?.() !== 0) return;
  try {
    process.setgroups?.([]);
    process.setgid?.(UNPRIVILEGED_ID);
    process.setuid?.(UNPRIVILEGED_ID);
  } catch (error) {
    if (!["EPERM", "EINVAL"].includes(codeOf(error))) throw error;
  }
}

/** The folders above an installed package in which npm, pnpm and yarn place its dependencies; none above a checkout. */
function foldersOfPackages(folder: string): readonly string[] {
  const above = dirname(folder) === folder ? [] : foldersOfPackages(dirname(folder));
  return basename(folder) === "node_modules" ? [folder, ...above] : above;
}

async function findPrefix(): Promise<readonly string[]> {
  if (process.platform !== "linux") return [];
  const namespace = process.getuid?.() === 0 ? ["unshare", "--net"] : ["unshare", "--user", "--net"];
  for (const command of [namespace, denying("socket")]) {
    if (command !== undefined && (await succeeds([...command, "true"]))) return command;
  }
  return [];
}

async function succeeds([program = "", ...args]: readonly string[]): Promise<boolean> {
  const child = spawn(program, args, { stdio: "ignore", env: {} });
  const [code] = await once(child, "exit").catch(() => [undefined]);
  return code === 0;
}
