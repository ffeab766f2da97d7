import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { eventually } from "../eventually.ts";
import { freePort } from "../free-port.ts";
import { sql } from "../workspace.ts";
import { documentedFile } from "./documented-file.ts";
import type { Member } from "./pair.ts";
import type { Programs } from "./programs.ts";
import type { Runner } from "./run-program.ts";

const IS_STANDBY = "select pg_is_in_recovery() as standby";
const ENDS_SESSIONS = " on-marked-down shutdown-sessions";

/** haproxy and PgBouncer, in front of a pair. */
export interface Frontends {
  readonly ports: { readonly haproxy: number; readonly pgbouncer: number };
  killPooler(): Promise<void>;
  startPooler(): void;
  /** Restarts haproxy: from now on it keeps the connections to a server that is not the primary any more. */
  keepLines(): Promise<void>;
  /** Restarts haproxy as the documentation has it. */
  endLines(): Promise<void>;
  /** Has PgBouncer replace its connections, as an operator does after a switchover. */
  reconnectPooler(): Promise<void>;
  close(): Promise<void>;
}

/** What the programs are started with; the folder has the certificates, and gets the configurations. */
export interface FrontendParts {
  readonly programs: Programs;
  readonly runner: Runner;
  readonly folder: string;
  readonly members: readonly [Member, Member];
}

/** Starts haproxy and PgBouncer with the configurations of the documentation. */
export async function startFrontends({ programs, runner, folder, members }: FrontendParts): Promise<Frontends> {
  const ports = { haproxy: await freePort(), pgbouncer: await freePort() };
  const [haproxyConfig, poolerConfig] = [join(folder, "haproxy.cfg"), join(folder, "pgbouncer.ini")];
  const proxyLog = join(folder, "haproxy.log");
  const proxies = haproxyText(ports.haproxy, members);
  await writeFile(join(folder, "userlist.txt"), documentedFile("userlist.txt", {}));
  await writeFile(poolerConfig, poolerText(ports, folder));

  const startPooler = () => runner.start(join(folder, "pgbouncer.log"), programs.pgbouncer, poolerConfig);
  async function startProxy(text: string): Promise<ChildProcess> {
    await writeFile(haproxyConfig, text);
    return runner.start(proxyLog, programs.haproxy, "-db", "-f", haproxyConfig);
  }
  let proxy = await startProxy(proxies);
  let pooler = startPooler();

  async function restartProxy(text: string): Promise<void> {
    await kill(proxy);
    const before = await standbysFound();
    proxy = await startProxy(text);
    // Until its first checks it takes both servers for primaries.
    await eventually("haproxy knows the primary", async () => (await standbysFound()) > before);
  }
  const standbysFound = async () => (await readFile(proxyLog, "utf8")).split("is DOWN").length;

  const urlAt = (port: number, database: string) =>
    `postgres://pgbouncer:pgbouncer-password@localhost:${port}/${database}` +
    `?sslmode=verify-full&sslrootcert=${join(folder, "ca.crt")}`;

  /** A server that haproxy has not found to be a standby yet still gets every second connection. */
  async function leadsToPrimary(): Promise<boolean> {
    for (let connections = 0; connections < 4; connections++) {
      const client = new Client(urlAt(ports.haproxy, "muster"));
      await client.connect();
      const { rows } = await client.query<{ standby: boolean }>(IS_STANDBY);
      await client.end();
      if (rows[0]?.standby !== false) return false;
    }
    return true;
  }

  return {
    ports,
    killPooler: () => kill(pooler),
    startPooler() {
      pooler = startPooler();
    },
    keepLines: () => restartProxy(proxies.replace(ENDS_SESSIONS, "")),
    endLines: () => restartProxy(proxies),
    async reconnectPooler() {
      await eventually("haproxy leads to the primary only", leadsToPrimary);
      await sql(urlAt(ports.pgbouncer, "pgbouncer"), "reconnect");
    },
    async close() {
      await Promise.all([kill(proxy), kill(pooler)]);
    },
  };
}

function haproxyText(port: number, members: FrontendParts["members"]): string {
  const [a, b] = members.map(({ node, checkPort }) => `127.0.0.1:${node.line.port} check port ${checkPort}`);
  return documentedFile("haproxy.cfg", {
    "127.0.0.1:5000": `127.0.0.1:${port}`,
    "10.0.0.1:5432 check port 8008": a ?? "",
    "10.0.0.2:5432 check port 8008": b ?? "",
  });
}

function poolerText(ports: Frontends["ports"], folder: string): string {
  return documentedFile("pgbouncer.ini", {
    "port=5000": `port=${ports.haproxy}`,
    "listen_port = 6432": `listen_port = ${ports.pgbouncer}\nunix_socket_dir =`,
    "/etc/pgbouncer/": `${folder}/`,
    "/etc/muster/": `${folder}/`,
  });
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}
