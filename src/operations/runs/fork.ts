import type { Principal } from "#domain/access/principal.ts";
import type { ForkCreate } from "#domain/teams/run-fork.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import type { Services } from "../context.ts";
import { copyInputs } from "../files/copy-files.ts";
import { forkTask, retryTask } from "../tasks/fork-task.ts";
import { forkRun, retryRun } from "../teams/fork-run.ts";
import type { Fork } from "../teams/fork-run.ts";
import { locate } from "./attempts.ts";

/** A fork that is prepared: what the other run was given is copied. */
export interface PreparedFork extends Fork {
  readonly kind: "task" | "run";
}

/**
 * Finds what is to be forked, by the id of a task or of a team's run, and copies what it was given. Of a task that a
 * team does it is the team's run.
 * @throws AppError `not_found`.
 */
export async function prepareFork(services: Services, who: Principal, id: string): Promise<PreparedFork> {
  const { id: runId, teamRunId } = await services.db.inWorkspace(who, (tx) => locate(tx, { id }));
  const sourceId = teamRunId ?? runId;
  return { kind: teamRunId === null ? "task" : "run", sourceId, copies: await copyInputs(services, who, sourceId) };
}

/** Starts a fork; see {@link forkTask} and {@link forkRun}. The record of a task or of a team's run. */
export function startFork(
  services: Services,
  who: Principal,
  { kind, ...fork }: PreparedFork,
  request: ForkCreate,
): Promise<JsonText> {
  return (kind === "task" ? forkTask : forkRun)(services, who, fork, request);
}

/** Forks what has failed or was cancelled from where that happened; see {@link retryTask} and {@link retryRun}. */
export function startRetry(services: Services, who: Principal, { kind, ...fork }: PreparedFork): Promise<JsonText> {
  return (kind === "task" ? retryTask : retryRun)(services, who, fork);
}
