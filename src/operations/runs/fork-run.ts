import { AppError, notFound } from "#domain/errors.ts";
import { runFork } from "#domain/teams/run-fork.ts";
import { lastStep } from "#domain/tasks/run-journal.ts";
import { TEAM_CONFIGS } from "#domain/teams/team-config.ts";
import type { TeamModeName } from "#domain/teams/team-mode.ts";
import type { Transaction } from "#db/database.ts";
import { copyRunBudget } from "#db/queries/budgets/budgets.ts";
import { readRecord } from "#db/queries/tasks/read-record.ts";
import { copyMessages } from "#db/queries/runs/fork-messages.ts";
import { markFork, readForkable, readJournal } from "#db/queries/runs/forks.ts";
import { enqueueTeamRun, insertTeamRun } from "#db/queries/teams/team-runs.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import { endOfAttempt } from "../runs/attempts.ts";
import { answererOf } from "./respond.ts";
import { insertCopies } from "../files/copy-files.ts";
import { designFork } from "./design-fork.ts";
import type { ForkSource } from "./design-fork.ts";
import type { Fork, RequestOf } from "./fork-parts.ts";
import type { Workspace } from "../workspace.ts";

/**
 * Starts a run of the same team with the same input. It starts at a step that another run has reached and takes the
 * earlier ones over: none is repeated or paid again. Team and agents have their current fields, then the changes of the
 * other run, if that is a fork itself, then the given ones. It has the other run's cap.
 * @throws AppError `not_found`; `bad_request` for an unknown step or model, and for an invalid change; `conflict` when
 * the run has not reached the step, the steps to take over are no longer stored, or its team was deleted or is a draft.
 */
export async function forkRun(
  workspace: Workspace,
  { sourceId, attempt, copies }: Fork,
  requestOf: RequestOf,
): Promise<JsonText> {
  const { workspaceId, userId: createdBy } = workspace.who;
  const record = await workspace.change(async (tx) => {
    const source = await readSource(tx, sourceId, attempt);
    const fork = await designFork(workspace, tx, source, { ...requestOf(source), by: answererOf(workspace.who) });
    const { teamId, title: inputTask } = source;
    const id = newId();
    await allSettledOrThrow([
      insertTeamRun(tx, {
        id,
        workspaceId,
        teamId,
        taskId: null,
        attempt: 1,
        inputTask,
        createdBy,
        source: { kind: "fork", id: sourceId },
        trace: tx.trace(id),
      }),
      markFork(tx, id, fork),
      copyMessages(tx, id, source),
      insertCopies(tx, copies, { runId: id }),
      copyRunBudget(tx, { id: newId(), from: sourceId, to: id, createdBy }),
    ]);
    if (!(await enqueueTeamRun(tx, id))) throw teamGone();
    return readRecord(tx, "run", id);
  });
  if (record === undefined) throw notFound("Run");
  return record;
}

async function readSource(tx: Transaction, id: string, attempt: number): Promise<ForkSource> {
  const run = await readForkable(tx, "team_run", id);
  if (run === undefined) throw notFound("Run");
  const { teamId, mode } = run;
  if (teamId === null || mode === null) throw teamGone();
  const parsed = TEAM_CONFIGS[mode].safeParse(run.config);
  if (!parsed.success) throw new AppError("conflict", "The run's team is a draft that cannot run yet.");
  const earlier = run.fork === null ? null : runFork.parse(run.fork);
  const { status, currentStep } = attempt === run.attempt ? run : await readEarlier(tx, { id, attempt, mode });
  const reached = currentStep ?? earlier?.from_step ?? 0;
  return { ...run, id, attempt, status, teamId, mode, config: parsed.data, earlier, reached, isPurged: false };
}

/** Reads where an attempt ended that another one followed. */
async function readEarlier(
  tx: Transaction,
  { id, attempt, mode }: { readonly id: string; readonly attempt: number; readonly mode: TeamModeName },
) {
  const status = await endOfAttempt(tx, { id, kind: "run", attempt });
  return { status, currentStep: lastStep(mode, await readJournal(tx, { id, attempt })) };
}

function teamGone(): AppError {
  return new AppError("conflict", "A run whose team was deleted cannot be forked.");
}
