import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { findBinaries, type Binaries } from "./binaries.ts";
import { ensureCluster } from "./cluster.ts";
import { NoLocalPostgresError } from "./no-local-postgres.ts";
import type { ClusterLocation } from "./cluster-location.ts";
import { claimPresence } from "./presence.ts";
import { runAs, spawnAs, startFailure } from "./run-as.ts";
import { openServerLog, type ServerLog } from "./server-log.ts";
import { hasServerProcess, removeStalePidFile } from "./server-process.ts";
import { serverArguments, type ServerSettings } from "./settings.ts";
import { socketFolder } from "./socket-folder.ts";
import { withStartLock } from "./start-lock.ts";

const POLL_MS = 10;
const REPORT_MS = 5_000;
/** Long enough to recover 1 GB of WAL (max_wal_size) on a slow disk. */
const START_TIMEOUT_MS = 120_000;
/** The server's message while the previous one is still ending. */
const STILL_IN_USE = /already exists|still in use|being used/;

/** What is needed to start a server. */
export interface ServerOptions {
  readonly location: ClusterLocation;
  /** Builds the address from the socket's folder. */
  readonly urlOf: (socketFolder: string) => string;
  readonly log: (line: string) => void;
  readonly settings?: ServerSettings;
}

/** A server that accepts connections. */
export interface RunningServer {
  readonly url: string;
  /** The connection that holds this process's share of the presence lock. */
  readonly presence: Client;
}

/**
 * Attaches to the running server of the location, or creates the cluster and starts a server.
 * @throws {NoLocalPostgresError} when it cannot run here, ends immediately, or does not answer in time
 */
export function attachOrStart({ location, urlOf, ...options }: ServerOptions): Promise<RunningServer> {
  return withStartLock(join(location.dataFolder, "postgres.lock"), async () => {
    const folder = socketFolder(location);
    const url = urlOf(folder);
    const existing = await claimPresence(url, location.dataDirectory);
    if (existing) return { url, presence: existing };
    const binaries = findBinaries(location);
    await ensureCluster(location, binaries);
    return { url, presence: await startAndWait({ ...options, location, binaries, folder, url }) };
  });
}

/** Stops the server of the location, disconnects all clients, and waits until it has ended. */
export async function shutDown(location: ClusterLocation): Promise<void> {
  const args = ["stop", "-D", location.dataDirectory, "-m", "fast", "-s"];
  await runAs(location, { program: findBinaries(location).pgCtl, args });
}

interface Start {
  readonly location: ClusterLocation;
  readonly binaries: Binaries;
  readonly folder: string;
  readonly url: string;
  readonly log: (line: string) => void;
  readonly settings?: ServerSettings;
}

/** Polls until the server answers, and starts one whenever none is running, because the previous one may be ending. */
async function startAndWait(start: Start): Promise<Client> {
  const began = Date.now();
  let reported = began;
  let postmaster: Postmaster | undefined;
  while (Date.now() - began < START_TIMEOUT_MS) {
    const presence = await claimPresence(start.url, start.location.dataDirectory);
    if (presence) return presence;
    postmaster?.throwIfFailed();
    if (postmaster?.isRunning() !== true && !hasServerProcess(start.location)) postmaster = startPostmaster(start);
    if (Date.now() - reported > REPORT_MS) {
      reported = Date.now();
      start.log(
        `PostgreSQL is still starting after ${Math.round((reported - began) / 1000)} s; its log is in ${start.location.dataFolder}`,
      );
    }
    await sleep(POLL_MS);
  }
  throw new NoLocalPostgresError(
    `the server did not answer in ${START_TIMEOUT_MS / 1000} s; its log is in ${start.location.dataFolder}`,
  );
}

interface Postmaster {
  readonly isRunning: () => boolean;
  /** Throws when it could not be started, or ended for a permanent reason. */
  readonly throwIfFailed: () => void;
}

function startPostmaster({ location, binaries, folder, settings }: Start): Postmaster {
  removeStalePidFile(location);
  const log = openServerLog(location.dataFolder);
  const args = serverArguments(location.dataDirectory, folder, settings);
  const child = spawnAs(location, { program: binaries.postgres, args, output: log.descriptor });
  log.close();
  child.unref();
  return watch(child, binaries.postgres, log);
}

function watch(child: ChildProcess, program: string, log: ServerLog): Postmaster {
  let failure: Error | undefined;
  let end: { readonly code: number | null } | undefined;
  child.on("error", (error) => {
    failure = startFailure(program, error);
  });
  child.on("exit", (code) => {
    end = { code };
  });
  return {
    isRunning: () => failure === undefined && end === undefined,
    throwIfFailed: () => {
      if (failure) throw failure;
      if (end === undefined) return;
      // Read only now: the log of a server that ran for long may have been rotated.
      const problem = log.problem() ?? `it ended with code ${end.code}`;
      if (STILL_IN_USE.test(problem)) return;
      throw new NoLocalPostgresError(`the server did not start (${problem}); its log is ${log.path}`);
    },
  };
}
