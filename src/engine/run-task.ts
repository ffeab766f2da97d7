import { finishRun, noteCrash, startRun } from "#db/queries/runs.ts";
import type { RunEnd, RunKey } from "#db/queries/runs.ts";
import { readOpenParts } from "#db/queries/task-events.ts";
import { retryOutage } from "#db/retry-outage.ts";
import { closeParts, stamp } from "#domain/stream-event.ts";
import { sourcesOf } from "#domain/task.ts";
import { newId } from "#lib/ids.ts";
import type { EventBus } from "#operations/event-bus.ts";
import type { RunJob } from "#operations/context.ts";
import { runAgent } from "./agent-loop.ts";
import { OwnershipLost } from "./event-writer.ts";
import type { EngineServices, Run } from "./run-context.ts";
import { RunFailure } from "./run-failure.ts";

/** A process may die so often in one step before the run is given up. */
const MAX_CRASHES = 3;

/**
 * The workflow of a task's attempt: takes the task, lets the agent work, and writes how it ended.
 * It is run again from the top when another process takes it over; recorded steps then return
 * what they returned before, and everything else here is safe to do twice.
 */
export async function runTask(engine: EngineServices, bus: EventBus, job: RunJob): Promise<void> {
  const key: RunKey = { taskId: job.taskId, attempt: job.attempt, writer: newId() };
  const { signal, leave } = engine.runs.enter(key);
  try {
    const opening = stamp({ type: "RUN_STARTED", threadId: job.taskId, runId: runId(job) }, new Date());
    const event = JSON.stringify(opening);
    const started = await retryOutage(() =>
      startRun(engine.db, key, { event, from: [...sourcesOf("running"), "running"] }),
    );
    if (started === undefined) return;
    if (started.fresh) bus.publish(job.taskId, [{ seq: started.last_seq, text: event, final: false }]);
    const end = await outcome(engine, openRun(engine, { job, key, signal, resumed: started.resumed }));
    const seq = await retryOutage(() => finishRun(engine.db, key, end));
    if (seq !== undefined) bus.publish(job.taskId, [{ seq, text: end.event, final: true }]);
  } catch (error) {
    // Cancelled, or taken over by another execution: how the task ends is not for this one to write.
    if (!(error instanceof OwnershipLost) && !signal.aborted) throw error;
  } finally {
    leave();
  }
}

async function outcome(engine: EngineServices, run: Run): Promise<RunEnd> {
  const ids = { threadId: run.job.taskId, runId: runId(run.job) };
  try {
    const result = await runAgent(engine, run);
    const event = stamp({ type: "RUN_FINISHED", ...ids, result }, new Date());
    return { status: "completed", result, error: null, event: JSON.stringify(event), from: sourcesOf("completed") };
  } catch (error) {
    if (error instanceof OwnershipLost || run.signal.aborted) throw error;
    const { code, message } = asRunFailure(engine, run, error);
    const event = stamp({ type: "RUN_ERROR", ...ids, message, code }, new Date());
    return { status: "failed", result: null, error: message, event: JSON.stringify(event), from: sourcesOf("failed") };
  }
}

function asRunFailure(engine: EngineServices, run: Run, error: unknown): RunFailure {
  if (error instanceof RunFailure) return error;
  engine.log.error({ err: error, taskId: run.job.taskId }, "run failed by a fault of the service");
  return new RunFailure(
    "INTERNAL_ERROR",
    "The run was stopped by an internal error; the server's log has the details.",
  );
}

function openRun(
  engine: EngineServices,
  { job, key, signal, resumed }: Pick<Run, "job" | "key" | "signal"> & { readonly resumed: boolean },
): Run {
  let crashed = resumed;
  const { taskId, writer } = key;
  return {
    job,
    key,
    signal,
    emit: (event, eventKey) =>
      engine.writer.append({
        taskId,
        writer,
        text: JSON.stringify({ ...event, timestamp: Math.floor(Date.now() / 1000) }),
        ...(eventKey !== undefined && { key: eventKey }),
      }),
    async beginLive(stepId) {
      if (!crashed) return;
      crashed = false;
      const crashes = await retryOutage(() => noteCrash(engine.db, key, stepId));
      if (crashes >= MAX_CRASHES) {
        throw new RunFailure(
          "CRASH_LOOP",
          `crash_loop: the process died ${crashes} times in the same step of this run.`,
        );
      }
      // Its words are lost with the call that wrote them; the call made anew writes another message.
      const open = await retryOutage(() => readOpenParts(engine.db, taskId));
      for (const event of closeParts(
        open.filter(({ kind }) => kind === "message"),
        "",
        new Date(),
      )) {
        await engine.writer.append({ taskId, writer, text: JSON.stringify(event) });
      }
    },
  };
}

function runId(job: RunJob): string {
  return job.attempt === 1 ? job.taskId : `${job.taskId}.${job.attempt}`;
}
