import { askTeamQuestion } from "#db/queries/teams/team-questions.ts";
import type { JobKey } from "#db/queries/queue/job-owner.ts";
import { retryOutage } from "#db/retry-outage.ts";
import { openRequest } from "#domain/tasks/interaction-request.ts";
import { addTimestamp } from "#domain/streams/stream-event.ts";
import { runSourcesOf } from "#domain/teams/team-run.ts";
import type { TeamRunJob } from "#domain/teams/team-run.ts";
import { newId } from "#lib/ids.ts";
import type { EventBus } from "#operations/streams/event-bus.ts";
import { OwnershipLostError } from "../../queue/ownership.ts";
import type { Paused } from "../../run/paused.ts";
import type { EngineServices } from "../../run/run-context.ts";

/**
 * Makes a team run, and the task it works on, wait for an answer and ends this execution. The answer enqueues another
 * one.
 * @throws OwnershipLostError when this execution no longer owns the run
 */
export async function pauseTeamRun(
  engine: EngineServices,
  bus: EventBus,
  { job, key, paused }: { readonly job: TeamRunJob; readonly key: JobKey; readonly paused: Paused },
): Promise<void> {
  const { question, answerKey, toolCallId } = paused;
  const { runId, taskId } = job;
  const ids = { interactionId: newId(), toolCallId };
  const request = openRequest(question, ids, {});
  if (request === undefined) throw new Error("A question has at least one step.");
  const now = new Date();
  const eventOf = (threadId: string) =>
    JSON.stringify(addTimestamp({ type: "INTERACTION_REQUEST", threadId, ...request }, now));
  const event = eventOf(runId);
  const asked = {
    ...ids,
    answerKey,
    timeoutMs: question.timeoutMs,
    request: JSON.stringify(request),
    event,
    taskEvent: taskId === null ? null : eventOf(taskId),
    question: JSON.stringify(question),
    from: runSourcesOf("waiting_for_input"),
  };
  const seq = await retryOutage(() => engine.db.transaction((tx) => askTeamQuestion(tx, key, asked)));
  if (seq === undefined) throw new OwnershipLostError(`The run of ${runId} has another owner.`);
  bus.publish(runId, [{ seq, text: event, final: false }], "anywhere");
  if (taskId !== null) bus.publish(taskId, "grown", "anywhere");
}
