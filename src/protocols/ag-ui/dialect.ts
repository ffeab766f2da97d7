import { withTimestampInSeconds } from "#domain/streams/stream-event.ts";
import type { SseMessage } from "#lib/http/sse.ts";
import { createStandardTranslator, withRunId } from "./standard-events.ts";
import type { LoggedEvent } from "#domain/streams/logged-event.ts";

/** The position from which a stream continues: after an event, or within one that is sent in several parts. */
export interface ResumePoint {
  /** The number of the last event that the reader has completely. */
  readonly seq: number;
  /** The number of the next event's parts that the reader has. */
  readonly parts: number;
}

/** The format in which a reader receives the events. */
export interface Dialect {
  /** Whether the reader is a standard AG-UI client, which accepts only the protocol's events and fields. */
  readonly isStandard: boolean;
  /** Whether the reader understands AG-UI 1.x. */
  readonly isCurrent: boolean;
  /** The client's own id of the run. */
  readonly runId: string | undefined;
  /** The client's own id of the thread, for standard clients. */
  readonly threadId?: string;
}

/**
 * Parses the header `Last-Event-ID`: `7` is the whole of event 7, `7.0` its first part of several. Undefined for an
 * invalid id.
 */
export function parseEventId(id: string): ResumePoint | undefined {
  const [, seq, part] = /^(\d{1,9})(?:\.(\d))?$/.exec(id) ?? [];
  if (seq === undefined) return undefined;
  return part === undefined ? { seq: Number(seq), parts: 0 } : { seq: Number(seq) - 1, parts: Number(part) + 1 };
}

/**
 * Creates the translator of one stream: from an event of the log to the reader's format. Only the last part of an event
 * has its plain number as id, so that no part is lost or repeated.
 */
export function createTranslator(dialect: Dialect): (event: LoggedEvent) => SseMessage[] {
  const partsOf = dialect.isStandard
    ? createStandardTranslator(dialect)
    : (text: string) => [withRunId(withTimestampInSeconds(text), dialect.runId)];
  return ({ seq, text }) =>
    partsOf(text).map((data, index, parts) => ({
      id: index === parts.length - 1 ? String(seq) : `${seq}.${index}`,
      data,
    }));
}
