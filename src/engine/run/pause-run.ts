import { askQuestion } from "#db/queries/runs/questions.ts";
import type { JobKey } from "#db/queries/queue/job-owner.ts";
import { openRequest } from "#domain/tasks/interaction-request.ts";
import type { Question } from "#domain/tasks/interaction.ts";
import { addTimestamp } from "#domain/streams/stream-event.ts";
import { newId } from "#lib/ids.ts";
import type { EventBus } from "#operations/ports.ts";
import { OwnershipLostError } from "../queue/ownership.ts";
import type { EngineServices } from "./run-context.ts";

/** An execution that asks a person. */
export interface AskingRun {
  readonly key: JobKey;
  /** The task that a team run works on, which waits with it. */
  readonly taskId?: string | null;
  readonly question: Question;
  /** The key of the answer among the recorded steps. */
  readonly answerKey: string;
  readonly toolCallId: string;
}

/**
 * Makes a run, and the task that it works on, wait for an answer and ends this execution. The answer enqueues another
 * one.
 * @throws OwnershipLostError when this execution no longer owns the run
 */
export async function pauseRun(engine: EngineServices, bus: EventBus, asking: AskingRun): Promise<void> {
  const { key, taskId, question, answerKey, toolCallId } = asking;
  const { subjectId } = key;
  const ids = { interactionId: newId(), toolCallId };
  const request = openRequest(question, ids, {});
  if (request === undefined) throw new Error("A question has at least one step.");
  const now = new Date();
  const eventOf = (threadId: string) =>
    JSON.stringify(addTimestamp({ type: "INTERACTION_REQUEST", threadId, ...request }, now));
  const event = eventOf(subjectId);
  const asked = {
    ...ids,
    answerKey,
    timeoutMs: question.timeoutMs,
    request: JSON.stringify(request),
    event,
    taskEvent: taskId == null ? undefined : eventOf(taskId),
    question: JSON.stringify(question),
  };
  const seq = await askQuestion(engine.db, key, asked);
  if (seq === undefined) throw new OwnershipLostError(`The run ${subjectId} has another owner.`);
  // The answer may arrive in any process.
  bus.publish(subjectId, [{ seq, text: event, final: false }], "anywhere");
  if (taskId != null) bus.publish(taskId, "grown", "anywhere");
}
