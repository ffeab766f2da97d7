import { askQuestion } from "#db/queries/tasks/questions.ts";
import { retryOutage } from "#db/retry-outage.ts";
import { openRequest } from "#domain/tasks/interaction-request.ts";
import { addTimestamp } from "#domain/streams/stream-event.ts";
import { sourcesOf } from "#domain/tasks/task-status.ts";
import { newId } from "#lib/ids.ts";
import type { EventBus } from "#operations/streams/event-bus.ts";
import { answerKey } from "./ask-person.ts";
import type { OpenQuestion } from "./ask-person.ts";
import { OwnershipLostError } from "../queue/ownership.ts";
import type { EngineServices, Run } from "./run-context.ts";

/**
 * Makes the task wait for an answer and ends this execution. The answer enqueues another one.
 * @throws OwnershipLostError when this execution no longer owns the task
 */
export async function pauseRun(engine: EngineServices, bus: EventBus, run: Run, open: OpenQuestion): Promise<void> {
  const { question, toolCallId } = open;
  const { subjectId } = run.key;
  const ids = { interactionId: newId(), toolCallId };
  const request = openRequest(question, ids, {});
  if (request === undefined) throw new Error("A question has at least one step.");
  const event = JSON.stringify(
    addTimestamp({ type: "INTERACTION_REQUEST", threadId: subjectId, ...request }, new Date()),
  );
  const seq = await retryOutage(() =>
    askQuestion(engine.db, run.key, {
      ...ids,
      answerKey: answerKey(open),
      timeoutMs: question.timeoutMs,
      request: JSON.stringify(request),
      event,
      question: JSON.stringify(question),
      from: sourcesOf("waiting_for_input"),
    }),
  );
  if (seq === undefined) throw new OwnershipLostError(`The run of ${subjectId} has another owner.`);
  bus.publish(subjectId, [{ seq, text: event, final: false }], "anywhere");
}
