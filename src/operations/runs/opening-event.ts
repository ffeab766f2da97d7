import { storableJson } from "#domain/storable.ts";
import { addTimestamp, runIdOf } from "#domain/streams/stream-event.ts";

/** The first event of a run's log, as JSON. @param attempt the attempt of the task; the first by default */
export function openingEvent(taskId: string, attempt = 1): string {
  return storableJson(
    addTimestamp({ type: "RUN_STARTED", threadId: taskId, runId: runIdOf(taskId, attempt) }, new Date()),
  );
}
