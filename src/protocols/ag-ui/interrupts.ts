import { z } from "zod";
import { answerJsonSchema } from "#domain/tasks/answer.ts";
import { addTimestamp } from "#domain/streams/stream-event.ts";
import { mapAsync } from "#lib/async/map-async.ts";
import type { LoggedEvent } from "#domain/streams/logged-event.ts";

const ASKS = /"type":"INTERACTION_REQUEST"/;
const ENDS_CALL = /"type":"TOOL_CALL_END"/;

const asking = z.looseObject({ threadId: z.string(), timestamp: z.number(), clientCalls: z.unknown().optional() });
const endOfCall = z.looseObject({ toolCallId: z.string() });
const question = z.looseObject({
  interactionId: z.string(),
  interactionType: z.string(),
  toolCallId: z.string(),
  title: z.string(),
  description: z.string(),
  expiresAt: z.string(),
});

/** The start of a run that continues a task. */
export interface ResumedRun {
  readonly taskId: string;
  /** The number of the event whose question this run's client has answered. */
  readonly seq: number;
  /** The calls of client tools whose results the client has sent, and already has in its messages. */
  readonly toolCallIds: readonly string[];
}

/** How to split a task's log into runs. */
export interface RunOptions {
  /** Whether questions to people also end a run. */
  readonly interrupts: boolean;
  /** Absent for a run that starts with the user's message. */
  readonly resumed: ResumedRun | undefined;
  /** Returns the open question of a log event; undefined once it is answered. */
  readonly questionAt: (event: { readonly taskId: string; readonly seq: number }) => Promise<unknown>;
}

/**
 * Splits a task's log into AG-UI runs. A run finishes when the agent has called client tools
 * (https://docs.ag-ui.com/concepts/tools), or with the outcome `interrupt` at an open question
 * (https://docs.ag-ui.com/concepts/interrupts). The run with the answer starts with RUN_STARTED. The translator
 * replaces the ids in these events by the client's.
 */
export function asRuns(
  events: AsyncIterable<readonly LoggedEvent[]>,
  { interrupts, resumed, questionAt }: RunOptions,
): AsyncIterable<readonly LoggedEvent[]> {
  const brought = new Set(resumed?.toolCallIds);
  async function cut(whole: readonly LoggedEvent[]): Promise<readonly LoggedEvent[]> {
    const batch = brought.size === 0 ? whole : whole.filter(({ text }) => !isResultOf(text, brought));
    for (const [index, event] of batch.entries()) {
      if (!ASKS.test(event.text)) continue;
      const { threadId: taskId, timestamp, clientCalls } = asking.parse(JSON.parse(event.text));
      if (clientCalls === undefined && !interrupts) continue;
      const open = question.safeParse(await questionAt({ taskId, seq: event.seq }));
      if (!open.success) continue;
      const ids = { threadId: taskId, runId: taskId };
      const outcome = clientCalls === undefined ? { outcome: interruptOf(open.data) } : {};
      const text = JSON.stringify({ type: "RUN_FINISHED", timestamp, ...ids, ...outcome });
      return [...batch.slice(0, index), { ...event, text, final: true }];
    }
    return batch;
  }
  const first = resumed === undefined ? [] : [[runStarted(resumed)]];
  return mapAsync(events, { first, map: cut, isLast: (batch) => batch.at(-1)?.final === true });
}

/** True if an event is the result of one of these calls. */
function isResultOf(text: string, calls: ReadonlySet<string>): boolean {
  return ENDS_CALL.test(text) && calls.has(endOfCall.parse(JSON.parse(text)).toolCallId);
}

function runStarted({ taskId, seq }: ResumedRun): LoggedEvent {
  const text = JSON.stringify(addTimestamp({ type: "RUN_STARTED", threadId: taskId, runId: taskId }, new Date()));
  return { seq, text, final: false };
}

function interruptOf(open: z.output<typeof question>) {
  const { interactionId: id, toolCallId, title, description, expiresAt } = open;
  const responseSchema = answerJsonSchema(open);
  const interrupt = {
    id,
    reason: reasonOf(open),
    message: description === "" ? title : `${title}\n\n${description}`,
    toolCallId,
    ...(responseSchema !== undefined && { responseSchema }),
    expiresAt,
    metadata: open,
  };
  return { type: "interrupt", interrupts: [interrupt] } as const;
}

/** AG-UI's words; a question about a budget is about no call. Clients have buttons of their own for `tool_call`. */
function reasonOf({ interactionType, toolCallId }: z.output<typeof question>): string {
  if (interactionType === "approval" && !toolCallId.startsWith("budget:")) return "tool_call";
  return interactionType === "approval" || interactionType === "confirm_data" ? "confirmation" : "input_required";
}
