import type { ForkCreate } from "#domain/teams/run-fork.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import { copyInputs } from "../files/copy-files.ts";
import { forkTask, retryTask } from "./fork-task.ts";
import { forkRun, retryRun } from "./fork-run.ts";
import type { Fork } from "./fork-run.ts";
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

/** Starts a fork; see {@link forkTask} and {@link forkRun}. Returns the record of a task or of a team run. */
export function startFork(
  workspace: Workspace,
  { kind, ...fork }: PreparedFork,
  request: ForkCreate,
): Promise<JsonText> {
  return (kind === "task" ? forkTask : forkRun)(workspace, fork, request);
}

/** Forks a failed or cancelled run from where it stopped; see {@link retryTask} and {@link retryRun}. */
export function startRetry(workspace: Workspace, { kind, ...fork }: PreparedFork): Promise<JsonText> {
  return (kind === "task" ? retryTask : retryRun)(workspace, fork);
}
