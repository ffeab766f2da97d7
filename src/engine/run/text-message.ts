import { newId } from "#lib/ids.ts";
import type { Run } from "./run-context.ts";

/** Text of one event, in characters, except for a single longer chunk: a slow reader holds at least one whole event in memory. */
const MAX_EVENT_CHARS = 8_192;

/** A text message of the stream, while a model writes it. */
export interface TextMessage {
  /** Sends text on. Throws what an earlier write has failed with. */
  write(delta: string): void;
  /** Call it behind the last text; the step that is recorded next waits until all of it is in the log. Throws as `write`. */
  complete(): void;
  /** Ends a message that will not be finished. */
  abandon(): Promise<void>;
  /** All that was written. */
  text(): string;
  /** Undefined while nothing was written. */
  id(): string | undefined;
}

/**
 * Opens a message, which begins with its first text. Text that arrives while an event of the message waits to be
 * written becomes part of that event, up to {@link MAX_EVENT_CHARS}.
 */
export function openTextMessage(run: Pick<Run, "emit">): TextMessage {
  const messageId = newId();
  let text = "";
  let waiting: { delta: string } | undefined;
  let sent: Promise<unknown> | undefined;
  let failure: { readonly error: unknown } | undefined;

  function send(...[event]: Parameters<Run["emit"]>): void {
    const emitted = run.emit(event).catch((error: unknown) => {
      failure ??= { error };
    });
    // One that is rejected must not hide those before it, which are still being stored.
    sent = Promise.all([sent, emitted]);
  }

  function sendText(delta: string): void {
    const part = { delta };
    waiting = part;
    send(() => {
      if (waiting === part) waiting = undefined;
      return { type: "TEXT_MESSAGE_CONTENT", messageId, delta: part.delta, content: part.delta };
    });
  }

  return {
    write(delta) {
      if (failure !== undefined) throw failure.error;
      if (delta === "") return;
      text += delta;
      if (sent === undefined) send({ type: "TEXT_MESSAGE_START", messageId, role: "assistant" });
      if (waiting === undefined || waiting.delta.length + delta.length > MAX_EVENT_CHARS) sendText(delta);
      else waiting.delta += delta;
    },
    complete() {
      if (failure !== undefined) throw failure.error;
    },
    async abandon() {
      if (sent !== undefined) send({ type: "TEXT_MESSAGE_END", messageId });
      await sent;
    },
    text: () => text,
    id: () => (sent === undefined ? undefined : messageId),
  };
}
