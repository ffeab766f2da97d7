import type { Transaction } from "#db/database.ts";
import { enqueue, findSuspended, resume } from "#db/queries/queue/jobs.ts";
import type { ClaimedJob, PlacedJob } from "#db/queries/queue/job-owner.ts";
import type { EnqueuedKind, JobTransaction, ReservedJob } from "#db/queries/queue/jobs.ts";
import { laneOf } from "#domain/tasks/job.ts";
import type { JobKindName } from "#domain/tasks/job.ts";
import type { Tenant } from "#domain/access/role.ts";
import { newId } from "#lib/ids.ts";
import type { ReservedSlot, Services, WorkQueue } from "../context.ts";

/**
 * Runs a transaction in a workspace that creates or resumes jobs. This process claims as many as it has slots for, in
 * the transaction, and starts them right after the commit. The others are queued and announced. `work` is executed
 * again after a deadlock.
 */
export async function withJobs<T>(
  { db, queue }: Pick<Services, "db" | "queue">,
  tenant: Tenant,
  work: (tx: JobTransaction) => Promise<T>,
): Promise<T> {
  const slots: ReservedSlot[] = [];
  const reserve: WorkQueue["reserve"] = (job) => {
    const slot = queue.reserve(job);
    if (slot !== undefined) slots.push(slot);
    return slot;
  };
  try {
    const { value, committed } = await db.inWorkspace(tenant, async (tx) => {
      const committed: (() => void)[] = [];
      const { workspaceId } = tenant;
      const value = await work(inTransaction(tx, { workspaceId, reserve, wake: queue.wake, committed }));
      return { value, committed };
    });
    for (const effect of committed) effect();
    return value;
  } finally {
    // Slots without a job: the transaction was rolled back, or executed again.
    for (const slot of slots) slot.release();
  }
}

interface Collected extends Pick<WorkQueue, "reserve" | "wake"> {
  readonly workspaceId: string;
  /** Callbacks to run after the commit. */
  readonly committed: (() => void)[];
}

function inTransaction(tx: Transaction, { workspaceId, reserve, wake, committed }: Collected): JobTransaction {
  function place(job: { readonly id: string; readonly kind: JobKindName; readonly lane: string }): Place {
    const slot = reserve(job);
    return {
      executorId: slot?.executorId ?? null,
      async put(placing, opening) {
        const placed = await placing;
        if (placed === undefined) return false;
        committed.push(() => (placed === "queued" ? wake(job.lane, job.kind) : slot?.begin({ ...placed, ...opening })));
        return true;
      },
    };
  }

  function reserveJob(kind: EnqueuedKind, delegationDepth?: number): ReservedJob {
    const id = newId();
    const lane = laneOf(workspaceId, delegationDepth);
    const { executorId, put } = place({ id, kind, lane });
    return {
      hasSlot: executorId !== null,
      enqueue: (subjectId, opening) =>
        put(enqueue(tx, { id, kind, subjectId, lane, executorId }), opening === undefined ? {} : { opening }),
    };
  }

  return {
    ...tx,
    reserve: reserveJob,
    enqueue: (kind, subjectId, delegationDepth) => reserveJob(kind, delegationDepth).enqueue(subjectId),
    async resume(subjectId, attempt) {
      const job = await findSuspended(tx, subjectId, attempt);
      if (job === undefined) return;
      const { executorId, put } = place(job);
      await put(resume(tx, job.id, executorId), {});
    },
  };
}

/** Where a job goes: to this process, if it has a slot, or into the queue. */
interface Place {
  /** This process; null without a slot. */
  readonly executorId: string | null;
  /** Has the job that `placing` writes start, or be announced, after the commit; false when it writes none. */
  put(
    placing: Promise<ClaimedJob<never> | "queued" | undefined>,
    opening: Pick<PlacedJob, "opening">,
  ): Promise<boolean>;
}
