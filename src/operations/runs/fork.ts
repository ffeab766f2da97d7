import { AppError } from "#domain/errors.ts";
import type { ForkCreate } from "#domain/teams/run-fork.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import { copyInputs } from "../files/copy-files.ts";
import { forkTask } from "./fork-task.ts";
import { forkRun } from "./fork-run.ts";
import { stepsGone } from "./fork-parts.ts";
import type { Fork } from "./fork-parts.ts";
import { locate, logIdOf } from "./attempts.ts";
import type { AttemptQuery } from "./attempts.ts";
import type { Workspace } from "../workspace.ts";

/** A prepared fork: the other run's inputs are copied. */
export interface PreparedFork extends Fork {
  readonly kind: "task" | "run";
}

/**
 * Finds the attempt to fork, by the id of a task or of a team run, and copies its inputs. For a team's task, it is the
 * team run.
 * @throws AppError `not_found`.
 */
export async function prepareFork(workspace: Workspace, query: AttemptQuery): Promise<PreparedFork> {
  const run = await workspace.transaction((tx) => locate(tx, query));
  const { teamRunId, attempt } = run;
  const sourceId = logIdOf(run);
  const copies = await copyInputs(workspace, sourceId);
  return { kind: teamRunId === null ? "task" : "run", sourceId, attempt, copies };
}

const FORKS = { task: forkTask, run: forkRun } as const;

/** Starts a fork; see {@link forkTask} and {@link forkRun}. Returns the record of a task or of a team run. */
export function startFork(
  workspace: Workspace,
  { kind, ...fork }: PreparedFork,
  request: ForkCreate,
): Promise<JsonText> {
  return FORKS[kind](workspace, fork, () => request);
}

/**
 * Forks a failed or cancelled run from where it stopped, without changes.
 * @throws AppError `conflict` naming the state for other runs; else as {@link startFork}.
 */
export function startRetry(workspace: Workspace, { kind, ...fork }: PreparedFork): Promise<JsonText> {
  return FORKS[kind](workspace, fork, ({ status, reached, isPurged }) => {
    if (isPurged) throw stepsGone(kind, fork.attempt);
    if (status === "failed" || status === "cancelled") return { from_step: reached };
    const message = `Only a ${kind} that is failed or cancelled can be tried again; this one is ${status}.`;
    throw new AppError("conflict", message);
  });
}
