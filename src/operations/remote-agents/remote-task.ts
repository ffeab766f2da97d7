import type { Tenant } from "#domain/access/role.ts";
import { nameRemoteTask } from "#db/queries/remote-agents/remote-calls.ts";
import { createProgressCollector, isPaused } from "#protocols/a2a/remote/remote-progress.ts";
import type { RemoteProgress } from "#protocols/a2a/remote/remote-progress.ts";
import type { Services } from "../context.ts";

/** A question that is still the same this long after its answer was sent is asked again. */
const STALE_QUESTION_MS = 10_000;

/** The task of a delegation. */
export interface OfDelegation {
  /** The key of the delegation. */
  readonly key: string;
  /** The remote agent's id of the task, if it is known. */
  readonly taskId: string | undefined;
  /** Called with the remote agent's output so far, as it grows. */
  readonly onProgress: (progress: RemoteProgress) => Promise<void>;
}

/** The state of a remote task in one execution, as its results arrive. */
export function createRemoteTask(
  { db }: Pick<Services, "db">,
  tenant: Tenant,
  { key, taskId, onProgress }: OfDelegation,
) {
  const collector = createProgressCollector(taskId);
  let id = taskId;
  let isOver = false;
  /** The question that was answered, and when. */
  let answered: { readonly key: string; readonly at: number } | undefined;
  return {
    get id() {
      return id;
    },
    /** Whether it has ended: it accepts no more messages. */
    get isOver() {
      return isOver;
    },
    get progress() {
      return collector.progress;
    },
    add: collector.add,
    /** Stores the id of the task, and reports its progress. */
    async record(): Promise<RemoteProgress> {
      const { progress } = collector;
      if (progress.taskId !== undefined && progress.taskId !== id) {
        const named = { key, taskId: progress.taskId, contextId: progress.contextId };
        id = named.taskId;
        await nameRemoteTask(db.inWorkspace(tenant), named);
      }
      isOver = isPaused(progress) && progress.state !== "input-required";
      await onProgress(progress);
      return progress;
    },
    /** Whether the agent waits for us. Right after an answer, agents may still show the question that it answers. */
    isWaiting(progress: RemoteProgress): boolean {
      if (!isPaused(progress)) return false;
      if (progress.state !== "input-required" || progress.statusKey !== answered?.key) return true;
      return performance.now() - answered.at > STALE_QUESTION_MS;
    },
    noteAnswered(): void {
      answered = { key: collector.progress.statusKey, at: performance.now() };
    },
    noteCancelled(): void {
      isOver = true;
    },
  };
}
