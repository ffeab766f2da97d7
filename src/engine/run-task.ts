import type { RunEnd } from "#db/queries/run-bounds.ts";
import { releaseRun } from "#db/queries/runs.ts";
import { readOpenParts } from "#db/queries/task-events.ts";
import type { LoggedEvent } from "#db/queries/task-events.ts";
import { retryOutage } from "#db/retry-outage.ts";
import type { RunJob } from "#domain/run-job.ts";
import { storableJson, storableText } from "#domain/storable.ts";
import { closeParts, runIdOf, stamp } from "#domain/stream-event.ts";
import type { OpenPart, StreamEvent } from "#domain/stream-event.ts";
import { newId } from "#lib/ids.ts";
import { startTimeLimit } from "#lib/time-limit.ts";
import type { TimeLimit } from "#lib/time-limit.ts";
import type { EventBus } from "#operations/event-bus.ts";
import { runAgent } from "./agent-loop.ts";
import type { OpenQuestion } from "./ask-person.ts";
import { dressResult } from "./dress-result.ts";
import { OwnershipLost } from "./event-writer.ts";
import { openExecution } from "./execution.ts";
import type { Execution } from "./execution.ts";
import { loadAttachments } from "./load-attachments.ts";
import type { TakenRun } from "./lease.ts";
import { pauseRun } from "./pause-run.ts";
import type { EngineServices, Run } from "./run-context.ts";
import { yieldRun } from "./yield-run.ts";
import { RunFailure, asRunFailure } from "./run-failure.ts";
import { storeOutputs } from "./store-outputs.ts";

/** What the workflow is given. */
export interface Work {
  readonly job: RunJob;
  readonly segment: number;
}

/**
 * The workflow of a task's attempt: takes the task, lets the agent work, and writes how it ended.
 * It is run again from the top when another process takes it over; recorded steps then return
 * what they returned before, and everything else here is safe to do twice. An execution that asks
 * a person ends there, and its successor is enqueued with the answer.
 * @param work the task's attempt, and how many questions it had asked when this was enqueued
 */
export async function runTask(engine: EngineServices, bus: EventBus, work: Work): Promise<void> {
  const { job, segment } = work;
  const key: TakenRun = { taskId: job.taskId, attempt: job.attempt, writer: newId(), takenAt: performance.now() };
  const release = () => releaseRun(engine.db, key);
  const { signal, leave } = engine.runs.enter({ id: job.taskId, attempt: job.attempt, release });
  const undo = [leave];
  try {
    const opening = stamp(
      { type: "RUN_STARTED", threadId: job.taskId, runId: runIdOf(job.taskId, job.attempt) },
      new Date(),
    );
    const event = storableJson(opening);
    const agentVersion = job.agent.version ?? null;
    const started = await engine.bounds.start({
      run: key,
      event,
      segment,
      agentVersion,
      executorId: engine.executorId,
    });
    if (started === undefined) return;
    // Those that were made together with the run count from its first call on.
    if (started.has_budgets) engine.budgets.forget(job.workspaceId);
    if (started.fresh) bus.publish(job.taskId, [{ seq: started.last_seq, text: event, final: false }]);
    const limit = startTimeLimit(engine.limits.taskTimeoutMs - started.age_ms, signal);
    undo.push(limit.clear);
    const execution = await openExecution(engine, key, { isFresh: started.fresh, crashed: started.resumed });
    const chargedTo = { task_id: job.taskId, team_run_id: null, team_id: null };
    const run = { job, key, chargedTo, files: [], tools: [], signal: limit.signal, ...execution };
    const { beginEnd } = execution;
    const end = await outcome(engine, run, { limit, hasFiles: started.has_files, beginEnd });
    if ("question" in end) return await pauseRun(engine, bus, run, end);
    const first = await engine.bounds.finish({ run: key, end });
    if (first === undefined) throw new OwnershipLost(`Task ${job.taskId} has another owner.`);
    bus.publish(job.taskId, asLogged(end.events, first));
  } catch (error) {
    await yieldRun(engine, { id: job.taskId, attempt: job.attempt, error, signal });
  } finally {
    for (const step of undo) step();
  }
}

interface Bounds extends Pick<Execution, "beginEnd"> {
  readonly limit: TimeLimit;
  readonly hasFiles: boolean;
}

async function outcome(
  engine: EngineServices,
  run: Run,
  { limit, hasFiles, beginEnd }: Bounds,
): Promise<RunEnd | OpenQuestion> {
  const ids = { threadId: run.job.taskId, runId: runIdOf(run.job.taskId, run.job.attempt) };
  const now = () => new Date();
  try {
    const files = hasFiles ? await loadAttachments(engine, { taskId: run.job.taskId }, run.signal) : [];
    const answer = await runAgent(engine, { ...run, files });
    await beginEnd();
    if ("question" in answer) return answer;
    const { messageId } = answer;
    const result = storableText(dressResult(run.job.agent, run.job.title, answer));
    const open: OpenPart[] = messageId === undefined ? [] : [{ kind: "message", id: messageId }];
    const events = [...closeParts(open, "", now()), stamp({ type: "RUN_FINISHED", ...ids, result }, now())];
    const outputs = await storeOutputs(engine, { workspaceId: run.job.workspaceId, result });
    const end = { status: "completed", result, error: null } as const;
    return { ...end, files: outputs, events: asTexts(events) };
  } catch (error) {
    const timedOut = limit.isOver();
    if (error instanceof OwnershipLost || (run.signal.aborted && !timedOut)) throw error;
    const { code, message } = timedOut
      ? taskTimeout(engine)
      : asRunFailure(error, engine.log, { taskId: run.job.taskId });
    const open = await retryOutage(() => readOpenParts(engine.db, run.job.taskId));
    const events = [...closeParts(open, message, now()), stamp({ type: "RUN_ERROR", ...ids, message, code }, now())];
    const end = { status: "failed", result: null, error: message, files: [] } as const;
    return { ...end, events: asTexts(events) };
  }
}

function taskTimeout({ limits }: EngineServices): RunFailure {
  return new RunFailure("TASK_TIMEOUT", `The run took longer than ${limits.taskTimeoutMs / 1_000} s.`);
}

function asTexts(events: readonly StreamEvent[]): string[] {
  return events.map((event) => storableJson(event));
}

function asLogged(texts: readonly string[], first: number): LoggedEvent[] {
  return texts.map((text, index) => ({ seq: first + index, text, final: index === texts.length - 1 }));
}
