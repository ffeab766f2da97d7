import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import { requireRole } from "#domain/access/role.ts";
import { findRuns } from "#db/queries/runs/list-runs.ts";
import type { FoundRun, RunSelection } from "#db/queries/runs/list-runs.ts";
import { sourcesOf } from "#domain/tasks/task.ts";
import { runSourcesOf } from "#domain/teams/team-run.ts";
import type { Services } from "../context.ts";
import { updateTask } from "../tasks/tasks.ts";
import { setRunStatus } from "../teams/team-runs.ts";

/** What can be done with many runs at once, and the status that a task and a lone team run get by it. */
const RUN_ACTIONS = {
  cancel: { task: "cancelled", run: "cancelled" },
  rerun: { task: "dispatched", run: "pending" },
} as const;

/** The most runs that are changed at once. */
export const MAX_CHANGED_RUNS = 500;

/** A change of many runs. */
export interface RunsChange {
  readonly action: keyof typeof RUN_ACTIONS;
  readonly selection: RunSelection;
  /** How many runs there have to be. */
  readonly expect: number;
}

/** What became of them. */
export interface ChangedRuns {
  readonly changed: readonly string[];
  /** Those whose state did not allow it, and why. */
  readonly skipped: readonly { readonly id: string; readonly message: string }[];
}

/**
 * Cancels runs, or runs them again, the oldest first. Each is changed by itself: what has been changed stays so when a
 * later one fails.
 * @throws AppError `conflict` when there are not as many as expected, and then nothing is changed; `forbidden`.
 */
export async function changeRuns(services: Services, who: Principal, change: RunsChange): Promise<ChangedRuns> {
  requireRole(who, "member");
  const { action, selection, expect } = change;
  const found = await services.db.inWorkspace(who, (tx) => findRuns(tx, who, selection, MAX_CHANGED_RUNS + 1));
  if (found.length !== expect) {
    const count = found.length > MAX_CHANGED_RUNS ? `more than ${MAX_CHANGED_RUNS}` : found.length;
    throw new AppError("conflict", `There are ${count} such runs, not ${expect}. Look at them again.`);
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
 * Changes a run; gives the reason when its state does not allow that. The state is looked at before: a part of a joint
 * transaction that fails takes the others with it.
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
    // It may have been deleted meanwhile, too.
    if (error instanceof AppError && (error.code === "conflict" || error.code === "not_found")) return error.message;
    throw error;
  }
}
