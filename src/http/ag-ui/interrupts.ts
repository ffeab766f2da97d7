import { z } from "zod";
import { answerJsonSchema } from "#domain/answer.ts";
import { stamp } from "#domain/stream-event.ts";
import type { LoggedEvent } from "#db/queries/task-events.ts";

const ASKS = /"type":"INTERACTION_REQUEST"/;

const asking = z.looseObject({ threadId: z.string(), timestamp: z.number() });
const question = z.looseObject({
  interactionId: z.string(),
  interactionType: z.string(),
  toolCallId: z.string(),
  title: z.string(),
  description: z.string(),
  expiresAt: z.string(),
});

/** How a stream of standard interrupts is made. */
export interface InterruptOptions {
  /** The number of the event that asked the question which this run's client has answered. */
  readonly resumedAfter: number | undefined;
  /** The open question that an event of the log asks; undefined when it is answered. */
  readonly questionAt: (event: { readonly taskId: string; readonly seq: number }) => Promise<unknown>;
}

/**
 * Cuts a task's log into AG-UI's runs (https://docs.ag-ui.com/concepts/interrupts): a run finishes with the outcome
 * `interrupt` at an open question, and the run that answers it begins with RUN_STARTED. Of the ids in these events
 * the translator makes those of the client.
 */
export async function* asInterruptedRuns(
  events: AsyncIterable<readonly LoggedEvent[]>,
  { resumedAfter, questionAt }: InterruptOptions,
): AsyncGenerator<readonly LoggedEvent[]> {
  if (resumedAfter !== undefined) yield [runStarted(resumedAfter)];
  for await (const batch of events) {
    for (const [index, event] of batch.entries()) {
      if (!ASKS.test(event.text)) continue;
      const { threadId: taskId, timestamp } = asking.parse(JSON.parse(event.text));
      const open = question.safeParse(await questionAt({ taskId, seq: event.seq }));
      if (!open.success) continue;
      yield [...batch.slice(0, index), { ...event, text: interrupted(open.data, timestamp), final: true }];
      return;
    }
    yield batch;
  }
}

function runStarted(seq: number): LoggedEvent {
  const text = JSON.stringify(stamp({ type: "RUN_STARTED", threadId: "", runId: "" }, new Date()));
  return { seq, text, final: false };
}

function interrupted(open: z.output<typeof question>, timestamp: number): string {
  const { interactionId: id, interactionType, toolCallId, title, description, expiresAt } = open;
  const responseSchema = answerJsonSchema(open);
  const interrupt = {
    id,
    reason: interactionType === "approval" || interactionType === "confirm_data" ? "confirmation" : "input_required",
    message: description === "" ? title : `${title}\n\n${description}`,
    toolCallId,
    ...(responseSchema !== undefined && { responseSchema }),
    expiresAt,
    metadata: open,
  };
  const outcome = { type: "interrupt", interrupts: [interrupt] } as const;
  return JSON.stringify({ type: "RUN_FINISHED", timestamp, threadId: "", runId: "", outcome });
}
