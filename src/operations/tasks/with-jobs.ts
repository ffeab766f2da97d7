import type { Transaction } from "#db/database.ts";
import { enqueue, findSuspended, resume } from "#db/queries/queue/jobs.ts";
import type { ClaimedJob } from "#db/queries/queue/job-owner.ts";
import type { JobTransaction } from "#db/queries/queue/jobs.ts";
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
      const wake = (kind: JobKindName) => queue.wake(tenant.workspaceId, kind);
      const value = await work(inTransaction(tx, { workspaceId: tenant.workspaceId, reserve, wake, committed }));
      return { value, committed };
    });
    for (const effect of committed) effect();
    return value;
  } finally {
    // Slots without a job: the transaction was rolled back, or executed again.
    for (const slot of slots) slot.release();
  }
}

interface Collected extends Pick<WorkQueue, "reserve"> {
  readonly workspaceId: string;
  readonly wake: (kind: JobKindName) => void;
  /** Callbacks to run after the commit. */
  readonly committed: (() => void)[];
}

function inTransaction(tx: Transaction, { workspaceId, reserve, wake, committed }: Collected): JobTransaction {
  async function place(
    job: { readonly id: string; readonly kind: JobKindName },
    write: (executorId: string | null) => Promise<ClaimedJob<never> | "queued" | undefined>,
  ): Promise<boolean> {
    const slot = reserve({ ...job, lane: workspaceId });
    const placed = await write(slot?.executorId ?? null);
    if (placed === undefined) return false;
    committed.push(() => (placed === "queued" ? wake(job.kind) : slot?.begin(placed)));
    return true;
  }

  return {
    ...tx,
    enqueue(kind, subjectId) {
      const id = newId();
      return place({ id, kind }, (executorId) => enqueue(tx, { id, kind, subjectId, executorId }));
    },
    async resume(subjectId, attempt) {
      const job = await findSuspended(tx, subjectId, attempt);
      if (job !== undefined) await place(job, (executorId) => resume(tx, job.id, executorId));
    },
  };
}
