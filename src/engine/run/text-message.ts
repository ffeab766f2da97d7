import { newId } from "#lib/ids.ts";
import type { Run } from "./run-context.ts";

/**
 * The maximum text of one event, in characters, except for a single longer chunk: readers buffer at least one whole
 * event.
 */
const MAX_EVENT_CHARS = 8_192;

/** A streamed text message while the model writes it. */
export interface TextMessage {
  /**
   * Appends text. Returns a promise while too much text of the run is unwritten: await it before reading on. Throws the
   * error of an earlier write.
   */
  write(delta: string): Promise<void> | undefined;
  /** Call it after the last text; the next recorded step then waits until all text is stored. Throws as `write`. */
  complete(): void;
  /** Ends a message that stays incomplete. */
  abandon(): Promise<void>;
  /** All text so far. */
  text(): string;
  /** The message's id; undefined before the first text. */
  id(): string | undefined;
}

/** Takes the text of a reply that no reader of the run is shown. */
export const HIDDEN_MESSAGE: TextMessage = {
  write: () => undefined,
  complete: () => undefined,
  abandon: () => Promise.resolve(),
  text: () => "",
  id: () => undefined,
};

/**
 * Opens a message, which begins with its first text. Text that arrives while an event of the message is pending is
 * added to that event, up to {@link MAX_EVENT_CHARS}.
 */
export function openTextMessage(run: Pick<Run, "emit" | "backlog">): TextMessage {
  const messageId = newId();
  let text = "";
  let waiting: { delta: string } | undefined;
  let sent: Promise<unknown> | undefined;
  let failure: { readonly error: unknown } | undefined;

  async function emit(event: Parameters<Run["emit"]>[0]): Promise<void> {
    await run.emit(event).catch((error: unknown) => {
      failure ??= { error };
    });
  }

  function send(emitted: Promise<void>): void {
    // A rejected write must not hide earlier ones that are still being stored.
    sent = Promise.all([sent, emitted]);
  }

  function sendText(delta: string): void {
    const part = { delta };
    waiting = part;
    const emitted = emit(() => {
      if (waiting === part) waiting = undefined;
      return { type: "TEXT_MESSAGE_CONTENT", messageId, delta: part.delta, content: part.delta };
    });
    send(emitted.finally(() => run.backlog.remove(Buffer.byteLength(part.delta))));
  }

  return {
    write(delta) {
      if (failure !== undefined) throw failure.error;
      if (delta === "") return undefined;
      text += delta;
      run.backlog.add(Buffer.byteLength(delta));
      if (sent === undefined) send(emit({ type: "TEXT_MESSAGE_START", messageId, role: "assistant" }));
      if (waiting === undefined || waiting.delta.length + delta.length > MAX_EVENT_CHARS) sendText(delta);
      else waiting.delta += delta;
      return run.backlog.room();
    },
    complete() {
      if (failure !== undefined) throw failure.error;
    },
    async abandon() {
      if (sent !== undefined) send(emit({ type: "TEXT_MESSAGE_END", messageId }));
      await sent;
    },
    text: () => text,
    id: () => (sent === undefined ? undefined : messageId),
  };
}
