import { pino } from "pino";
import type { Database } from "#db/database.ts";
import type { JobOwner } from "#db/queries/queue/job-owner.ts";
import { createLease } from "#engine/queue/lease.ts";
import type { Lease, OwnedJob } from "#engine/queue/lease.ts";
import { createMembership } from "#engine/queue/membership.ts";
import type { Membership } from "#engine/queue/membership.ts";
import { newId } from "#lib/ids.ts";

/** The lease of the simulated processes, in milliseconds. */
export const LEASE_MS = 5_000;
/** The timer never fires: the commands decide which process beats when. */
const NEVER_MS = 2 ** 31 - 1;

/** A process that exists in this test only; its membership, its lease and its statements are the real ones. */
export interface SimulatedProcess {
  readonly name: string;
  readonly membership: Membership;
  readonly lease: Lease;
  /** All executions that it has ever had, which may still write when they should not. */
  readonly executions: OwnedJob[];
  frozen: boolean;
  /** When it last beat, by `performance.now()`. */
  beatAt: number;
  /** How long it had been silent before its last beat, in milliseconds. */
  silentMs: number;
}

/** What the model knows of a job. */
export interface ModelJob {
  readonly taskId: string;
  state: "queued" | "running" | "suspended" | "ended";
  /** The process that owns it; null unless it is running. */
  owner: JobOwner | null;
  /** The owner's process. */
  process: SimulatedProcess | null;
}

/** The jobs as they must be. */
export interface Model {
  readonly jobs: ModelJob[];
  /** Executions that have ended by themselves: their process makes no calls for them any more. */
  readonly over: Set<OwnedJob>;
  /**
   * Since when some process has beaten each second, and no keeper was lost, so that deaths must be found; by
   * `performance.now()`.
   */
  watchedSince: number;
  /** The process that watched over the others at the last beat. */
  keeper: SimulatedProcess | null;
}

/** The real database and the simulated processes. */
export interface World {
  readonly db: Database;
  readonly workspaceId: string;
  readonly agentId: string;
  readonly processes: SimulatedProcess[];
}

/** Starts a simulated process. */
export async function startProcess(db: Database, name: string): Promise<SimulatedProcess> {
  const lease = createLease(LEASE_MS);
  const membership = createMembership({
    db,
    lease,
    host: `host-${newId()}`,
    beatMs: NEVER_MS,
    leaseMs: LEASE_MS,
    log: pino({ level: "silent" }),
    observe: () => undefined,
    keys: { fingerprint: "0123456789abcdef", newest: 0, current: 0 },
    onPresumedDead: () => undefined,
    onTakenOver: () => undefined,
    onKeeperBeat: () => Promise.resolve(),
  });
  await membership.start();
  return { name, membership, lease, executions: [], frozen: false, beatAt: performance.now(), silentMs: 0 };
}

/** Whether the model says that this execution owns its job. */
export function owns(model: Model, execution: OwnedJob): boolean {
  return model.jobs.some(
    ({ owner, state }) =>
      state === "running" &&
      owner?.jobId === execution.jobId &&
      owner.executorId === execution.executorId &&
      owner.fence === execution.fence,
  );
}

/** The job of a subject in the model. */
export function jobOf(model: Model, taskId: string): ModelJob {
  const job = model.jobs.find((known) => known.taskId === taskId);
  if (job === undefined) throw new Error(`The model has no job of ${taskId}.`);
  return job;
}
