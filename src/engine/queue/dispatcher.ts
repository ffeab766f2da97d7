import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "pino";
import type { Database } from "#db/database.ts";
import { claim, claimSuspects, lostClaims, pollQueue } from "#db/queries/queue/claim-jobs.ts";
import { release } from "#db/queries/queue/jobs.ts";
import type { Claim, Partition, SuspicionRange } from "#db/queries/queue/claim-jobs.ts";
import type { ClaimedJob } from "#db/queries/queue/job-owner.ts";
import { JOB_KIND_NAMES } from "#domain/tasks/job.ts";
import type { JobKindName } from "#domain/tasks/job.ts";
import { createBatcher } from "#lib/async/batcher.ts";
import type { ReservedSlot, WorkQueue } from "#operations/context.ts";
import type { Lease, OwnedJob } from "./lease.ts";
import type { Slots } from "./slots.ts";
import { TRIED_ALONE } from "./trials.ts";
import type { Trials } from "./trials.ts";

const LOST_CLAIMS_INTERVAL_MS = 5_000;
const MAX_PARTITIONS = 1_000;
/** The number of partitions that one statement claims from. */
const MAX_CLAIMED_PARTITIONS = 100;

/** Dependencies of {@link createDispatcher}. */
export interface DispatcherOptions {
  readonly db: Database;
  /** This process under its current id. */
  readonly executorId: () => string;
  readonly lease: Lease;
  readonly slots: Slots;
  readonly trials: Trials;
  /** Runs a claimed job in its slot. */
  readonly run: (job: OwnedJob<never>, freeSlot: () => void) => void;
  /** The ids of the jobs that this process runs. */
  readonly running: () => readonly string[];
  readonly log: Logger;
}

/** Claims as many jobs for this process as it has free slots. */
export interface Dispatcher extends Pick<WorkQueue, "reserve"> {
  /** Claims queued jobs of one partition; those without a free slot are claimed later. */
  wake(partition: Partition): Promise<void>;
  /** Claims queued jobs, suspects first, then those of all partitions; returns the partitions that may hold more. */
  wakeAll(): Promise<readonly Partition[]>;
  /** Claims suspect jobs; see {@link Trials}. */
  wakeSuspects(): Promise<void>;
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
  const { db, executorId, slots, trials, log } = options;
  const claiming = new Map<string, { again: boolean }>();
  const waiting = new Map<string, Partition>();
  /** Claims in flight: their jobs are not lost. */
  let inFlight = 0;
  let timer: NodeJS.Timeout | undefined;
  /** Jobs with reserved slots: they are not lost either. */
  const reserved = new Set<string>();

  // Partitions woken together, such as by the deliveries of a task, are claimed by one statement.
  const claimTogether = createBatcher({
    intervalMs: 0,
    maxBatch: MAX_CLAIMED_PARTITIONS,
    write: (parts: readonly Claim[]) => claim(db, executorId(), parts),
  });

  async function claimIn(partition: Partition): Promise<void> {
    const { kind, lane } = partition;
    const key = keyOf(partition);
    const limit = slots.free(kind, lane);
    waiting.delete(key);
    if (limit === 0) return void waiting.set(key, partition);
    const frees = Array.from({ length: limit }, () => slots.take(kind, lane));
    const jobs = await makeClaim(() => claimTogether({ kind, lane, limit }), frees);
    // The claim filled all free slots: more jobs may be queued.
    if (jobs.length === limit) waiting.set(key, partition);
  }

  /** Makes a claim and starts the claimed jobs; unused slots are freed. */
  async function makeClaim(make: () => Promise<readonly ClaimedJob<never>[]>, frees: (() => void)[]) {
    inFlight += 1;
    let used = 0;
    // The time before the claim counts: during the claim others may have presumed this process dead.
    const takenAt = performance.now();
    try {
      const jobs = await make();
      for (const job of jobs) options.run({ ...job, takenAt }, frees[used++] ?? slots.take(job.kind, job.lane));
      return jobs;
    } finally {
      inFlight -= 1;
      for (const free of frees.slice(used)) free();
    }
  }

  async function wake(partition: Partition): Promise<void> {
    const key = keyOf(partition);
    const state = claiming.get(key);
    if (state !== undefined) {
      state.again = true;
      return;
    }
    const mine = { again: true };
    claiming.set(key, mine);
    try {
      while (mine.again) {
        mine.again = false;
        await claimIn(partition);
      }
    } catch (error) {
      // The keeper polls again within a second.
      log.warn({ err: error }, "could not claim jobs");
    } finally {
      claiming.delete(key);
    }
    void fill();
  }

  /** Delayed: jobs that end together free their slots together, and one claim fills them. */
  let filling: Promise<void> | undefined;
  function fill(): Promise<void> {
    filling ??= nextTurn().then(() => {
      filling = undefined;
      const ready = Array.from(waiting.values()).filter(({ kind, lane }) => slots.free(kind, lane) > 0);
      return Promise.all(ready.map(wake)).then(() => undefined);
    });
    return filling;
  }

  async function claimSuspectsOf(kind: JobKindName, suspicion: SuspicionRange, most: number): Promise<number> {
    const limit = Math.min(most, slots.free(kind));
    if (limit === 0) return 0;
    const jobs = await makeClaim(async () => {
      const claimed = await claimSuspects(db, { kind, limit, suspicion, executorId: executorId() });
      for (const job of claimed) trials.begin(job);
      return claimed;
    }, []);
    return jobs.length;
  }

  async function trySuspects(): Promise<void> {
    for (const kind of JOB_KIND_NAMES) {
      if (trials.hasRoomAlone() && (await claimSuspectsOf(kind, TRIED_ALONE, 1)) > 0) return;
    }
    for (const kind of JOB_KIND_NAMES) {
      const next = trials.next();
      if (next !== undefined) await claimSuspectsOf(kind, next.suspicion, next.limit);
    }
  }

  async function releaseLostClaims(): Promise<void> {
    if (inFlight > 0) return;
    const known = () => [...options.running(), ...reserved];
    const lost = await lostClaims(db, executorId(), known());
    const unknown = lost.filter(({ jobId }) => !known().includes(jobId));
    if (unknown.length === 0 || inFlight > 0) return;
    log.warn({ jobs: unknown.map(({ jobId }) => jobId) }, "releasing jobs that were claimed over a broken connection");
    await release(db, unknown);
    await wakeAll();
  }

  let trying: Promise<void> | undefined;
  function wakeSuspects(): Promise<void> {
    trying ??= trySuspects()
      .catch((error: unknown) => log.warn({ err: error }, "could not claim suspects"))
      .finally(() => (trying = undefined));
    return trying;
  }

  async function wakeAll(): Promise<readonly Partition[]> {
    const { partitions, hasSuspects } = await pollQueue(db, MAX_PARTITIONS);
    if (hasSuspects) await wakeSuspects();
    await Promise.all(partitions.map(wake));
    return partitions.filter((partition) => waiting.has(keyOf(partition)));
  }

  /** Remembered partitions come first; without a current lease a claimed job would be taken over at once. */
  function reserve({ id, kind, lane }: Parameters<WorkQueue["reserve"]>[0]): ReservedSlot | undefined {
    const takenAt = performance.now();
    const isFree = slots.free(kind, lane) > 0 && !waiting.has(keyOf({ kind, lane }));
    if (!isFree || !options.lease.isValid(takenAt)) return undefined;
    const freeSlot = slots.take(kind, lane);
    reserved.add(id);
    return {
      executorId: executorId(),
      begin(job) {
        if (reserved.delete(id)) options.run({ ...job, takenAt }, freeSlot);
      },
      release() {
        if (!reserved.delete(id)) return;
        freeSlot();
        void fill();
      },
    };
  }

  return {
    reserve,
    wake,
    wakeAll,
    fill,
    wakeSuspects,
    start() {
      timer = setInterval(() => {
        releaseLostClaims().catch((error: unknown) => log.warn({ err: error }, "could not look for lost claims"));
      }, LOST_CLAIMS_INTERVAL_MS);
    },
    stop: () => clearInterval(timer),
  };
}

function keyOf({ kind, lane }: Partition): string {
  return `${kind} ${lane}`;
}
