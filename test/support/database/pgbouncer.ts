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

/** Starts a PgBouncer in transaction mode in front of a database. */
export async function startPgbouncer(databaseUrl: string): Promise<Pooler> {
  const line = await openLine(databaseUrl);
  const target = new URL(line.url);
  const folder = await mkdtemp(join(tmpdir(), "muster-pgbouncer-"));
  await chmod(folder, 0o755);
  const port = await freePort();
  const config = join(folder, "pgbouncer.ini");
  await writeFile(
    config,
    `[databases]
* = host=127.0.0.1 port=${target.port} user=${target.username} password=${target.password || "none"}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
`,
  );
  const asNobody = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const child = spawn(PROGRAM, [config], { stdio: "ignore", ...asNobody });
  const url = new URL(databaseUrl);
  url.search = "";
  url.host = `127.0.0.1:${port}`;
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
