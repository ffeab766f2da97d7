import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { chmod, chown, cp, lchown, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { findBinaries } from "#db/embedded/binaries.ts";
import { chooseLocation } from "#db/embedded/cluster-location.ts";
import type { ClusterLocation } from "#db/embedded/cluster-location.ts";
import type { ServerAccount } from "#db/embedded/server-account.ts";
import { serverArguments } from "#db/embedded/settings.ts";
import type { ServerSettings } from "#db/embedded/settings.ts";
import { startEmbeddedPostgres } from "#db/embedded/start-embedded-postgres.ts";
import { eventually } from "../eventually.ts";
import { runnerAs } from "../high-availability/run-program.ts";
import { sql } from "../workspace.ts";

/** What the embedded server does not have by itself. The data need not outlive the machine. */
const SETTINGS: ServerSettings = { wal_level: "replica", max_wal_senders: "4", fsync: "off", full_page_writes: "on" };
/** What a server writes for itself, and a copy must not have. */
const OWN = /\/(postmaster\.(pid|opts)|pg_(wal|replslot)\/.+|\.s\.PGSQL\.\d+(\.lock)?)$/;

/** An embedded server and its streaming replica. */
export interface ReplicatedDatabase {
  readonly url: string;
  readonly standby: Standby;
  close(): Promise<void>;
}

/** A streaming replica on this machine. */
export interface Standby {
  readonly url: string;
  start(): Promise<void>;
  /** Kills all its processes at once. */
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** Stops to replay what it receives, until {@link Standby.resume}. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  promote(): Promise<void>;
}

/** Starts an embedded server in its own folder, and a replica of it. */
export async function startReplicatedDatabase(): Promise<ReplicatedDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "muster-replica-"));
  await chmod(folder, 0o755);
  const undo: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    const primary = await startEmbeddedPostgres({ dataFolder: folder, settings: SETTINGS });
    undo.push(primary.stop);
    const location = chooseLocation(folder);
    const home = join(folder, "standby");
    await give(home, location.account);
    await copyCluster(primary.url, location, join(home, "data"));
    const standby = createStandby(location, home, primary.url);
    undo.push(standby.kill);
    await standby.start();
    return { url: primary.url, standby, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Copies the files of a running server, as `pg_basebackup` does; the embedded programs have none. */
async function copyCluster(url: string, { dataDirectory, account }: ClusterLocation, copy: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("select pg_create_physical_replication_slot('standby', true)");
    await client.query("select pg_backup_start('copy', true)");
    await cp(dataDirectory, copy, { recursive: true, filter: (path) => !OWN.test(path) });
    const { rows } = await client.query<{ labelfile: string }>("select labelfile from pg_backup_stop(false)");
    await writeFile(join(copy, "backup_label"), rows[0]?.labelfile ?? "");
    await writeFile(join(copy, "standby.signal"), "");
  } finally {
    await client.end();
  }
  await chmod(copy, 0o700);
  if (!account.differs) return;
  for (const name of ["", ...(await readdir(copy, { recursive: true }))])
    await lchown(join(copy, name), account.uid, account.gid);
}

function createStandby(location: ClusterLocation, home: string, primaryUrl: string): Standby {
  const url = withSocket(primaryUrl, home);
  const socket = new URL(primaryUrl).searchParams.get("host") ?? "";
  const settings = {
    ...SETTINGS,
    hot_standby: "on",
    primary_conninfo: `host=${socket} user=postgres application_name=standby`,
    primary_slot_name: "standby",
    wal_retrieve_retry_interval: "200ms",
  };
  const runner = runnerAs(location.account, home);
  let server: ChildProcess | undefined;

  return {
    url,
    async start() {
      const args = serverArguments(join(home, "data"), home, settings);
      server = runner.start(join(home, "postgres.log"), findBinaries(location).postgres, ...args);
      await eventually("the replica answers", () => answers(url));
    },
    async kill() {
      if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
      const ended = once(server, "exit");
      for (const pid of processesOf(server)) process.kill(pid, "SIGKILL");
      await ended;
    },
    freeze: () => processesOf(server).forEach((pid) => process.kill(pid, "SIGSTOP")),
    thaw: () => processesOf(server).forEach((pid) => process.kill(pid, "SIGCONT")),
    pause: async () => void (await sql(url, "select pg_wal_replay_pause()")),
    resume: async () => void (await sql(url, "select pg_wal_replay_resume()")),
    promote: async () => void (await sql(url, "select pg_promote()")),
  };
}

async function give(folder: string, { differs, uid, gid }: ServerAccount): Promise<void> {
  await mkdir(folder, { mode: 0o755 });
  if (differs) await chown(folder, uid, gid);
}

function withSocket(url: string, folder: string): string {
  const address = new URL(url);
  address.searchParams.set("host", folder);
  return address.href;
}

function answers(url: string): Promise<boolean> {
  return sql(url, "select 1").then(
    () => true,
    () => false,
  );
}

/** The server and the processes that it has started, in this order. */
function processesOf(server: ChildProcess | undefined): number[] {
  if (server?.pid === undefined) return [];
  const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, "utf8");
  return [server.pid, ...children.split(" ").filter(Boolean).map(Number)];
}
