import { z } from "zod";
import { createSentText } from "./sent-text.ts";
import type { StreamEvent } from "#domain/streams/stream-event.ts";

const INTERACTION = "INTERACTION_";
const NAMES_RUN = /"type":"RUN_/;

const anyEvent = z.looseObject({ type: z.string(), timestamp: z.number() });
type AnyEvent = z.output<typeof anyEvent>;

/** The fields of each event in AG-UI's schemas, besides `type` and `timestamp`. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  RUN_STARTED: ["threadId", "runId"],
  RUN_FINISHED: ["threadId", "runId", "result", "outcome", "usage"],
  RUN_ERROR: ["message", "code", "usage"],
  STEP_STARTED: ["stepName"],
  STEP_FINISHED: ["stepName"],
  TEXT_MESSAGE_START: ["messageId", "role"],
  TEXT_MESSAGE_CONTENT: ["messageId", "delta"],
  TEXT_MESSAGE_END: ["messageId"],
  REASONING_MESSAGE_START: ["messageId", "role"],
  REASONING_MESSAGE_CONTENT: ["messageId", "delta"],
  REASONING_MESSAGE_END: ["messageId"],
  TOOL_CALL_START: ["toolCallId", "toolCallName", "parentMessageId"],
  TOOL_CALL_ARGS: ["toolCallId", "delta"],
  TOOL_CALL_END: ["toolCallId"],
  CUSTOM: ["name", "value"],
} satisfies Partial<Record<StreamEvent["type"], readonly string[]>>;

/** Additional fields of a step; AG-UI's `metadata` accepts any name. */
const METADATA = ["agentId", "tokensUsed", "costUsd"];

const toolCallEnd = z.looseObject({ toolCallId: z.string(), result: z.string() });

/** A standard client: its own ids, and whether it understands AG-UI 1.x. */
export interface StandardClient {
  readonly runId: string | undefined;
  readonly threadId?: string;
  readonly isCurrent: boolean;
}

/**
 * Creates the translator of one stream for a standard AG-UI client: from the JSON text of an event to those of the
 * client's events, with the protocol's own field names only. Interactions are CUSTOM events with the whole event as
 * their value. As AG-UI requires, a tool call ends when its arguments are complete, and its result is a
 * TOOL_CALL_RESULT. No call is therefore open while a tool works or asks a person. For clients of 1.x, a cancelled run is
 * an outcome, not an error, and a long result that was the last message is not sent again. Each message of reasoning is a
 * span of its own.
 */
export function createStandardTranslator(client: StandardClient): (text: string) => string[] {
  /** Calls that have no arguments yet: an interrupted run ends them unchanged. */
  const calls = new Set<unknown>();
  const sent = createSentText();

  /** Clients before 1.0 may know results from the end of the run only. */
  function withoutSentText(event: AnyEvent): AnyEvent {
    if (!client.isCurrent) return event;
    sent.note(event);
    const { result, ...others } = event;
    return event.type === "RUN_FINISHED" && sent.hasSent(result) ? others : event;
  }

  function translate(event: AnyEvent): object[] {
    const { type, timestamp, toolCallId, messageId } = event;
    if (type.startsWith(INTERACTION)) {
      return [{ type: "CUSTOM", timestamp, name: type, value: withNames(event, client) }];
    }
    const standard = standardFields(withoutSentText(asOutcome(withNames(event, client), client)));
    switch (type) {
      case "TOOL_CALL_START":
        calls.add(toolCallId);
        return [standard];
      case "TOOL_CALL_ARGS":
        calls.delete(toolCallId);
        return [standard, { type: "TOOL_CALL_END", timestamp, toolCallId }];
      case "TOOL_CALL_END":
        return calls.delete(toolCallId) ? [standard, resultOf(event)] : [resultOf(event)];
      case "REASONING_MESSAGE_START":
        return [{ type: "REASONING_START", timestamp, messageId }, standard];
      case "REASONING_MESSAGE_END":
        return [standard, { type: "REASONING_END", timestamp, messageId }];
      default:
        return [standard];
    }
  }

  return (text) => translate(anyEvent.parse(JSON.parse(text))).map((event) => JSON.stringify(event));
}

/** Returns an event of the log's own dialect with the client's run id in its `runId`. */
export function withRunId(text: string, runId: string | undefined): string {
  if (runId === undefined || !NAMES_RUN.test(text)) return text;
  return JSON.stringify({ ...anyEvent.parse(JSON.parse(text)), runId });
}

/** The outcome is new in 1.0: clients before it reject the event. */
function asOutcome(event: AnyEvent, { isCurrent }: StandardClient): AnyEvent {
  if (!isCurrent || event.type !== "RUN_ERROR" || event["code"] !== "CANCELLED") return event;
  return { ...event, type: "RUN_FINISHED", outcome: { type: "cancelled" } };
}

function withNames(event: AnyEvent, { runId, threadId }: StandardClient): AnyEvent {
  return {
    ...event,
    ...("runId" in event && runId !== undefined && { runId }),
    ...("threadId" in event && threadId !== undefined && { threadId }),
  };
}

function standardFields(event: AnyEvent): object {
  const { type, timestamp } = event;
  const fields = pick(event, FIELDS[type] ?? []);
  const metadata = pick(event, METADATA);
  return { type, timestamp, ...fields, ...(Object.keys(metadata).length > 0 && { metadata }) };
}

function pick(event: AnyEvent, names: readonly string[]): object {
  return Object.fromEntries(names.flatMap((name) => (name in event ? [[name, event[name]]] : [])));
}

function resultOf(event: AnyEvent): object {
  const { toolCallId, result } = toolCallEnd.parse(event);
  const { timestamp } = event;
  return {
    type: "TOOL_CALL_RESULT",
    timestamp,
    messageId: `result_${toolCallId}`,
    toolCallId,
    content: result,
    role: "tool",
  };
}
