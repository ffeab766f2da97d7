import { finishRuns } from "#db/queries/runs/finish-runs.ts";
import type { RunEnd, RunFinish } from "#db/queries/runs/finish-runs.ts";
import { startRuns } from "#db/queries/runs/start-runs.ts";
import type { StartedRun } from "#db/queries/runs/start-runs.ts";
import type { JobKey } from "#db/queries/queue/job-owner.ts";
import { readOpenParts } from "#db/queries/streams/task-events.ts";
import { lockRememberingTeam, rememberTeamRun } from "#db/queries/teams/team-memories.ts";
import { storableJson } from "#domain/storable.ts";
import { closeParts, runIdOf, addTimestamp, unlessStopped } from "#domain/streams/stream-event.ts";
import { memoryLimit } from "#domain/teams/team-memory.ts";
import type { TeamRunJob } from "#domain/teams/team-run.ts";
import { newId } from "#lib/ids.ts";
import { openingEvent } from "#operations/runs/opening-event.ts";
import type { EventBus } from "#operations/ports.ts";
import type { TeamResult } from "../define-team-mode.ts";
import { OwnershipLostError } from "../../queue/ownership.ts";
import type { EngineServices } from "../../run/run-context.ts";
import type { RunFailure } from "../../run/run-failure.ts";
import type { UsageTally } from "../../run/usage-tally.ts";
import { storeOutputs } from "../../agent/store-outputs.ts";
import type { LoggedEvent } from "#domain/streams/logged-event.ts";

// A team run and the task that it works on begin and end in one statement.

/** How a team run ended. */
export type TeamOutcome = TeamResult | { readonly failure: RunFailure };

interface Execution {
  readonly job: TeamRunJob;
  readonly key: JobKey;
}

/**
 * Makes an execution the owner of a run and its task, and moves both to `running`; undefined when they must not run.
 */
export async function beginTeamRun(
  engine: EngineServices,
  bus: EventBus,
  { job, key }: Execution,
): Promise<StartedRun | undefined> {
  const starts = logsOf(job).map((runId) => ({
    runId,
    job: key,
    event: openingEvent(runId, key.attempt),
    agentVersion: null,
  }));
  const started = await startRuns(engine.db, starts);
  const [ofRun] = started;
  if (ofRun === undefined) return undefined;
  // Budgets created together with the run apply from its first call.
  if (job.hasBudgets === true) engine.budgets.invalidate(job.workspaceId);
  for (const [index, { runId, event }] of starts.entries()) {
    const log = started[index];
    if (log?.fresh === true) bus.publish(runId, [{ seq: log.last_seq, text: event, final: false }]);
  }
  return ofRun;
}

/**
 * Writes the end of a run and of its task.
 * @throws OwnershipLostError when this execution no longer owns the run, or it was cancelled
 */
export async function endTeamRun(
  engine: EngineServices,
  bus: EventBus,
  { job, key, outcome, usage }: Execution & { readonly outcome: TeamOutcome; readonly usage: UsageTally },
): Promise<void> {
  const isCompleted = "output" in outcome;
  const { workspaceId } = job;
  const outputs = isCompleted
    ? await storeOutputs(engine, { workspaceId, result: outcome.output })
    : { files: [], events: [] };
  const open = await readOpenParts(engine.db, key.subjectId);
  const closed = closeParts(open, isCompleted ? "" : outcome.failure.message, new Date());
  const finishes = logsOf(job).map((runId): RunFinish => {
    const isRun = runId === job.runId;
    const events = [...(isRun ? closed : []), ...outputs.events, lastEvent(runId, key.attempt, { outcome, usage })];
    // The task has the output files of its team run.
    const files = isRun && job.taskId !== null ? [] : outputs.files;
    return { runId, job: key, end: { ...endOf(outcome), files, events: events.map((event) => storableJson(event)) } };
  });
  const finished = await engine.db.transaction(async (tx) => {
    const remembers = memoryLimit(job.team.config) !== undefined && (await lockRememberingTeam(tx, job.runId));
    const written = await finishRuns(tx, finishes);
    if (written.includes(undefined)) throw new OwnershipLostError(`The job of ${job.runId} has another owner.`);
    if (remembers) await rememberTeamRun(tx, job.runId, newId());
    return written;
  });
  for (const [index, { runId, end }] of finishes.entries()) {
    const first = finished[index]?.first_seq;
    if (first !== undefined) bus.publish(runId, asLogged(end.events, first));
  }
}

/** The ids of the run, and of the task that it works on; both have the same attempt number. */
function logsOf({ runId, taskId }: TeamRunJob): readonly string[] {
  return taskId === null ? [runId] : [runId, taskId];
}

function endOf(outcome: TeamOutcome): Omit<RunEnd, "files" | "events"> {
  if ("output" in outcome) {
    const { output: result, finish: finishReason } = outcome;
    return { status: "completed", result, error: null, errorCode: null, finishReason };
  }
  const { message: error, code: errorCode } = outcome.failure;
  return { status: "failed", result: null, error, errorCode, finishReason: null };
}

function lastEvent(
  runId: string,
  attempt: number,
  { outcome, usage }: { readonly outcome: TeamOutcome; readonly usage: UsageTally },
) {
  const ids = { threadId: runId, runId: runIdOf(runId, attempt) };
  const used = usage.field();
  const event =
    "output" in outcome
      ? ({ type: "RUN_FINISHED", ...ids, result: outcome.output, ...unlessStopped(outcome.finish), ...used } as const)
      : ({ type: "RUN_ERROR", ...ids, message: outcome.failure.message, code: outcome.failure.code, ...used } as const);
  return addTimestamp(event, new Date());
}

function asLogged(texts: readonly string[], first: number): LoggedEvent[] {
  return texts.map((text, index) => ({ seq: first + index, text, final: index === texts.length - 1 }));
}
