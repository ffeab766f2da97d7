import * as rows from "#db/queries/runs/delete-runs.ts";
import { lockRuns } from "#db/queries/runs/lock-runs.ts";
import { AppError, notFound } from "#domain/errors.ts";
import type { RunKind } from "#domain/runs/run-kind.ts";
import { isTerminal } from "#domain/tasks/task-status.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import { locate } from "./attempts.ts";
import { cancelRun } from "./cancel-run.ts";
import type { Workspace } from "../workspace.ts";

/**
 * Deletes a run with all its records: a task with its team runs, or a team run without a task. An unfinished one is
 * cancelled first.
 * @throws AppError `not_found`; `conflict` for a team run that works on a task.
 */
export async function deleteRun(workspace: Workspace, id: string): Promise<void> {
  const { kind, id: found } = await workspace.transaction((tx) => locate(tx, { id }));
  if (found !== id) throw new AppError("conflict", `This run is part of a task; delete the task ${found}.`);
  return deleteRuns(workspace, kind === "run" ? "team_run" : "task", [id]);
}

/** Deletes runs of a kind with all their records, all or none; unfinished ones are cancelled first. @throws `not_found`. */
export async function deleteRuns(workspace: Workspace, kind: RunKind, ids: readonly string[]): Promise<void> {
  await workspace.change(async (tx) => {
    const found = [...(await lockRuns(tx, ids)).values()].filter((run) => run.kind === kind);
    if (found.length < ids.length) throw notFound(kind === "task" ? "Task" : "Run");
    const open = found.filter(({ status }) => !isTerminal(status));
    const ended = await allSettledOrThrow(open.map(({ id }) => cancelRun(tx, id)));
    await rows.deleteRuns(tx, ids);
    tx.publish(...ids, ...ended.flat());
    tx.sweep();
  });
}
