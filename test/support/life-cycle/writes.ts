import { finishRuns } from "#db/queries/runs/finish-runs.ts";
import { lockAsking } from "#db/queries/runs/lock-runs.ts";
import { askQuestion, resumeRun } from "#db/queries/runs/questions.ts";
import { startRuns } from "#db/queries/runs/start-runs.ts";
import { recordSteps } from "#db/queries/runs/run-steps.ts";
import { appendEvents } from "#db/queries/streams/task-events.ts";
import { serviceIn } from "#domain/access/role.ts";
import type { OwnedJob } from "#engine/queue/lease.ts";
import { NO_TRACES } from "#domain/traces/sampler.ts";
import { newId } from "#lib/ids.ts";
import { cancelRun } from "#operations/runs/cancel-run.ts";
import { changeWorkspace } from "#operations/change-workspace.ts";
import type { World } from "./world.ts";

// What an execution writes, by the statements of the engine; each returns whether it was accepted.

/** Starts the task. */
export async function startTask({ db }: World, job: OwnedJob): Promise<boolean> {
  const event = '{"type":"RUN_STARTED"}';
  const [started] = await startRuns(db, [{ runId: job.subjectId, job, event, agentVersion: null }]);
  return started !== undefined;
}

/** Appends an event to the log. */
export async function appendEvent({ db }: World, job: OwnedJob): Promise<boolean> {
  const [appended] = await appendEvents(db, newId(), [{ subjectId: job.subjectId, owner: job, text: "{}" }]);
  return appended?.owned === true && appended.seq !== null;
}

/** Records a step. */
export async function recordStep({ db }: World, job: OwnedJob): Promise<boolean> {
  const [isOwned] = await recordSteps(db, [{ run: job, key: `step:${newId()}`, result: "1" }]);
  return isOwned === true;
}

/** Asks a person. */
export async function suspendTask(world: World, job: OwnedJob): Promise<boolean> {
  const isStarted = await startTask(world, job);
  const seq = await askQuestion(world.db, job, {
    interactionId: newId(),
    toolCallId: "call",
    timeoutMs: 3_600_000,
    request: '{"interactionType":"confirmation"}',
    event: '{"type":"INTERACTION_REQUEST"}',
    question: "{}",
    answerKey: `answer:${newId()}`,
  });
  return isStarted && seq !== undefined;
}

/** Ends the task. */
export async function finishTask(world: World, job: OwnedJob): Promise<boolean> {
  await startTask(world, job);
  const end = {
    status: "completed",
    result: "done",
    error: null,
    errorCode: null,
    finishReason: null,
    events: ['{"type":"RUN_FINISHED"}'],
    files: [],
  } as const;
  const [finished] = await finishRuns(world.db, [{ runId: job.subjectId, job, end }]);
  return finished !== undefined;
}

/** Answers a task's question. */
export async function answer({ db, workspaceId }: World, taskId: string): Promise<void> {
  const queue = { reserve: () => undefined, wake: () => undefined };
  const events = { publish: () => undefined };
  const sweeper = { soon: () => undefined };
  await changeWorkspace({ db, queue, events, sweeper, traceNewRun: NO_TRACES }, serviceIn(workspaceId), async (tx) => {
    const run = await lockAsking(tx, taskId);
    if (run?.status === "waiting_for_input") await resumeRun(tx, run, { answer: "{}", facts: "{}" });
  });
}

/** Cancels the task, in any process. */
export async function cancelTask({ db }: World, taskId: string): Promise<boolean> {
  const ended = await db.transaction((tx) => cancelRun(tx, taskId));
  return ended.length > 0;
}
