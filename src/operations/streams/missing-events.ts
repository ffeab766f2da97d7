import type { LogOutcome } from "#db/queries/streams/log-outcome.ts";
import { FINISH_REASONS } from "#domain/models/reply-parts.ts";
import { storableJson } from "#domain/storable.ts";
import { addTimestamp, RUN_ERROR_CODES, runIdOf, unlessStopped } from "#domain/streams/stream-event.ts";
import type { StreamEvent } from "#domain/streams/stream-event.ts";
import type { LoggedEvent } from "#domain/streams/logged-event.ts";

// Events that a log no longer has. Without a final event, a reader would assume a broken connection and connect again.

/** The end of the stream of a deleted task or run. */
export function deletion(
  { logId, attempt }: { readonly logId: string; readonly attempt: number },
  seq: number,
): LoggedEvent {
  const ids = { threadId: logId, runId: runIdOf(logId, attempt) };
  const event: StreamEvent = addTimestamp(
    { type: "RUN_ERROR", ...ids, message: "It was deleted.", code: "CANCELLED" },
    new Date(),
  );
  return asLogged(event, seq, true);
}

/**
 * The first and the last event of an ended attempt whose events were purged, from this number on, as its record has
 * them.
 */
export function purgedEvents(outcome: LogOutcome, logId: string, next: number): LoggedEvent[] {
  const { first_seq, last_seq, attempt, ended_at, started_at } = outcome;
  const ids = { threadId: logId, runId: runIdOf(logId, attempt) };
  const endedAt = ended_at ?? new Date();
  const started = addTimestamp({ type: "RUN_STARTED", ...ids }, started_at ?? endedAt);
  return [
    ...(next <= first_seq && first_seq < last_seq ? [asLogged(started, first_seq, false)] : []),
    asLogged(addTimestamp({ ...endOf(outcome), ...ids }, endedAt), last_seq, true),
  ];
}

function endOf({ result, error, error_code, finish_reason }: LogOutcome) {
  const finish = FINISH_REASONS.find((each) => each === finish_reason) ?? "stop";
  if (result !== null) return { type: "RUN_FINISHED", result, ...unlessStopped(finish) } as const;
  const code = RUN_ERROR_CODES.find((each) => each === error_code) ?? "INTERNAL_ERROR";
  return { type: "RUN_ERROR", message: error ?? "", code } as const;
}

function asLogged(event: StreamEvent, seq: number, final: boolean): LoggedEvent {
  return { seq, text: storableJson(event), final };
}
