import type { Transaction } from "#db/database.ts";
import { finishRun, startRun } from "#db/queries/runs.ts";
import type { RunKey } from "#db/queries/runs.ts";
import { finishTeamRun, startTeamRun } from "#db/queries/running-teams.ts";
import type { StartedTeamRun } from "#db/queries/running-teams.ts";
import type { LoggedEvent } from "#db/queries/task-events.ts";
import { retryOutage } from "#db/retry-outage.ts";
import { runIdOf, stamp } from "#domain/stream-event.ts";
import { sourcesOf } from "#domain/task.ts";
import { runSourcesOf } from "#domain/team-run.ts";
import type { TeamRunJob } from "#domain/team-run.ts";
import type { EventBus } from "#operations/event-bus.ts";
import { OwnershipLost } from "./event-writer.ts";
import type { EngineServices } from "./run-context.ts";
import type { RunFailure } from "./run-failure.ts";

// A run and the task whose work it does begin and end in one transaction, the task first: whoever cancels
// them locks them in the same order.

/** How the work of a run ended. */
export type TeamOutcome = { readonly output: string } | { readonly failure: RunFailure };

interface Execution {
  readonly job: TeamRunJob;
  readonly key: RunKey;
}

/**
 * Makes an execution the owner of a run and of its task, which are then `running`.
 * @throws OwnershipLost when the run is no longer to be done.
 */
export async function beginTeamRun(
  engine: EngineServices,
  bus: EventBus,
  { job, key }: Execution,
): Promise<StartedTeamRun> {
  const task = taskOf(job, key);
  const [started, events] = await retryOutage(() =>
    engine.db.transaction(async (tx) => {
      const opened = task === undefined ? [] : await beginTask(tx, task);
      const run = await startTeamRun(tx, key, [...runSourcesOf("running"), "running"]);
      return [run ?? lost(key), opened] as const;
    }),
  );
  if (task !== undefined && events.length > 0) bus.publish(task.taskId, events);
  return started;
}

/**
 * Writes how a run ended; its task takes that over.
 * @throws OwnershipLost when this execution no longer owns the run, or it was cancelled.
 */
export async function endTeamRun(
  engine: EngineServices,
  bus: EventBus,
  { job, key, outcome }: Execution & { readonly outcome: TeamOutcome },
): Promise<void> {
  const task = taskOf(job, key);
  const end = {
    status: "output" in outcome ? ("completed" as const) : ("failed" as const),
    output: "output" in outcome ? outcome.output : null,
    error: "output" in outcome ? null : outcome.failure.message,
  };
  const events = await retryOutage(() =>
    engine.db.transaction(async (tx) => {
      const last = task === undefined ? [] : await endTask(tx, task, outcome);
      const ended = await finishTeamRun(tx, key, { ...end, from: runSourcesOf(end.status) });
      return ended ? last : lost(key);
    }),
  );
  if (task !== undefined) bus.publish(task.taskId, events);
}

/** A run has the attempt of the task whose work it does. */
function taskOf({ taskId }: TeamRunJob, { attempt, writer }: RunKey): RunKey | undefined {
  return taskId === null ? undefined : { taskId, attempt, writer };
}

async function beginTask(tx: Transaction, task: RunKey): Promise<readonly LoggedEvent[]> {
  const text = JSON.stringify(stamp({ type: "RUN_STARTED", ...idsOf(task) }, new Date()));
  const from = [...sourcesOf("running"), "running"] as const;
  const started = (await startRun(tx, task, { event: text, from, segment: 0 })) ?? lost(task);
  return started.fresh ? [{ seq: started.last_seq, text, final: false }] : [];
}

async function endTask(tx: Transaction, task: RunKey, outcome: TeamOutcome): Promise<readonly LoggedEvent[]> {
  const now = new Date();
  const ids = idsOf(task);
  const [end, last] =
    "output" in outcome
      ? [
          { status: "completed" as const, result: outcome.output, error: null },
          stamp({ type: "RUN_FINISHED", ...ids, result: outcome.output }, now),
        ]
      : [
          { status: "failed" as const, result: null, error: outcome.failure.message },
          stamp({ type: "RUN_ERROR", ...ids, message: outcome.failure.message, code: outcome.failure.code }, now),
        ];
  const text = JSON.stringify(last);
  const seq = (await finishRun(tx, task, { ...end, events: [text], from: sourcesOf(end.status) })) ?? lost(task);
  return [{ seq, text, final: true }];
}

function idsOf({ taskId, attempt }: RunKey) {
  return { threadId: taskId, runId: runIdOf(taskId, attempt) };
}

function lost(of: RunKey): never {
  throw new OwnershipLost(`The run of ${of.taskId} has another owner.`);
}
