import type { Logger } from "pino";
import type { Database } from "#db/database.ts";
import { lostClaims, pollQueue } from "#db/queries/queue/claim-jobs.ts";
import { release } from "#db/queries/queue/jobs.ts";
import type { Partition } from "#db/queries/queue/claim-jobs.ts";
import type { WorkQueue } from "#operations/context.ts";
import { createPoller } from "#lib/async/poller.ts";
import type { ClaimRunner, StartJob } from "./claim-runner.ts";
import type { Lease } from "./lease.ts";
import { createPartitionClaims } from "./partition-claims.ts";
import { createSlotReservations } from "./slot-reservations.ts";
import type { Slots } from "./slots.ts";

const LOST_CLAIMS_INTERVAL_MS = 5_000;
const MAX_PARTITIONS = 1_000;

/** Dependencies of {@link createDispatcher}. */
export interface DispatcherOptions {
  readonly db: Database;
  /** This process under its current id. */
  readonly executorId: () => string;
  readonly lease: Lease;
  readonly slots: Slots;
  readonly claims: ClaimRunner;
  readonly startJob: StartJob;
  /** Makes a closing process wait for a reservation, so that it hands over the job. */
  readonly hold: (reservation: Promise<unknown>) => void;
  /** Called while suspects are queued, with their suspicions. */
  readonly onSuspects: (suspicions: readonly number[]) => void;
  /** The ids of the jobs that this process runs. */
  readonly running: () => readonly string[];
  readonly log: Logger;
}

/** Claims as many jobs for this process as it has free slots. */
export interface Dispatcher extends Pick<WorkQueue, "reserve"> {
  /** Claims queued jobs of one partition; those without a free slot are claimed later. */
  wake(partition: Partition): Promise<void>;
  /** Claims queued jobs of all partitions; returns the partitions that may hold more. */
  wakeAll(): Promise<readonly Partition[]>;
  /** Call it when a slot becomes free. */
  fill(): Promise<void>;
  start(): void;
  stop(): void;
}

/**
 * Creates the dispatcher of a process. Calls for a partition whose claim is in flight are merged into one more round.
 * Partitions that may hold more jobs than there were slots are remembered and claimed in turn when slots are free.
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { db, log, claims } = options;
  const partitions = createPartitionClaims(options);
  const reservations = createSlotReservations({ ...options, partitions });

  async function wakeAll(): Promise<readonly Partition[]> {
    const queued = await pollQueue(db, MAX_PARTITIONS);
    if (queued.suspicions.length > 0) options.onSuspects(queued.suspicions);
    await Promise.all(queued.partitions.map(partitions.wake));
    return queued.partitions.filter(partitions.isWaiting);
  }

  /** A claim whose response was lost leaves jobs that this process owns but does not know. */
  async function releaseLostClaims(): Promise<void> {
    if (claims.isClaiming()) return;
    const known = () => [...options.running(), ...reservations.jobIds()];
    const lost = await lostClaims(db, options.executorId(), known());
    const unknown = lost.filter(({ jobId }) => !known().includes(jobId));
    if (unknown.length === 0 || claims.isClaiming()) return;
    log.warn({ jobs: unknown.map(({ jobId }) => jobId) }, "releasing jobs that were claimed over a broken connection");
    await release(db, unknown);
    await wakeAll();
  }

  const check = createPoller({
    intervalMs: LOST_CLAIMS_INTERVAL_MS,
    run: releaseLostClaims,
    onError: (error) => log.warn({ err: error }, "could not check for lost claims"),
  });

  return {
    reserve: reservations.reserve,
    wake: partitions.wake,
    wakeAll,
    fill: partitions.fill,
    start: check.start,
    stop: () => void check.stop(),
  };
}
