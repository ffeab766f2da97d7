import { AppError } from "#domain/errors.ts";
import { sourcesOf } from "#domain/tasks/task-status.ts";
import type { TaskStatus } from "#domain/tasks/task-status.ts";
import { runSourcesOf } from "#domain/teams/team-run.ts";
import { taskPrompt } from "#domain/tasks/task-prompt.ts";
import type { JobTransaction } from "#db/queries/queue/jobs.ts";
import type { LockedRun } from "#db/queries/runs/lock-runs.ts";
import { restartRun } from "#db/queries/runs/restart-run.ts";
import { copyMessages } from "#db/queries/runs/fork-messages.ts";
import { beginJournalAgain } from "#db/queries/runs/forks.ts";
import { openLog } from "#db/queries/streams/log-heads.ts";
import { enqueueTeamRun, insertTeamRun } from "#db/queries/teams/team-runs.ts";
import { newId } from "#lib/ids.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";

/** The workspace of a task, and its creator; null for a deleted user. */
export interface Author {
  readonly workspaceId: string;
  readonly userId: string | null;
}

/** A task with the data that its run needs. */
export interface AssignedTask {
  readonly id: string;
  readonly status: TaskStatus;
  readonly title: string;
  readonly description: string;
  readonly agentId: string | null;
  readonly teamId: string | null;
}

/** Dispatches a task to its agent or team. @throws AppError `conflict` when it has neither, or its state forbids it. */
export async function dispatch(tx: JobTransaction, who: Author, task: AssignedTask): Promise<void> {
  const { id, status, agentId, teamId } = task;
  if (agentId === null && teamId === null) {
    throw new AppError(
      "conflict",
      `A task without an agent or team cannot go from ${status} to dispatched; assign one.`,
    );
  }
  const teamRunId = teamId === null ? null : newId();
  const attempt = await restartRun(tx, { id, from: sourcesOf("dispatched"), teamRunId });
  if (attempt === undefined) throw new AppError("conflict", `A task cannot go from ${status} to dispatched.`);
  await allSettledOrThrow([
    openLog(tx, id),
    attempt === 1 ? undefined : beginJournalAgain(tx, id),
    teamId === null || teamRunId === null
      ? tx.enqueue("task", id)
      : startTeamOn(tx, who, { ...task, attempt, teamId, teamRunId }),
  ]);
}

/** Starts a team on a dispatched task, whose row references the run. */
export async function startTeamOn(
  tx: JobTransaction,
  who: Author,
  task: Pick<AssignedTask, "id" | "title" | "description"> & {
    readonly attempt: number;
    readonly teamId: string;
    readonly teamRunId: string;
  },
): Promise<void> {
  const { workspaceId, userId: createdBy } = who;
  const { id: taskId, teamRunId: id, teamId, attempt } = task;
  await allSettledOrThrow([
    insertTeamRun(tx, {
      id,
      workspaceId,
      teamId,
      taskId,
      attempt,
      inputTask: taskPrompt(task),
      createdBy,
      source: null,
      trace: null,
    }),
    enqueueTeamRun(tx, id),
  ]);
}

/**
 * Creates a new attempt of a locked, finished run and queues it.
 * @throws AppError `conflict` for a run that worked on a task, and for one whose team was deleted.
 */
export async function restartTeamRun(
  tx: JobTransaction,
  { id, status, attempt, parentId }: Pick<LockedRun, "id" | "status" | "attempt" | "parentId">,
): Promise<void> {
  const rejection = `A run cannot go from ${status} to pending`;
  if (parentId !== null) {
    throw new AppError("conflict", `${rejection} when it belongs to a task: dispatch the task ${parentId} again.`);
  }
  await restartRun(tx, { id, from: runSourcesOf("pending") });
  await copyMessages(tx, id, { id, attempt });
  const enqueued = await enqueueTeamRun(tx, id);
  if (!enqueued) throw new AppError("conflict", `${rejection} when its team was deleted.`);
}
