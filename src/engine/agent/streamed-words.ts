import type { ModelChunk } from "#domain/models/model-call.ts";
import { MESSAGE_KINDS, openMessage } from "../run/streamed-message.ts";
import type { StreamedMessage } from "../run/streamed-message.ts";
import type { Run } from "../run/run-context.ts";

/** The words of a reply while the model writes them. */
export interface StreamedWords {
  /** Appends words, as {@link StreamedMessage.write}. */
  write(words: Extract<ModelChunk, { delta: string }>): Promise<void> | undefined;
  /** Call it after the last words: ends the reasoning. The text stays open. Throws as `write`. */
  complete(): void;
  /** Ends all messages of a reply that stays incomplete. */
  abandon(): Promise<void>;
  /** The id of the message that holds the text; undefined without text. */
  textId(): string | undefined;
}

/** Takes the words of a reply that no reader of the run is shown. */
export const HIDDEN_WORDS: StreamedWords = {
  write: () => undefined,
  complete: () => undefined,
  abandon: () => Promise.resolve(),
  textId: () => undefined,
};

/**
 * Streams the words of a reply into the log: its text as one message and, if the agent shows it, what the model thinks
 * before and between as messages that end with the next text.
 */
export function streamWords(run: Pick<Run, "emit" | "backlog" | "job">): StreamedWords {
  const showsReasoning = run.job.agent.reasoning?.show === true;
  const text = openMessage(run, MESSAGE_KINDS.text);
  let reasoning: StreamedMessage | undefined;

  async function endReasoning(): Promise<void> {
    const ended = reasoning;
    reasoning = undefined;
    await ended?.end();
  }

  return {
    write({ type, delta }) {
      if (type === "reasoning") {
        if (!showsReasoning) return undefined;
        reasoning ??= openMessage(run, MESSAGE_KINDS.reasoning);
        return reasoning.write(delta);
      }
      void endReasoning();
      return text.write(delta);
    },
    complete() {
      reasoning?.check();
      text.check();
      void endReasoning();
    },
    async abandon() {
      await Promise.all([endReasoning(), text.end()]);
    },
    textId: text.id,
  };
}
