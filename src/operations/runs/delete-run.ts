import { AppError } from "#domain/errors.ts";
import { deleteTasks } from "../tasks/tasks.ts";
import { deleteTeamRun } from "../teams/team-runs.ts";
import { locate } from "./attempts.ts";
import type { Workspace } from "../workspace.ts";

/**
 * Deletes a run with all its records: a task with its team runs, or a team run without a task. An unfinished one is
 * cancelled first.
 * @throws AppError `not_found`; `conflict` for a team run that works on a task.
 */
export async function deleteRun(workspace: Workspace, id: string): Promise<void> {
  const { kind, id: found } = await workspace.transaction((tx) => locate(tx, { id }));
  if (kind === "run") return deleteTeamRun(workspace, id);
  if (found !== id) throw new AppError("conflict", `This run is part of a task; delete the task ${found}.`);
  return deleteTasks(workspace, [id]);
}
