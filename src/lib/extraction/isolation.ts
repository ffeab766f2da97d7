import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** The program and its packages: all that the process which reads foreign files may read itself. */
const READABLE = ["src", "node_modules"].map((folder) => join(import.meta.dirname, "../../..", folder));
/** A user and group that no account has: the account `nobody` may own the embedded database. */
const UNPRIVILEGED_ID = 65_533;

/**
 * Node's flags for a process that handles foreign files: it may read its own program and nothing else, write nothing
 * and start nothing but threads (https://nodejs.org/docs/latest-v24.x/api/permissions.html).
 */
export const PERMISSIONS: readonly string[] = [
  "--permission",
  ...READABLE.map((folder) => `--allow-fs-read=${folder}`),
  "--allow-worker",
  "--no-warnings",
];

let prefix: Promise<readonly string[]> | undefined;

/**
 * The beginning of a command that runs a program without a network: in a network namespace of its own, where Linux lets
 * this user create one (https://man7.org/linux/man-pages/man1/unshare.1.html); else empty. Found out once.
 */
export function withoutNetwork(): Promise<readonly string[]> {
  return (prefix ??= findPrefix());
}

/**
 * Lets a process of root continue as another user, who owns nothing; call it before any foreign byte is read, and after
 * everything is loaded. Where the system does not let root change its user, the process stays what it is.
 */
export function dropPrivileges(): void {
  if (process.getuid?.() !== 0) return;
  try {
    process.setgroups?.([]);
    process.setgid?.(UNPRIVILEGED_ID);
    process.setuid?.(UNPRIVILEGED_ID);
  } catch (error) {
    const isForbidden =
      error instanceof Error && "code" in error && (error.code === "EPERM" || error.code === "EINVAL");
    if (!isForbidden) throw error;
  }
}

async function findPrefix(): Promise<readonly string[]> {
  if (process.platform !== "linux") return [];
  const command = process.getuid?.() === 0 ? ["unshare", "--net"] : ["unshare", "--user", "--net"];
  return (await succeeds([...command, "true"])) ? command : [];
}

async function succeeds([program = "", ...args]: readonly string[]): Promise<boolean> {
  const child = spawn(program, args, { stdio: "ignore", env: {} });
  const [code] = await once(child, "exit").catch(() => [undefined]);
  return code === 0;
}
