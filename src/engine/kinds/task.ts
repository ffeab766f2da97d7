import type { RunEnd } from "#db/queries/run-bounds.ts";
import { readOpenParts } from "#db/queries/task-events.ts";
import type { LoggedEvent } from "#db/queries/task-events.ts";
import { retryOutage } from "#db/retry-outage.ts";
import type { RunJob } from "#domain/run-job.ts";
import { storableJson, storableText } from "#domain/storable.ts";
import { closeParts, runIdOf, stamp } from "#domain/stream-event.ts";
import type { OpenPart, StreamEvent } from "#domain/stream-event.ts";
import { startTimeLimit } from "#lib/time-limit.ts";
import type { TimeLimit } from "#lib/time-limit.ts";
import { runAgent } from "../agent-loop.ts";
import type { OpenQuestion } from "../ask-person.ts";
import { dressResult } from "../dress-result.ts";
import { OwnershipLost } from "../queue/ownership.ts";
import { defineJobKind } from "./define-job-kind.ts";
import { openExecution } from "../execution.ts";
import type { Execution } from "../execution.ts";
import { loadAttachments } from "../load-attachments.ts";
import { pauseRun } from "../pause-run.ts";
import type { EngineServices, Run } from "../run-context.ts";
import { RunFailure, asRunFailure } from "../run-failure.ts";
import { storeOutputs } from "../store-outputs.ts";

/**
 * A task's attempt: starts the task, lets the agent work, and writes how it ended. An execution that asks a person ends
 * with the question; the answer lets the job be claimed again.
 */
export default defineJobKind<RunJob>({
  name: "task",
  async run(engine, { job: key, bus, signal }) {
    const { input: job } = key;
    const opening = stamp(
      { type: "RUN_STARTED", threadId: job.taskId, runId: runIdOf(job.taskId, job.attempt) },
      new Date(),
    );
    const event = storableJson(opening);
    const agentVersion = job.agent.version ?? null;
    const started = await engine.bounds.start({ taskId: job.taskId, job: key, event, agentVersion });
    if (started === undefined) return engine.discard(key);
    // Those that were made together with the run count from its first call on.
    if (started.has_budgets) engine.budgets.forget(job.workspaceId);
    if (started.fresh) bus.publish(job.taskId, [{ seq: started.last_seq, text: event, final: false }]);
    const limit = startTimeLimit(engine.limits.taskTimeoutMs - started.age_ms, signal);
    try {
      const execution = await openExecution(engine, key, { isFresh: started.fresh });
      const chargedTo = { task_id: job.taskId, team_run_id: null, team_id: null };
      const run = { job, key, chargedTo, files: [], tools: [], signal: limit.signal, ...execution };
      const { beginEnd } = execution;
      const end = await outcome(engine, run, { limit, hasFiles: started.has_files, beginEnd });
      if ("question" in end) return await pauseRun(engine, bus, run, end);
      const first = await engine.bounds.finish({ taskId: job.taskId, job: key, end });
      if (first === undefined) throw new OwnershipLost(`Task ${job.taskId} has another owner.`);
      bus.publish(job.taskId, asLogged(end.events, first));
    } finally {
      limit.clear();
    }
  },
});

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
    const files = hasFiles
      ? await loadAttachments(engine, { taskId: run.job.taskId, workspaceId: run.job.workspaceId }, run.signal)
      : [];
    const answer = await runAgent(engine, { ...run, files });
    await beginEnd();
    if ("question" in answer) return answer;
    const { messageId } = answer;
    const result = storableText(dressResult(run.job.agent, run.job.title, answer));
    const open: OpenPart[] = messageId === undefined ? [] : [{ kind: "message", id: messageId }];
    const closed = closeParts(open, "", now());
    const outputs = await storeOutputs(engine, { workspaceId: run.job.workspaceId, result });
    const events = [...closed, ...outputs.events, stamp({ type: "RUN_FINISHED", ...ids, result }, now())];
    const end = { status: "completed", result, error: null } as const;
    return { ...end, files: outputs.files, events: asTexts(events) };
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
