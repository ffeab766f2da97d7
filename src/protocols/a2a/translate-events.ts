import { z } from "zod";
import type { Update } from "./dialect.ts";
import { RESULT, TERMINAL, agentMessage, fileArtifact, questionMessage } from "./view.ts";
import type { Message, State, TaskIds } from "./view.ts";
import type { ConversationTask } from "#domain/tasks/conversation-task.ts";
import type { LoggedEvent } from "#domain/streams/logged-event.ts";

// A2A has no updates for steps, ends of messages and tool results.
const event = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("RUN_STARTED"), timestamp: z.int() }),
  z.looseObject({ type: z.literal("TEXT_MESSAGE_START"), timestamp: z.int() }),
  z.looseObject({ type: z.literal("TEXT_MESSAGE_CONTENT"), timestamp: z.int(), delta: z.string() }),
  z.looseObject({ type: z.literal("TOOL_CALL_START"), timestamp: z.int(), toolCallName: z.string() }),
  z.looseObject({ type: z.literal("INTERACTION_REQUEST"), timestamp: z.int() }),
  z.looseObject({ type: z.literal("INTERACTION_RESPONSE"), timestamp: z.int() }),
  z.looseObject({ type: z.literal("RUN_FINISHED"), timestamp: z.int(), result: z.string() }),
  z.looseObject({ type: z.literal("RUN_ERROR"), timestamp: z.int(), message: z.string(), code: z.string() }),
]);

/** The context of an event's translation. */
export interface TranslationContext {
  /** The task, if the event ends it; undefined if it was deleted. */
  readonly task: ConversationTask | undefined;
  readonly fileUrl: (fileId: string) => string;
  /** Whether the stream ends with this event, although the task continues. */
  readonly isLast: boolean;
}

/** Translates the events of one attempt, in order, into A2A updates. */
export type Translator = (logged: LoggedEvent, context: TranslationContext) => readonly Update[];

/**
 * Creates a translator for a task. It streams the text of the agent's newest message as the artifact `result`; each
 * message replaces the previous one. The end sends the artifact's final form.
 */
export function createTranslator(ids: TaskIds): Translator {
  /** The artifact's content so far; undefined if the next text replaces it. */
  let text: string | undefined;

  return function translate({ seq, text: json }, { task, fileUrl, isLast }) {
    const { data } = event.safeParse(JSON.parse(json));
    if (data === undefined) return [];
    const { timestamp } = data;
    const messageId = `${ids.taskId}.${seq}`;
    switch (data.type) {
      case "RUN_STARTED":
      case "INTERACTION_RESPONSE":
        return [statusUpdate(ids, { state: "working", timestamp })];
      case "TOOL_CALL_START": {
        const message = agentMessage(messageId, `Using the tool ${data.toolCallName}.`);
        return [statusUpdate(ids, { state: "working", timestamp, message })];
      }
      case "INTERACTION_REQUEST": {
        const message = questionMessage(questionOf(data));
        return [statusUpdate(ids, { state: "input-required", timestamp, message, final: isLast })];
      }
      case "TEXT_MESSAGE_START":
        text = undefined;
        return [];
      case "TEXT_MESSAGE_CONTENT": {
        const chunk = { ...resultUpdate(ids, data.delta), append: text !== undefined };
        text = (text ?? "") + data.delta;
        return [chunk];
      }
      case "RUN_FINISHED":
        return [
          text === data.result
            ? { ...resultUpdate(ids, ""), append: true, lastChunk: true }
            : { ...resultUpdate(ids, data.result), lastChunk: true },
          ...fileUpdates(ids, task, fileUrl),
          statusUpdate(ids, { state: "completed", timestamp }),
        ];
      case "RUN_ERROR": {
        const state = data.code === "CANCELLED" ? "canceled" : "failed";
        return [statusUpdate(ids, { state, timestamp, message: agentMessage(messageId, data.message) })];
      }
    }
  };
}

interface NewStatus {
  readonly state: State;
  /** Unix milliseconds. */
  readonly timestamp: number;
  readonly message?: Message;
  readonly final?: boolean;
}

function statusUpdate(ids: TaskIds, { state, timestamp, message, final = TERMINAL.has(state) }: NewStatus): Update {
  const status = { state, timestamp: new Date(timestamp).toISOString(), message };
  return { ...ids, kind: "status", status, final };
}

function resultUpdate(ids: TaskIds, text: string): Extract<Update, { kind: "artifact" }> {
  const artifact = { artifactId: RESULT, name: RESULT, parts: [{ text }] };
  return { ...ids, kind: "artifact", artifact, append: false, lastChunk: false };
}

function fileUpdates(
  ids: TaskIds,
  task: ConversationTask | undefined,
  fileUrl: TranslationContext["fileUrl"],
): Update[] {
  const made = (task?.files ?? []).filter(({ direction }) => direction === "output");
  return made.map((file) => ({
    ...ids,
    kind: "artifact",
    artifact: fileArtifact(file, fileUrl),
    append: false,
    lastChunk: true,
  }));
}

/** Returns the question in the format of a task's `interaction`. */
function questionOf(logged: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { type: _, timestamp: __, threadId: ___, ...question } = logged;
  return question;
}
