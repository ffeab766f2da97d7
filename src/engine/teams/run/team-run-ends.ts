import type { Transaction } from "#db/database.ts";
import { finishRuns, startRuns } from "#db/queries/tasks/run-bounds.ts";
import type { JobKey } from "#db/queries/queue/job-owner.ts";
import { finishTeamRun, startTeamRun } from "#db/queries/teams/running-teams.ts";
import type { StartedTeamRun } from "#db/queries/teams/running-teams.ts";
import { readOpenParts } from "#db/queries/streams/task-events.ts";
import { lockRememberingTeam, rememberTeamRun } from "#db/queries/teams/team-memories.ts";
import { retryOutage } from "#db/retry-outage.ts";
import { storableJson } from "#domain/storable.ts";
import { closeParts, runIdOf, addTimestamp, unlessStopped } from "#domain/streams/stream-event.ts";
import { memoryLimit } from "#domain/teams/team-memory.ts";
import { runSourcesOf } from "#domain/teams/team-run.ts";
import type { TeamRunJob } from "#domain/teams/team-run.ts";
import { newId } from "#lib/ids.ts";
import type { EventBus } from "#operations/streams/event-bus.ts";
import type { TeamResult } from "../define-team-mode.ts";
import { OwnershipLostError } from "../../queue/ownership.ts";
import type { EngineServices } from "../../run/run-context.ts";
import type { RunFailure } from "../../run/run-failure.ts";
import type { UsageTally } from "../../run/usage-tally.ts";
import { storeOutputs } from "../../agent/store-outputs.ts";
import type { StoredOutputs } from "../../agent/store-outputs.ts";
import type { LoggedEvent } from "#domain/streams/logged-event.ts";

// A run and its task begin and end in one transaction, task first: a cancellation locks them in the same order.

/** The task that a run works on, and the run's execution. */
interface TaskOfRun {
  readonly taskId: string;
  readonly job: JobKey;
}

/** How a team run ended. */
export type TeamOutcome = TeamResult | { readonly failure: RunFailure };

interface Ended {
  readonly outcome: TeamOutcome;
  readonly usage: UsageTally;
  readonly outputs: StoredOutputs;
}

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
): Promise<StartedTeamRun | undefined> {
  const task = taskOf(job, key);
  const event = startOf(key.subjectId, key);
  const begun = await retryOutage(() =>
    engine.db.transaction(async (tx) => {
      const opened = task === undefined ? [] : await beginTask(tx, task);
      const run = await startTeamRun(tx, key, { from: ["pending", "running"], event });
      return [run ?? throwOwnershipLost(key), opened] as const;
    }),
  ).catch(undefinedIfLost);
  if (begun === undefined) return undefined;
  const [started, ofTask] = begun;
  // Budgets created together with the run apply from its first call.
  if (started.has_budgets) engine.budgets.invalidate(job.workspaceId);
  if (started.fresh) bus.publish(key.subjectId, [{ seq: started.last_seq, text: event, final: false }]);
  if (task !== undefined && ofTask.length > 0) bus.publish(task.taskId, ofTask);
  return started;
}

/**
 * Writes the end of a run and of its task.
 * @throws OwnershipLostError when this execution no longer owns the run, or it was cancelled
 */
export async function endTeamRun(
  engine: EngineServices,
  bus: EventBus,
  { job, key, outcome, usage }: Execution & Omit<Ended, "outputs">,
): Promise<void> {
  const task = taskOf(job, key);
  const outputs =
    "output" in outcome
      ? await storeOutputs(engine, { workspaceId: job.workspaceId, result: outcome.output })
      : { files: [], events: [] };
  const end = {
    status: "output" in outcome ? ("completed" as const) : ("failed" as const),
    output: "output" in outcome ? outcome.output : null,
    error: "output" in outcome ? null : outcome.failure.message,
    finishReason: "output" in outcome ? outcome.finish : null,
    events: await lastEvents(engine, key, { outcome, outputs, usage }),
  };
  const [ofRun, ofTask] = await retryOutage(() =>
    engine.db.transaction(async (tx) => {
      const remembers = memoryLimit(job.team.config) !== undefined && (await lockRememberingTeam(tx, job.runId));
      const last = task === undefined ? [] : await endTask(tx, task, { outcome, outputs, usage });
      const own = { ...end, files: task === undefined ? outputs.files : [], from: runSourcesOf(end.status) };
      const first = await finishTeamRun(tx, key, own);
      if (remembers) await rememberTeamRun(tx, job.runId, newId());
      return [first === undefined ? throwOwnershipLost(key) : asLogged(end.events, first), last] as const;
    }),
  );
  bus.publish(key.subjectId, ofRun);
  if (task !== undefined) bus.publish(task.taskId, ofTask);
}

/** A run has the same attempt number as its task. */
function taskOf({ taskId }: TeamRunJob, job: JobKey): TaskOfRun | undefined {
  return taskId === null ? undefined : { taskId, job };
}

function startOf(subjectId: string, { attempt }: JobKey): string {
  return storableJson(addTimestamp({ type: "RUN_STARTED", ...idsOf(subjectId, attempt) }, new Date()));
}

/** The last events of a run's log: the ends of open messages and steps, and of the run. */
async function lastEvents({ db }: EngineServices, key: JobKey, ended: Ended): Promise<string[]> {
  const { outcome, outputs } = ended;
  const reason = "output" in outcome ? "" : outcome.failure.message;
  const open = await retryOutage(() => readOpenParts(db, key.subjectId));
  return [
    ...[...closeParts(open, reason, new Date()), ...outputs.events].map((event) => storableJson(event)),
    endOf(key.subjectId, key.attempt, ended),
  ];
}

function endOf(subjectId: string, attempt: number, { outcome, usage }: Omit<Ended, "outputs">): string {
  const ids = idsOf(subjectId, attempt);
  const used = usage.field();
  const event =
    "output" in outcome
      ? ({ type: "RUN_FINISHED", ...ids, result: outcome.output, ...unlessStopped(outcome.finish), ...used } as const)
      : ({ type: "RUN_ERROR", ...ids, message: outcome.failure.message, code: outcome.failure.code, ...used } as const);
  return storableJson(addTimestamp(event, new Date()));
}

async function beginTask(tx: Transaction, { taskId, job }: TaskOfRun): Promise<readonly LoggedEvent[]> {
  const text = startOf(taskId, job);
  const [started = throwOwnershipLost(job)] = await startRuns(tx, [{ taskId, job, event: text, agentVersion: null }]);
  return started.fresh ? [{ seq: started.last_seq, text, final: false }] : [];
}

async function endTask(
  tx: Transaction,
  { taskId, job }: TaskOfRun,
  { outcome, outputs, usage }: Ended,
): Promise<readonly LoggedEvent[]> {
  const end =
    "output" in outcome
      ? {
          status: "completed" as const,
          result: outcome.output,
          error: null,
          errorCode: null,
          finishReason: outcome.finish,
        }
      : {
          status: "failed" as const,
          result: null,
          error: outcome.failure.message,
          errorCode: outcome.failure.code,
          finishReason: null,
        };
  const events = [
    ...outputs.events.map((event) => storableJson(event)),
    endOf(taskId, job.attempt, { outcome, usage }),
  ];
  const [finished = throwOwnershipLost(job)] = await finishRuns(tx, [
    { taskId, job, end: { ...end, events, files: outputs.files } },
  ]);
  return asLogged(events, finished.first_seq);
}

function asLogged(texts: readonly string[], first: number): LoggedEvent[] {
  return texts.map((text, index) => ({ seq: first + index, text, final: index === texts.length - 1 }));
}

function idsOf(subjectId: string, attempt: number) {
  return { threadId: subjectId, runId: runIdOf(subjectId, attempt) };
}

function undefinedIfLost(error: unknown): undefined {
  if (!(error instanceof OwnershipLostError)) throw error;
}

function throwOwnershipLost(of: JobKey): never {
  throw new OwnershipLostError(`The job of ${of.subjectId} has another owner.`);
}
