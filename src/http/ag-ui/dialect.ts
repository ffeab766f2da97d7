import { z } from "zod";
import type { SseMessage } from "#lib/sse.ts";
import type { LoggedEvent } from "#db/queries/task-events.ts";

const INTERACTION = "INTERACTION_";
const FOREIGN = /"type":"(?:INTERACTION_|TOOL_CALL_END)/;
const NAMES_RUN = /"type":"RUN_/;

const toolCallEnd = z.looseObject({
  type: z.literal("TOOL_CALL_END"),
  timestamp: z.int(),
  toolCallId: z.string(),
  result: z.string(),
});
const anyEvent = z.looseObject({ type: z.string(), timestamp: z.int() });

/** Where a reader's stream goes on: behind an event, or within one that is sent in several parts. */
export interface ResumePoint {
  /** The number of the last event that the reader has in full. */
  readonly seq: number;
  /** How many parts of the next event the reader has. */
  readonly parts: number;
}

/** How a reader wants the events. */
export interface Dialect {
  /** Whether the reader is a standard AG-UI client, which knows no events but those of the protocol. */
  readonly isStandard: boolean;
  /** The reader's own name for the run. */
  readonly runId: string | undefined;
}

/**
 * Reads the header `Last-Event-ID`: `7` is the whole of event 7, `7.0` its first part of several.
 * Undefined when it is none of ours.
 */
export function parseEventId(id: string): ResumePoint | undefined {
  const [, seq, part] = /^(\d{1,9})(?:\.(\d))?$/.exec(id) ?? [];
  if (seq === undefined) return undefined;
  return part === undefined ? { seq: Number(seq), parts: 0 } : { seq: Number(seq) - 1, parts: Number(part) + 1 };
}

/**
 * An event of the log as a reader gets it. For a standard client interactions are CUSTOM events
 * with the whole event for their value, and a tool's result is also a TOOL_CALL_RESULT; only the
 * last part of an event has its plain number for an id, so that no part is lost or repeated.
 */
export function asSseMessages({ seq, text }: LoggedEvent, dialect: Dialect): SseMessage[] {
  const parts = dialect.isStandard && FOREIGN.test(text) ? standardParts(text) : [withRunId(text, dialect.runId)];
  return parts.map((data, index) => ({ id: index === parts.length - 1 ? String(seq) : `${seq}.${index}`, data }));
}

function standardParts(text: string): string[] {
  const event = anyEvent.parse(JSON.parse(text));
  const { type, timestamp } = event;
  if (type.startsWith(INTERACTION)) {
    return [JSON.stringify({ type: "CUSTOM", timestamp, name: type, value: event })];
  }
  const ended = toolCallEnd.safeParse(event);
  if (!ended.success) return [text];
  const { toolCallId, result } = ended.data;
  const given = { messageId: `result_${toolCallId}`, toolCallId, content: result, role: "tool" };
  return [text, JSON.stringify({ type: "TOOL_CALL_RESULT", timestamp, ...given })];
}

/** The client's own name for the run, in the events that name it. */
function withRunId(text: string, runId: string | undefined): string {
  if (runId === undefined || !NAMES_RUN.test(text)) return text;
  return JSON.stringify({ ...anyEvent.parse(JSON.parse(text)), runId });
}
