import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import { requireRole } from "#domain/access/role.ts";
import { whyDraft } from "#domain/teams/team.ts";
import type { Transaction } from "#db/database.ts";
import type { JobTransaction } from "#db/queries/queue/jobs.ts";
import { findRuns } from "#db/queries/runs/list-runs.ts";
import type { FoundRun, RunSelection } from "#db/queries/runs/list-runs.ts";
import { lockTasks } from "#db/queries/tasks/tasks.ts";
import type { LockedTask } from "#db/queries/tasks/tasks.ts";
import { lockTeamRuns } from "#db/queries/teams/team-runs.ts";
import type { LockedRun } from "#db/queries/teams/team-runs.ts";
import { readTeamDesign } from "#db/queries/teams/teams.ts";
import { sourcesOf } from "#domain/tasks/task-status.ts";
import { runSourcesOf } from "#domain/teams/team-run.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import type { Services } from "../context.ts";
import { dispatch } from "../tasks/assign.ts";
import { cancelInTransaction, cancelRunInTransaction } from "../tasks/cancel-task.ts";
import { withJobs } from "../tasks/with-jobs.ts";
import { restartRun } from "../teams/team-runs.ts";

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
 * Cancels or restarts runs, oldest first, in one transaction: all that their states allow are changed, or none.
 * @throws AppError `conflict` when the number differs from the expected one, and then nothing is changed; `forbidden`.
 */
export async function changeRuns(services: Services, who: Principal, change: RunsChange): Promise<ChangedRuns> {
  requireRole(who, "member");
  const { ended, ...result } = await withJobs(services, who, async (tx) => {
    const found = await findExpected(tx, who, change);
    const runs = await lockRuns(tx, found);
    const reasons = await rejectionsOf(tx, runs, change.action);
    const allowed = runs.filter(({ id }) => !reasons.has(id));
    // Sent together: a statement does not wait for the answer to that of another run.
    const logs = await allSettledOrThrow(allowed.map((run) => changeOne(tx, who, run, change.action)));
    return {
      changed: allowed.map(({ id }) => id),
      skipped: [...reasons].map(([id, message]) => ({ id, message })),
      ended: logs.flat(),
    };
  });
  for (const logId of new Set([...result.changed, ...ended])) services.events.publish(logId, "grown");
  return result;
}

async function findExpected(tx: Transaction, who: Principal, { selection, expect }: RunsChange): Promise<FoundRun[]> {
  const found = await findRuns(tx, who, selection, MAX_CHANGED_RUNS + 1);
  if (found.length === expect) return found;
  const count = found.length > MAX_CHANGED_RUNS ? `more than ${MAX_CHANGED_RUNS}` : found.length;
  throw new AppError("conflict", `There are ${count} such runs, not ${expect}. Reload the list.`);
}

/** A run of either kind, locked; `task` or `run` is what it is. */
type RunToChange = Pick<FoundRun, "id"> &
  ({ readonly task: LockedTask; readonly run?: undefined } | { readonly task?: undefined; readonly run: LockedRun });

/** Locks runs; those that were deleted meanwhile are left out. */
async function lockRuns(tx: Transaction, found: readonly FoundRun[]): Promise<readonly RunToChange[]> {
  const idsOf = (kind: FoundRun["kind"]) => found.filter((run) => run.kind === kind).map(({ id }) => id);
  const [tasks, runs] = await allSettledOrThrow([lockTasks(tx, idsOf("task")), lockTeamRuns(tx, idsOf("run"))]);
  return found.flatMap(({ id }): RunToChange[] => {
    const [task, run] = [tasks.get(id), runs.get(id)];
    if (task !== undefined) return [{ id, task }];
    return run === undefined ? [] : [{ id, run }];
  });
}

/** Why runs cannot be changed, by their ids. It is known before anything is written, as a transaction has no parts. */
async function rejectionsOf(
  tx: Transaction,
  runs: readonly RunToChange[],
  action: RunsChange["action"],
): Promise<ReadonlyMap<string, string>> {
  const teams = new Set(action === "rerun" ? runs.flatMap((run) => teamOf(run) ?? []) : []);
  const designs = await allSettledOrThrow([...teams].map(async (id) => [id, await readTeamDesign(tx, id)] as const));
  const drafts = new Map(designs.map(([id, design]) => [id, design && whyDraft(design)]));
  return new Map(
    runs.flatMap((run) => {
      const reason = wrongState(run, action) ?? drafts.get(teamOf(run) ?? "");
      return reason === undefined ? [] : [[run.id, reason] as const];
    }),
  );
}

function teamOf({ task, run }: RunToChange): string | null {
  return task === undefined ? run.teamId : task.assigned_team_id;
}

function wrongState({ task, run }: RunToChange, action: RunsChange["action"]): string | undefined {
  const target = RUN_ACTIONS[action];
  if (task !== undefined) {
    if (!sourcesOf(target.task).includes(task.status)) return `It is ${task.status}.`;
    const isAssigned = task.assigned_agent_id !== null || task.assigned_team_id !== null;
    return action === "cancel" || isAssigned ? undefined : "It has no agent or team.";
  }
  if (!runSourcesOf(target.run).includes(run.status)) return `It is ${run.status}.`;
  return action === "cancel" || run.teamId !== null ? undefined : "Its team was deleted.";
}

/** Changes a run whose state allows it; returns the logs that this ended. */
async function changeOne(
  tx: JobTransaction,
  who: Principal,
  { id, task, run }: RunToChange,
  action: RunsChange["action"],
): Promise<readonly string[]> {
  if (action === "cancel") return (task === undefined ? cancelRunInTransaction : cancelInTransaction)(tx, id);
  if (task === undefined) await restartRun(tx, id, run);
  else await dispatch(tx, who, { ...task, id });
  return [];
}
