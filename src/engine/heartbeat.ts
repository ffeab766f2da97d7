import { hostname } from "node:os";
import type { Logger } from "pino";
import type { Database } from "#db/database.ts";
import { beat, executorsOnHost, forgetOldExecutors, leave, takeOverRuns } from "#db/queries/executors.ts";
import type { Executor } from "#db/queries/executors.ts";
import { LEASE_MS } from "./lease.ts";
import type { Lease } from "./lease.ts";

const BEAT_MS = 1_000;

/** Tells other processes that this one is alive, and takes over from those that are not. */
export interface Heartbeat {
  /** Clears away dead processes of this host, beats once, then goes on by itself. */
  start(): Promise<void>;
  /** One beat and one look for orphaned runs. */
  runOnce(): Promise<void>;
  /** Stops, and says that this process's runs are free. */
  stop(): Promise<void>;
}

/** What {@link createHeartbeat} needs. */
export interface HeartbeatOptions {
  readonly db: Database;
  readonly executorId: string;
  readonly lease: Lease;
  readonly log: Logger;
  /** Told that runs of other processes wait in the queues again. */
  readonly onTakenOver: () => Promise<void>;
}

/** Makes a process's heartbeat. */
export function createHeartbeat({ db, executorId, lease, log, onTakenOver }: HeartbeatOptions): Heartbeat {
  const self: Executor = { id: executorId, host: hostname(), pid: process.pid };
  let timer: NodeJS.Timeout | undefined;
  let beating: Promise<void> = Promise.resolve();

  async function speak(): Promise<void> {
    const spokeAt = performance.now();
    await beat(db, self);
    lease.renew(spokeAt);
  }

  async function runOnce(): Promise<void> {
    await speak();
    const taken = await takeOverRuns(db, lease.mayJudge() ? LEASE_MS : undefined);
    if (taken.length === 0) return;
    const executors = [...new Set(taken.map(({ executor }) => executor))];
    log.warn({ executors, runs: taken.length }, "taking over the runs of processes that are gone");
    await onTakenOver();
  }

  return {
    runOnce,
    async start() {
      await forgetOldExecutors(db);
      const neighbours = await executorsOnHost(db, self.host);
      for (const other of neighbours) if (!isAlive(other, self)) await leave(db, other.id);
      await speak();
      timer = setInterval(() => {
        beating = runOnce().catch((error: unknown) => log.warn({ err: error }, "heartbeat failed"));
      }, BEAT_MS);
    },
    async stop() {
      clearInterval(timer);
      await beating;
      await leave(db, executorId);
    },
  };
}

/** A predecessor under the same process id (as in a restarted container) is dead as well. */
function isAlive(other: Executor, self: Executor): boolean {
  if (other.pid === self.pid) return other.id === self.id;
  try {
    process.kill(other.pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
