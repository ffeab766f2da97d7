import type { RunEnd } from "#db/queries/runs/finish-runs.ts";
import type { StartedRun } from "#db/queries/runs/start-runs.ts";
import { readOpenParts } from "#db/queries/streams/task-events.ts";
import type { TaskJob } from "#domain/tasks/run-job.ts";
import { storableJson, storableText } from "#domain/storable.ts";
import { closeParts, runIdOf, addTimestamp, unlessStopped } from "#domain/streams/stream-event.ts";
import type { OpenPart, StreamEvent } from "#domain/streams/stream-event.ts";
import { startTimeLimit } from "#lib/async/time-limit.ts";
import type { EventBus } from "#operations/ports.ts";
import { openingEvent } from "#operations/runs/opening-event.ts";
import type { TimeLimit } from "#lib/async/time-limit.ts";
import { runAgent } from "../agent/agent-loop.ts";
import { checkCase } from "../agent/check-case.ts";
import { answerKey } from "../run/ask-person.ts";
import type { OpenQuestion } from "../run/ask-person.ts";
import { renderResult } from "../agent/render-result.ts";
import type { OwnedJob } from "../queue/lease.ts";
import { HeldError, OwnershipLostError } from "../queue/ownership.ts";
import { defineJobKind } from "./define-job-kind.ts";
import { openExecution } from "../run/execution.ts";
import type { Execution } from "../run/execution.ts";
import { loadAttachments } from "../agent/load-attachments.ts";
import { pauseRun } from "../run/pause-run.ts";
import type { EngineServices, Run } from "../run/run-context.ts";
import { warnOfFailure } from "../run/warn-of-failure.ts";
import { RunFailure, asRunFailure } from "../run/run-failure.ts";
import { storeOutputs } from "../agent/store-outputs.ts";

/** The start of a first execution. */
const STARTED: StartedRun = { fresh: true, last_seq: 1, age_ms: 0 };

/**
 * A task's attempt: starts the task, runs the agent and records the end. An execution that asks a person ends with the
 * question; after the answer the job can be claimed again.
 */
export default defineJobKind<TaskJob>({
  name: "task",
  async run(engine, { job: key, bus, signal }) {
    const { input: job } = key;
    const starting = key.opening === undefined ? start(engine, key) : showStart(bus, key, key.opening);
    starting.catch(() => undefined);
    // The first execution begins with nothing recorded, so the provider call need not wait for the start.
    const begun = key.fence === 1 ? STARTED : await starting;
    const isFresh = begun.fresh && job.hasJournal !== true;
    // Budgets created together with the run apply from its first call.
    if (job.hasBudgets) engine.budgets.invalidate(job.workspaceId);
    const limit = startTimeLimit(engine.limits.taskTimeoutMs - begun.age_ms, signal);
    try {
      const execution = await openExecution(engine, key, { isFresh });
      const chargedTo = { task_id: job.taskId, team_run_id: null, team_id: null };
      const beforeCall = (call: number) => Promise.resolve(job.asides?.[call]);
      const run = { job, key, chargedTo, files: [], tools: [], signal: limit.signal, beforeCall, ...execution };
      const end = await outcome(engine, run, { limit, execution, ageMs: begun.age_ms }).catch(
        async (error: unknown) => {
          if (error instanceof HeldError) await starting;
          throw error;
        },
      );
      if ("question" in end) {
        await execution.stored();
        await starting;
        const { question, toolCallId } = end;
        return await pauseRun(engine, bus, { key, question, toolCallId, answerKey: answerKey(end) });
      }
      await Promise.all([starting, engine.writer.finish({ runId: job.taskId, job: key, end })]);
      if (end.status === "failed" && job.golden == null) {
        warnOfFailure(engine, {
          ...job,
          runId: job.taskId,
          agents: [job.agent],
          code: end.errorCode,
          reason: end.error,
        });
      }
    } finally {
      limit.clear();
    }
  },
});

/** Moves the task to `running`. @throws OwnershipLostError when it must not run any more. */
async function start(engine: EngineServices, key: OwnedJob<TaskJob>): Promise<StartedRun> {
  const { taskId, attempt, agent } = key.input;
  const event = openingEvent(taskId, attempt);
  const started = await engine.writer.start({ runId: taskId, job: key, event, agentVersion: agent.version ?? null });
  if (started !== undefined) return started;
  await engine.discard(key);
  throw new OwnershipLostError(`Task ${taskId} is not to be run any more.`);
}

/** The start was written with the task. A reader opened by the same request subscribes before the next turn. */
async function showStart(bus: EventBus, { subjectId }: OwnedJob<TaskJob>, text: string): Promise<StartedRun> {
  setImmediate(() => bus.publish(subjectId, [{ seq: 1, text, final: false }]));
  return STARTED;
}

interface TaskRun extends Run {
  readonly job: TaskJob;
}

interface Bounds {
  readonly limit: TimeLimit;
  readonly execution: Execution;
  /** How long the attempt had lasted when this execution began, in milliseconds. */
  readonly ageMs: number;
}

/** A golden run stores no files. */
const NO_OUTPUTS = { events: [], files: [] } as const;

/** Nobody is asked for a golden run. */
function unanswered({ question }: OpenQuestion): RunFailure {
  const title = question.kind === "prompt" ? question.prompt.title : question.title;
  return new RunFailure("DIVERGED", `The run would have to ask: ${title} A golden run asks nobody.`);
}

async function outcome(
  engine: EngineServices,
  run: TaskRun,
  { limit, execution, ageMs }: Bounds,
): Promise<RunEnd | OpenQuestion> {
  const ids = { threadId: run.job.taskId, runId: runIdOf(run.job.taskId, run.job.attempt) };
  const now = () => new Date();
  try {
    const files = run.job.hasFiles
      ? await loadAttachments(engine, { taskId: run.job.taskId, workspaceId: run.job.workspaceId }, run.signal)
      : [];
    const startedAt = Date.now();
    const answer = await runAgent(engine, { ...run, files });
    const { golden } = run.job;
    if ("question" in answer) {
      if (golden != null) throw unanswered(answer);
      await execution.beginEnd();
      return answer;
    }
    const { messageId } = answer;
    const result = storableText(renderResult(run.job.agent, run.job.title, answer));
    if (golden != null) {
      const { called: tools, spent } = answer;
      const durationMs = ageMs + Date.now() - startedAt;
      const found = { result, tools, costUsd: spent.costUsd, tokens: spent.tokensUsed, durationMs };
      await checkCase(engine, run, { golden, found });
    }
    await execution.beginEnd();
    const open: OpenPart[] = messageId === undefined ? [] : [{ kind: "message", id: messageId }];
    const closed = closeParts(open, "", now());
    const outputs =
      golden == null ? await storeOutputs(engine, { workspaceId: run.job.workspaceId, result }) : NO_OUTPUTS;
    const finished = {
      type: "RUN_FINISHED",
      ...ids,
      result,
      ...unlessStopped(answer.finish),
      ...execution.usage.field(),
    } as const;
    const events = [...closed, ...outputs.events, addTimestamp(finished, now())];
    const end = { status: "completed", result, error: null, errorCode: null, finishReason: answer.finish } as const;
    return { ...end, files: outputs.files, events: asTexts(events) };
  } catch (error) {
    const timedOut = limit.isOver();
    if (error instanceof HeldError) await execution.stored();
    if (error instanceof OwnershipLostError || (run.signal.aborted && !timedOut)) throw error;
    const { code, message } = timedOut
      ? taskTimeout(engine)
      : asRunFailure(error, engine.log, { taskId: run.job.taskId });
    await execution.stored();
    const open = await readOpenParts(engine.db, run.job.taskId);
    const events = [
      ...closeParts(open, message, now()),
      addTimestamp({ type: "RUN_ERROR", ...ids, message, code, ...execution.usage.field() }, now()),
    ];
    const end = {
      status: "failed",
      result: null,
      error: message,
      errorCode: code,
      finishReason: null,
      files: [],
    } as const;
    return { ...end, events: asTexts(events) };
  }
}

function taskTimeout({ limits }: EngineServices): RunFailure {
  return new RunFailure("TASK_TIMEOUT", `The run took longer than ${limits.taskTimeoutMs / 1_000} s.`);
}

function asTexts(events: readonly StreamEvent[]): string[] {
  return events.map((event) => storableJson(event));
}
