import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import { requireRole } from "#domain/access/role.ts";
import { findRuns } from "#db/queries/runs/list-runs.ts";
import type { FoundRun, RunSelection } from "#db/queries/runs/list-runs.ts";
import { sourcesOf } from "#domain/tasks/task-status.ts";
import { runSourcesOf } from "#domain/teams/team-run.ts";
import type { Services } from "../context.ts";
import { updateTask } from "../tasks/tasks.ts";
import { setRunStatus } from "../teams/team-runs.ts";

/** The bulk actions, with the status that each sets on a task and on a team run without a task. */
const RUN_ACTIONS = {
  cancel: { task: "cancelled", run: "cancelled" },
  rerun: { task: "dispatched", run: "pending" },
} as const;

/** The maximum number of runs in one change. */
export const MAX_CHANGED_RUNS = 500;

/** A bulk change of runs. */
export interface RunsChange {
  readonly action: keyof typeof RUN_ACTIONS;
  readonly selection: RunSelection;
  /** The expected number of runs. */
  readonly expect: number;
}

/** The result for each run. */
export interface ChangedRuns {
  readonly changed: readonly string[];
  /** Runs whose state did not allow it, with the reason. */
  readonly skipped: readonly { readonly id: string; readonly message: string }[];
}

/**
 * Cancels or restarts runs, oldest first. Each run is changed separately: earlier changes remain when a later one
 * fails.
 * @throws AppError `conflict` when the number differs from the expected one, and then nothing is changed; `forbidden`.
 */
export async function changeRuns(services: Services, who: Principal, change: RunsChange): Promise<ChangedRuns> {
  requireRole(who, "member");
  const { action, selection, expect } = change;
  const found = await services.db.inWorkspace(who, (tx) => findRuns(tx, who, selection, MAX_CHANGED_RUNS + 1));
  if (found.length !== expect) {
    const count = found.length > MAX_CHANGED_RUNS ? `more than ${MAX_CHANGED_RUNS}` : found.length;
    throw new AppError("conflict", `There are ${count} such runs, not ${expect}. Reload the list.`);
  }
  const changed: string[] = [];
  const skipped: { id: string; message: string }[] = [];
  for (const run of found) {
    const message = await changeOne(services, who, { run, action });
    if (message === undefined) changed.push(run.id);
    else skipped.push({ id: run.id, message });
  }
  return { changed, skipped };
}

/**
 * Changes a run; returns the reason when its state does not allow it. The state is checked first: in a joint
 * transaction, a failed part would roll back the others.
 */
async function changeOne(
  services: Services,
  who: Principal,
  { run: { kind, id, status }, action }: { readonly run: FoundRun; readonly action: RunsChange["action"] },
): Promise<string | undefined> {
  const { task, run } = RUN_ACTIONS[action];
  const sources: readonly string[] = kind === "task" ? sourcesOf(task) : runSourcesOf(run);
  if (!sources.includes(status)) return `It is ${status}.`;
  try {
    if (kind === "task") await updateTask(services, who, { id, patch: { status: task } });
    else await setRunStatus(services, who, { id, status: run });
    return undefined;
  } catch (error) {
    // It may also have been deleted meanwhile.
    if (error instanceof AppError && (error.code === "conflict" || error.code === "not_found")) return error.message;
    throw error;
  }
}
