import { z } from "zod";
import type { LoggedEvent } from "#domain/streams/logged-event.ts";
import { mapAsync } from "#lib/async/map-async.ts";

const anyEvent = z.looseObject({ type: z.string(), timestamp: z.number() });
type AnyEvent = z.output<typeof anyEvent>;

const asked = z.looseObject({ threadId: z.string(), interactionId: z.string() });

/** What visitors are told when a run ends without a result, by the code of its error; all others are one. */
const FAILURES: Readonly<Record<string, string>> = {
  BUDGET_EXCEEDED: "This page has used up its budget for now. Try again later.",
  CANCELLED: "The answer was stopped.",
  INTERACTION_TIMEOUT: "There was no answer in time, so the conversation stopped here. Send a message to go on.",
  MODEL_REFUSED: "The agent can't answer this.",
  REPLY_CUT: "The answer became too long and was cut. Ask for a part of it.",
};
const FAILED = { code: "FAILED", message: "The agent couldn't answer. Try again in a moment." };

/** The name of the event that says whether a run waits for people of the workspace; its value is true or false. */
const WAITS_FOR_OTHERS = "WAITS_FOR_OTHERS";

/** The name of the event after which the text that was not complete comes again, as the process has died. */
const ANSWER_RESTARTS = "ANSWER_RESTARTS";

/** A question in a log. */
export interface AskedQuestion {
  readonly taskId: string;
  readonly interactionId: string;
}

/** Who is to answer an open question: the visitor or others; undefined for one that is closed. */
export type AnswererOf = (question: AskedQuestion) => Promise<"visitor" | "others" | undefined>;

/**
 * What a visitor of an agent's page sees of a run: what the agent says, what it asks the visitor, that it waits for
 * others, and how it ended. Steps, calls of tools, thoughts, usage and the causes of failures belong to the workspace.
 */
export function visitorEvents(
  events: AsyncIterable<readonly LoggedEvent[]>,
  answererOf: AnswererOf,
): AsyncIterable<readonly LoggedEvent[]> {
  return mapAsync(events, {
    async map(batch) {
      const shown: LoggedEvent[] = [];
      for (const event of batch) {
        const seen = await shownOf(anyEvent.parse(JSON.parse(event.text)), answererOf);
        if (seen !== undefined) shown.push({ ...event, text: JSON.stringify(seen) });
      }
      return shown;
    },
  });
}

async function shownOf(event: AnyEvent, answererOf: AnswererOf): Promise<object | undefined> {
  const { type, timestamp, threadId, runId } = event;
  switch (type) {
    case "RUN_STARTED":
    case "TEXT_MESSAGE_START":
    case "TEXT_MESSAGE_CONTENT":
    case "TEXT_MESSAGE_END":
      return event;
    case "RUN_FINISHED":
      return { type, threadId, runId, result: event["result"], timestamp };
    case "RUN_ERROR":
      return { type, threadId, runId, ...failureOf(event["code"]), timestamp };
    case "INTERACTION_REQUEST":
      return questionOf(event, answererOf);
    case "INTERACTION_RESPONSE":
    case "INTERACTION_TIMEOUT":
      return { type: "CUSTOM", name: WAITS_FOR_OTHERS, value: false, timestamp };
    case "CUSTOM":
      return event["name"] === "run_resumed" ? { type, name: ANSWER_RESTARTS, value: true, timestamp } : undefined;
    default:
      return undefined;
  }
}

function failureOf(code: unknown): { readonly code: string; readonly message: string } {
  const message = typeof code === "string" && Object.hasOwn(FAILURES, code) ? FAILURES[code] : undefined;
  return message === undefined ? FAILED : { code: String(code), message };
}

async function questionOf(event: AnyEvent, answererOf: AnswererOf): Promise<object | undefined> {
  const { threadId: taskId, interactionId } = asked.parse(event);
  const answerer = await answererOf({ taskId, interactionId });
  if (answerer === undefined) return undefined;
  if (answerer === "visitor") return event;
  return { type: "CUSTOM", name: WAITS_FOR_OTHERS, value: true, timestamp: event.timestamp };
}
