import { AppError, notFound, orNotFound } from "#domain/errors.ts";
import { sourceOf } from "#domain/runs/run-source.ts";
import { runSourcesOf } from "#domain/teams/team-run.ts";
import type { RunCreate, RunStatus } from "#domain/teams/team-run.ts";
import { readRecord } from "#db/queries/tasks/read-record.ts";
import { lockRun } from "#db/queries/runs/lock-runs.ts";
import { enqueueTeamRun, insertTeamRun } from "#db/queries/teams/team-runs.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import { attachFiles } from "../files/attach.ts";
import { capRun } from "../budgets/budgets.ts";
import { cancelRun } from "../runs/cancel-run.ts";
import { restartTeamRun } from "../runs/dispatch.ts";
import { requireRunnable } from "./require-runnable.ts";
import type { Workspace } from "../workspace.ts";

const found = orNotFound("Run");

/**
 * Starts a team on an input; the run is queued in the same transaction.
 * @throws AppError `not_found` when the workspace has no such team.
 */
export async function startRun(workspace: Workspace, input: RunCreate & { readonly id?: string }): Promise<JsonText> {
  const { id = newId() } = input;
  const { workspaceId, userId: createdBy } = workspace.who;
  const { team_id: teamId, input_task: inputTask } = input;
  const source = sourceOf(workspace.who);
  const record = await workspace.change(async (tx) => {
    const created = allSettledOrThrow([
      requireRunnable(tx, teamId),
      insertTeamRun(tx, {
        id,
        workspaceId,
        teamId,
        taskId: null,
        attempt: 1,
        inputTask,
        createdBy,
        source,
        trace: tx.trace(id),
      }),
      attachFiles(tx, input.attachments, { runId: id }),
      input.budget == null ? undefined : capRun(tx, workspace.who, { targetId: id, budget: input.budget }),
      enqueueTeamRun(tx, id),
    ]);
    const [, read] = await allSettledOrThrow([created, readRecord(tx, "run", id)]);
    return read;
  });
  return found(record);
}

/** Reads a run with its messages. @throws AppError `not_found`. */
export async function getRun(workspace: Workspace, id: string): Promise<JsonText> {
  return found(await readRecord(workspace, "run-with-messages", id));
}

/**
 * Cancels a run (`cancelled`), with the task that it works on, or restarts a finished one (`pending`).
 * @throws AppError `not_found`; `conflict` naming both states for anything else.
 */
export async function setRunStatus(
  workspace: Workspace,
  change: { readonly id: string; readonly status: RunStatus },
): Promise<JsonText> {
  const { id, status } = change;
  const record = await workspace.change(async (tx) => {
    const run = await lockRun(tx, "team_run", id);
    if (run === undefined) throw notFound("Run");
    if (status === run.status) return readRecord(tx, "run", id);
    const allowed = status === "cancelled" || status === "pending";
    if (!allowed || !sourcesIn(status).includes(run.status)) throw invalidTransition(run.status, status);
    if (status === "cancelled") tx.publish(...(await cancelRun(tx, id)));
    else {
      await restartTeamRun(tx, run);
      if (run.teamId !== null) await requireRunnable(tx, run.teamId);
    }
    tx.publish(id);
    return readRecord(tx, "run", id);
  });
  return found(record);
}

function sourcesIn(status: RunStatus): readonly string[] {
  return runSourcesOf(status);
}

function invalidTransition(from: string, to: RunStatus): AppError {
  const allowed = (["cancelled", "pending"] as const).filter((status) => sourcesIn(status).includes(from));
  return new AppError("conflict", `A run cannot go from ${from} to ${to}; it can be set to ${allowed.join(" or ")}.`);
}
