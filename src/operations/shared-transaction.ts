import type { Transaction } from "#db/database.ts";
import type { Services } from "./context.ts";
import { withEffects } from "./effects.ts";
import type { Effects } from "./effects.ts";
import { bindWorkspace } from "./workspace.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Runs `run` in one transaction of the workspace: all that it does with the given workspace is committed together, or
 * rolled back. The notifications (of jobs, events, files to sweep) are sent after the commit. `run` is executed again
 * after a deadlock.
 */
export async function inSharedTransaction<Given extends Services, T>(
  workspace: Workspace<Given>,
  run: (joined: Workspace<Given>, tx: Transaction) => Promise<T>,
): Promise<T> {
  const { who, db } = workspace;
  return withEffects(workspace.queue, (begin) =>
    db.inSharedTransaction(who, (joined, tx) =>
      run(bindWorkspace({ ...workspace, db: joined, ...deferred(workspace, begin()) }, who), tx),
    ),
  );
}

/** The services that send notifications, deferred: before the commit, no other connection sees the rows. */
function deferred({ queue, events, sweeper }: Services, { add, reserve }: Effects) {
  return {
    queue: {
      reserve(job) {
        const slot = reserve(job);
        // The slot is kept until the transaction is committed.
        return (
          slot && {
            executorId: slot.executorId,
            begin: (claimed) => add(() => slot.begin(claimed)),
            release: () => undefined,
          }
        );
      },
      wake: (...work: Parameters<typeof queue.wake>) => add(() => queue.wake(...work)),
    },
    events: {
      ...events,
      publish: (...args: Parameters<typeof events.publish>) => add(() => events.publish(...args)),
    },
    sweeper: { soon: () => add(() => sweeper.soon()) },
  } satisfies Partial<Services>;
}
