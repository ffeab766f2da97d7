import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import { requireRole } from "#domain/access/role.ts";
import { whyDraft } from "#domain/teams/team.ts";
import type { Transaction } from "#db/database.ts";
import type { JobTransaction } from "#db/queries/queue/jobs.ts";
import { findRuns } from "#db/queries/runs/list-runs.ts";
import type { FoundRun, RunSelection } from "#db/queries/runs/list-runs.ts";
import { lockRuns } from "#db/queries/runs/lock-runs.ts";
import type { LockedRun } from "#db/queries/runs/lock-runs.ts";
import { readTeamDesign } from "#db/queries/teams/teams.ts";
import { sourcesOf } from "#domain/tasks/task-status.ts";
import { runSourcesOf } from "#domain/teams/team-run.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import { dispatch, restartTeamRun } from "./dispatch.ts";
import { cancelRun } from "./cancel-run.ts";
import type { Workspace } from "../workspace.ts";

/** The bulk actions, with the status that each sets on a task and on a team run without a task. */
const RUN_ACTIONS = {
  cancel: { task: "cancelled", team_run: "cancelled" },
  rerun: { task: "dispatched", team_run: "pending" },
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
export async function changeRuns(workspace: Workspace, change: RunsChange): Promise<ChangedRuns> {
  requireRole(workspace.who, "member");
  return workspace.change(async (tx) => {
    const found = await findExpected(tx, workspace.who, change);
    const locked = await lockRuns(
      tx,
      found.map(({ id }) => id),
    );
    // Those that were deleted meanwhile are left out.
    const runs = found.flatMap(({ id }) => locked.get(id) ?? []);
    const reasons = await rejectionsOf(tx, runs, change.action);
    const allowed = runs.filter(({ id }) => !reasons.has(id));
    // Sent together: a statement does not wait for the answer to that of another run.
    const logs = await allSettledOrThrow(allowed.map((run) => changeOne(tx, workspace.who, run, change.action)));
    const changed = allowed.map(({ id }) => id);
    tx.publish(...changed, ...logs.flat());
    return { changed, skipped: [...reasons].map(([id, message]) => ({ id, message })) };
  });
}

async function findExpected(tx: Transaction, who: Principal, { selection, expect }: RunsChange): Promise<FoundRun[]> {
  const found = await findRuns(tx, who, selection, MAX_CHANGED_RUNS + 1);
  if (found.length === expect) return found;
  const count = found.length > MAX_CHANGED_RUNS ? `more than ${MAX_CHANGED_RUNS}` : found.length;
  throw new AppError("conflict", `There are ${count} such runs, not ${expect}. Reload the list.`);
}

/** Why runs cannot be changed, by their ids. It is known before anything is written, as a transaction has no parts. */
async function rejectionsOf(
  tx: Transaction,
  runs: readonly LockedRun[],
  action: RunsChange["action"],
): Promise<ReadonlyMap<string, string>> {
  const teams = new Set(action === "rerun" ? runs.flatMap(({ teamId }) => teamId ?? []) : []);
  const designs = await allSettledOrThrow([...teams].map(async (id) => [id, await readTeamDesign(tx, id)] as const));
  const drafts = new Map(designs.map(([id, design]) => [id, design && whyDraft(design)]));
  return new Map(
    runs.flatMap((run) => {
      const reason = wrongState(run, action) ?? drafts.get(run.teamId ?? "");
      return reason === undefined ? [] : [[run.id, reason] as const];
    }),
  );
}

function wrongState({ kind, status, agentId, teamId }: LockedRun, action: RunsChange["action"]): string | undefined {
  const allowed: readonly string[] =
    kind === "task" ? sourcesOf(RUN_ACTIONS[action].task) : runSourcesOf(RUN_ACTIONS[action].team_run);
  if (!allowed.includes(status)) return `It is ${status}.`;
  if (action === "cancel" || agentId !== null || teamId !== null) return undefined;
  return kind === "task" ? "It has no agent or team." : "Its team was deleted.";
}

/** Changes a run whose state allows it; returns the logs that this ended. */
async function changeOne(
  tx: JobTransaction,
  who: Principal,
  run: LockedRun,
  action: RunsChange["action"],
): Promise<readonly string[]> {
  if (action === "cancel") return cancelRun(tx, run.id);
  if (run.kind === "task") await dispatch(tx, who, run);
  else await restartTeamRun(tx, run);
  return [];
}
