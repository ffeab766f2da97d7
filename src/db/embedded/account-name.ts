import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { NoLocalPostgresError } from "./no-local-postgres.ts";
import type { ServerAccount } from "./server-account.ts";

const PASSWD = "/etc/passwd";
/** nss_wrapper, with which images for OpenShift give their users a name: https://cwrap.org/nss_wrapper.html */
const WRAPPER = "{/usr/lib64,/usr/lib,/usr/lib/*-linux-gnu}/libnss_wrapper.so";

/**
 * `initdb` refuses to work for a user without a name, as containers have them (OpenShift, `docker run --user 12345`). For
 * such an account, writes a list of accounts into the folder.
 * @returns the variables by which a program finds its name in that list; none when the account has a name
 * @throws {NoLocalPostgresError} when the system has no nss_wrapper
 */
export function nameAccount({ uid, gid }: ServerAccount, folder: string): Readonly<Record<string, string>> {
  const accounts = existsSync(PASSWD) ? readFileSync(PASSWD, "utf8") : "";
  if (process.platform !== "linux" || new RegExp(`^[^:]*:[^:]*:${uid}:`, "m").test(accounts)) return {};
  const [wrapper] = globSync(WRAPPER);
  if (wrapper === undefined) {
    throw new NoLocalPostgresError(
      `user ${uid} has no name on this system; add a line for it to ${PASSWD}, install nss_wrapper, or start as another user`,
    );
  }
  mkdirSync(folder, { mode: 0o755 });
  const [passwd, group] = [join(folder, "passwd"), join(folder, "group")];
  writeFileSync(passwd, `postgres:x:${uid}:${gid}::/:/bin/false\n`, { mode: 0o644 });
  writeFileSync(group, `postgres:x:${gid}:\n`, { mode: 0o644 });
  return { LD_PRELOAD: wrapper, NSS_WRAPPER_PASSWD: passwd, NSS_WRAPPER_GROUP: group };
}
