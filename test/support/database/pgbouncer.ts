import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLine } from "./database-line.ts";
import { eventually } from "../eventually.ts";
import { freePort } from "../free-port.ts";
import { sql } from "../workspace.ts";

const PROGRAM = "/usr/sbin/pgbouncer";
/** The account `nobody`: PgBouncer refuses to run as root. */
const NOBODY = 65_534;

/** Whether PgBouncer is installed where Debian's package puts it. */
export const HAS_PGBOUNCER = existsSync(PROGRAM);

/** A PgBouncer in transaction mode in front of a database. */
export interface Pooler {
  /** The database by way of the pooler. */
  readonly url: string;
  stop(): Promise<void>;
}

/** The password of a role that has none on a server which trusts it. */
const PASSWORD = "known-to-the-pooler";

/**
 * Starts a PgBouncer in transaction mode in front of a database. Roles log in with scram-sha-256.
 * @param roles the passwords of the roles that it knows besides that of the address
 */
export async function startPgbouncer(
  databaseUrl: string,
  roles: Readonly<Record<string, string>> = {},
): Promise<Pooler> {
  const line = await openLine(databaseUrl);
  const target = new URL(line.url);
  const folder = await mkdtemp(join(tmpdir(), "muster-pgbouncer-"));
  await chmod(folder, 0o755);
  const port = await freePort();
  const config = join(folder, "pgbouncer.ini");
  const users = join(folder, "userlist.txt");
  const url = new URL(databaseUrl);
  url.search = "";
  url.host = `127.0.0.1:${port}`;
  url.password ||= PASSWORD;
  const known = { [decodeURIComponent(url.username)]: decodeURIComponent(url.password), ...roles };
  await writeFile(
    users,
    Object.entries(known)
      .map((entry) => `${entry.map(quoted).join(" ")}\n`)
      .join(""),
  );
  await writeFile(
    config,
    `[databases]
* = host=127.0.0.1 port=${target.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = 4
`,
  );
  const asNobody = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const child = spawn(PROGRAM, [config], { stdio: "ignore", ...asNobody });
  await eventually("PgBouncer answers", () => sql(url.href, "select 1").then(Boolean, () => false));
  return {
    url: url.href,
    async stop() {
      child.kill("SIGKILL");
      line.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
