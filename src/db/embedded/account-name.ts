import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ServerAccount } from "./server-account.ts";

const PASSWD = "/etc/passwd";
/** As long as the other path, and relative to the folder in which a program starts. */
const OWN_PASSWD = "./mu.passwd";
/** The C library, and up to glibc 2.33 the part of it that reads accounts. */
const LIBRARIES = ["libc.so.6", "libnss_files.so.2"];

/** How to start a program so that it finds a name for its account. */
export interface NamedStart {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * `initdb` refuses to work for a user without a name, as containers have them (OpenShift, `docker run --user 12345`). For
 * such an account, prepares a folder in which a program finds one: it loads a copy of the C library that reads the
 * folder's own list of accounts. Undefined when the account has a name, or on a system that has none of the libraries.
 */
export function nameAccount({ uid, gid }: ServerAccount, folder: string): NamedStart | undefined {
  const accounts = existsSync(PASSWD) ? readFileSync(PASSWD, "utf8") : "";
  if (process.platform !== "linux" || new RegExp(`^[^:]*:[^:]*:${uid}:`, "m").test(accounts)) return undefined;
  const libraries = loadedLibraries();
  if (libraries.length === 0) return undefined;
  mkdirSync(folder, { mode: 0o755 });
  for (const path of libraries) {
    const text = readFileSync(path, "latin1").replaceAll(`${PASSWD}\0`, `${OWN_PASSWD}\0`);
    writeFileSync(join(folder, path.slice(path.lastIndexOf("/") + 1)), text, { encoding: "latin1", mode: 0o755 });
  }
  writeFileSync(join(folder, OWN_PASSWD), `postgres:x:${uid}:${gid}::/:/bin/false\n`, { mode: 0o644 });
  return { cwd: folder, env: { LD_LIBRARY_PATH: folder } };
}

/** Where this process has the libraries from. */
function loadedLibraries(): readonly string[] {
  const [libc] = /\/\S*\/libc\.so\.6$/m.exec(readFileSync("/proc/self/maps", "utf8")) ?? [];
  if (libc === undefined) return [];
  return LIBRARIES.map((name) => libc.replace("libc.so.6", name)).filter((path) => existsSync(path));
}
