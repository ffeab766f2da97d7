import type { Transaction } from "#db/database.ts";
import { enqueue, findSuspended, resume } from "#db/queries/queue/jobs.ts";
import type { ClaimedJob, PlacedJob } from "#db/queries/queue/job-owner.ts";
import type { EnqueuedKind, JobTransaction, ReservedJob } from "#db/queries/queue/jobs.ts";
import { laneOf } from "#domain/tasks/job.ts";
import type { JobKindName } from "#domain/tasks/job.ts";
import type { Tenant } from "#domain/access/role.ts";
import { newId } from "#lib/ids.ts";
import type { Services } from "./context.ts";
import { withEffects } from "./effects.ts";
import type { Effects } from "./effects.ts";

/** A transaction that changes a workspace, with effects after the commit. */
export interface Change extends JobTransaction {
  /** Tells the followers of these logs that they have grown. */
  publish(...logIds: readonly string[]): void;
  /** Has stored contents deleted to which no row refers any more. */
  sweep(): void;
}

/** The services whose effects a change has. */
export interface ChangeServices extends Pick<Services, "db" | "queue" | "sweeper" | "traceNewRun"> {
  readonly events: Pick<Services["events"], "publish">;
}

/**
 * Changes a workspace in one transaction. This process claims as many of the jobs that it creates or resumes as it has
 * slots for, in the transaction, and starts them right after the commit. The others are queued and announced. `work` is
 * executed again after a deadlock.
 */
export async function changeWorkspace<T>(
  services: ChangeServices,
  tenant: Tenant,
  work: (tx: Change) => Promise<T>,
): Promise<T> {
  return withEffects(services.queue, (begin) =>
    services.db.inWorkspace(tenant).transaction((tx) => work(withEffectsIn(tx, services, { ...begin(), ...tenant }))),
  );
}

function withEffectsIn(
  tx: Transaction,
  { queue, events, sweeper, traceNewRun }: ChangeServices,
  { add, reserve, workspaceId, traceparent }: Effects & Pick<Tenant, "workspaceId" | "traceparent">,
): Change {
  function place(job: { readonly id: string; readonly kind: JobKindName; readonly lane: string }): Place {
    const slot = reserve(job);
    return {
      executorId: slot?.executorId ?? null,
      async put(placing, opening) {
        const placed = await placing;
        if (placed === undefined) return false;
        add(() => (placed === "queued" ? queue.wake(job.lane, job.kind) : slot?.begin({ ...placed, ...opening })));
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
    publish: (...logIds) => {
      for (const logId of new Set(logIds)) add(() => events.publish(logId, "grown"));
    },
    sweep: () => add(() => sweeper.soon()),
    reserve: reserveJob,
    trace: (runId) => traceNewRun(runId, traceparent),
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
