import { AppError, notFound } from "#domain/errors.ts";
import { runFork } from "#domain/teams/run-fork.ts";
import type { ForkCreate } from "#domain/teams/run-fork.ts";
import { lastStep } from "#domain/tasks/run-journal.ts";
import { TEAM_CONFIGS } from "#domain/teams/team-config.ts";
import type { TeamModeName } from "#domain/teams/team-mode.ts";
import type { Transaction } from "#db/database.ts";
import type { NewFile } from "#db/queries/files/files.ts";
import { copyRunBudget } from "#db/queries/budgets/budgets.ts";
import { readRecordIn } from "#db/queries/tasks/read-record.ts";
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
import type { Workspace } from "../workspace.ts";

/** The fork to create. */
export interface Fork {
  /** The run to fork. */
  readonly sourceId: string;
  /** Its attempt to fork. */
  readonly attempt: number;
  /** Its inputs, copied by {@link copyInputs} before any transaction. */
  readonly copies: readonly NewFile[];
}

/**
 * Starts a run of the same team with the same input. It starts at a step that another run has reached and takes the
 * earlier ones over: none is repeated or paid again. Team and agents have their current fields, then the changes of the
 * other run, if that is a fork itself, then the given ones. It has the other run's cap.
 * @throws AppError `not_found`; `bad_request` for an unknown step or model, and for an invalid change; `conflict` when
 * the run has not reached the step, the steps to take over are no longer stored, or its team was deleted or is a draft.
 */
export function forkRun(workspace: Workspace, fork: Fork, request: ForkCreate): Promise<JsonText> {
  return begin(workspace, fork, () => request);
}

/**
 * Forks a failed or cancelled run from the step at which it stopped, without changes.
 * @throws AppError `conflict` naming the state for other runs; else as {@link forkRun}.
 */
export function retryRun(workspace: Workspace, fork: Fork): Promise<JsonText> {
  return begin(workspace, fork, ({ status, reached }) => {
    if (status === "failed" || status === "cancelled") return { from_step: reached };
    throw new AppError("conflict", `Only a run that is failed or cancelled can be tried again; this one is ${status}.`);
  });
}

async function begin(
  workspace: Workspace,
  { sourceId, attempt, copies }: Fork,
  request: (source: ForkSource) => ForkCreate,
): Promise<JsonText> {
  const { workspaceId, userId: createdBy } = workspace.who;
  const record = await workspace.change(async (tx) => {
    const source = await readSource(tx, sourceId, attempt);
    const fork = await designFork(workspace, tx, source, { ...request(source), by: answererOf(workspace.who) });
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
      }),
      markFork(tx, id, fork),
      copyMessages(tx, id, source),
      insertCopies(tx, copies, { runId: id }),
      copyRunBudget(tx, { id: newId(), from: sourceId, to: id, createdBy }),
    ]);
    if (!(await enqueueTeamRun(tx, id))) throw teamGone();
    return readRecordIn(tx, "run", id);
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
  return { ...run, id, attempt, status, teamId, mode, config: parsed.data, earlier, reached };
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
