import { newId } from "#lib/ids.ts";
import type { Run, UntimedEvent } from "./run-context.ts";

/**
 * The maximum text of one event, in characters, except for a single longer chunk: readers buffer at least one whole
 * event.
 */
const MAX_EVENT_CHARS = 8_192;

/** The events of a message, by what it holds. */
interface MessageKind {
  /** The least text of an event, in characters, except for the last one of the message. */
  readonly minEventChars: number;
  readonly start: (messageId: string) => UntimedEvent;
  readonly content: (messageId: string, delta: string) => UntimedEvent;
  readonly end: (messageId: string) => UntimedEvent;
}

/** What a message holds: the model's text, or its reasoning, of which there is much more than anybody reads live. */
export const MESSAGE_KINDS = {
  text: {
    minEventChars: 1,
    start: (messageId) => ({ type: "TEXT_MESSAGE_START", messageId, role: "assistant" }),
    content: (messageId, delta) => ({ type: "TEXT_MESSAGE_CONTENT", messageId, delta, content: delta }),
    end: (messageId) => ({ type: "TEXT_MESSAGE_END", messageId }),
  },
  reasoning: {
    minEventChars: 256,
    start: (messageId) => ({ type: "REASONING_MESSAGE_START", messageId, role: "reasoning" }),
    content: (messageId, delta) => ({ type: "REASONING_MESSAGE_CONTENT", messageId, delta }),
    end: (messageId) => ({ type: "REASONING_MESSAGE_END", messageId }),
  },
} as const satisfies Record<string, MessageKind>;

/** A streamed message while the model writes it. */
export interface StreamedMessage {
  /**
   * Appends text. Returns a promise while too much text of the run is unwritten: await it before reading on. Throws the
   * error of an earlier write.
   */
  write(delta: string): Promise<void> | undefined;
  /** Throws as `write`. */
  check(): void;
  /** Ends the message, if it has begun; resolves when all of it is stored, or an error occurred. */
  end(): Promise<void>;
  /** The message's id; undefined before the first text. */
  id(): string | undefined;
}

/**
 * Opens a message, which begins with its first text. Text that arrives while an event of the message is pending is
 * added to that event, up to {@link MAX_EVENT_CHARS}. The next recorded step waits until all text is stored.
 */
export function openMessage(run: Pick<Run, "emit" | "backlog">, kind: MessageKind): StreamedMessage {
  const messageId = newId();
  /** Too little for an event. */
  let held = "";
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
    run.backlog.add(Buffer.byteLength(delta));
    if (waiting !== undefined && waiting.delta.length + delta.length <= MAX_EVENT_CHARS) {
      waiting.delta += delta;
      return;
    }
    const part = { delta };
    waiting = part;
    const emitted = emit(() => {
      if (waiting === part) waiting = undefined;
      return kind.content(messageId, part.delta);
    });
    send(emitted.finally(() => run.backlog.remove(Buffer.byteLength(part.delta))));
  }

  function check(): void {
    if (failure !== undefined) throw failure.error;
  }

  return {
    check,
    write(delta) {
      check();
      if (delta === "") return undefined;
      if (sent === undefined) send(emit(kind.start(messageId)));
      held += delta;
      if (held.length < kind.minEventChars) return undefined;
      sendText(held);
      held = "";
      return run.backlog.room();
    },
    async end() {
      if (sent === undefined) return;
      if (held !== "") sendText(held);
      send(emit(kind.end(messageId)));
      await sent;
    },
    id: () => (sent === undefined ? undefined : messageId),
  };
}
