import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eventually } from "../eventually.ts";
import type { HostLine } from "./host-line.ts";
import type { Runner } from "./run-program.ts";

const START_MS = 60_000;
const REPLICATOR = "user=replicator password=replicator-password sslmode=require";

/** What a PostgreSQL server of a pair is made of. */
export interface NodeParts {
  readonly name: string;
  /** Its folder, with `data` for the cluster. */
  readonly folder: string;
  readonly bin: string;
  readonly runner: Runner;
  readonly port: number;
  /** Under this way all others reach it. */
  readonly line: HostLine;
  /** The documentation's `postgresql.conf` and `pg_hba.conf`. */
  readonly config: string;
  readonly hba: string;
}

/** A PostgreSQL server on loopback that is started, copied, promoted, and treated badly. */
export interface PostgresNode {
  readonly name: string;
  readonly line: HostLine;
  readonly data: string;
  /** Makes an empty cluster and starts it as a primary. */
  create(): Promise<void>;
  /** Makes the cluster a copy of a primary's, and starts it as its standby. */
  copy(primary: PostgresNode): Promise<void>;
  /** Starts the cluster as a standby of a primary that has all that it has itself. */
  follow(primary: PostgresNode): Promise<void>;
  start(): Promise<void>;
  /** Shuts it down in good order. */
  stop(): Promise<void>;
  /** Kills all its processes at once, as a loss of power does. */
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
  promote(): Promise<void>;
  /** Sets the standby that each commit waits for; none when absent. */
  waitFor(standby?: PostgresNode): Promise<void>;
  /** Runs a statement as the superuser. */
  query(statement: string): Promise<string>;
  /** Runs a file as the superuser. */
  runFile(path: string): Promise<void>;
  isUp(): boolean;
}

/** Describes a server, which does not run yet. */
export function createNode(parts: NodeParts): PostgresNode {
  const { name, folder, bin, runner, port } = parts;
  const data = join(folder, "data");
  const [config, commits] = [join(folder, "postgresql.conf"), join(folder, "commits.conf")];
  const program = (of: string) => join(bin, of);
  const psql = (...args: string[]) => runner.run(program("psql"), "-XAtq", "-h", folder, "-p", `${port}`, ...args);
  let server: ChildProcess | undefined;

  const query = (statement: string) => psql("-d", "postgres", "-c", statement);
  const isUp = () => server !== undefined && server.exitCode === null && server.signalCode === null;

  const conninfo = (primary: PostgresNode) =>
    `host=127.0.0.1 port=${primary.line.port} ${REPLICATOR} application_name=${name}`;

  async function configure(primary?: PostgresNode): Promise<void> {
    await writeFile(join(folder, "pg_hba.conf"), parts.hba);
    await writeFile(commits, "");
    await writeFile(
      config,
      [
        parts.config,
        `port = ${port}`,
        `unix_socket_directories = '${folder}'`,
        `hba_file = '${join(folder, "pg_hba.conf")}'`,
        `include '${commits}'`,
        primary === undefined ? "" : `primary_conninfo = '${conninfo(primary)}'`,
      ].join("\n"),
    );
  }

  async function start(): Promise<void> {
    server = runner.start(join(folder, "postgres.log"), program("postgres"), "-D", data, "-c", `config_file=${config}`);
    await eventually(`server ${name} answers`, () => query("select 1").catch(() => undefined), START_MS);
  }

  async function end(signal: NodeJS.Signals, pids = [server?.pid]): Promise<void> {
    if (server === undefined || !isUp()) return;
    const ended = once(server, "exit");
    for (const pid of pids) send(signal, pid);
    await ended;
  }

  async function follow(primary: PostgresNode): Promise<void> {
    await configure(primary);
    await writeFile(join(data, "standby.signal"), "");
    await start();
  }

  return {
    name,
    line: parts.line,
    data,
    isUp,
    query,
    start,
    stop: () => end("SIGINT"),
    kill: () => end("SIGKILL", isUp() ? processesOf(server) : []),
    async create() {
      await runner.run(program("initdb"), "-D", data, "-A", "trust", "-E", "UTF8", "--locale", "C", "-U", "postgres");
      await configure();
      await start();
    },
    async copy(primary) {
      await rm(data, { recursive: true, force: true });
      await runner.run(program("pg_basebackup"), "-D", data, "-d", conninfo(primary), "-c", "fast");
      await follow(primary);
    },
    follow,
    freeze: () => processesOf(server).forEach((pid) => send("SIGSTOP", pid)),
    thaw: () => processesOf(server).forEach((pid) => send("SIGCONT", pid)),
    async promote() {
      await query("select pg_promote()");
    },
    async waitFor(standby) {
      await writeFile(commits, standby === undefined ? "" : `synchronous_standby_names = '${standby.name}'\n`);
      await query("select pg_reload_conf()");
    },
    async runFile(path) {
      await psql("-d", "postgres", "-v", "ON_ERROR_STOP=1", "-f", path);
    },
  };
}

/** The server and the processes that it has started, in this order. */
function processesOf(server: ChildProcess | undefined): number[] {
  if (server?.pid === undefined) return [];
  const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, "utf8");
  return [server.pid, ...children.split(" ").filter(Boolean).map(Number)];
}

function send(signal: NodeJS.Signals, pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, signal);
  } catch {
    // It ended this moment.
  }
}
