import type { StreamEvent } from "#client/index.ts";
import { CliError } from "../errors/cli-error.ts";
import type { Session } from "../service/session.ts";
import { isInteractive } from "../terminal/prompt.ts";
import { askAndSend } from "./ask-and-send.ts";
import { describeQuestion } from "./question.ts";
import type { Question } from "./question.ts";

/** Answers the questions of a watched task or run at the terminal. */
export interface AnswerPrompt {
  /** Processes an event: prompts for a question that it opens, and ends the prompt of one that it closes. */
  take(event: StreamEvent): void;
  /** Whether a prompt is open, which output would disturb. */
  readonly isAsking: boolean;
  /** Ends the prompt. */
  close(): void;
}

/** The options of an {@link AnswerPrompt}. */
export interface AnswerPromptOptions {
  readonly what: "task" | "run";
  readonly id: string;
  /** The person pressed Ctrl-C at a prompt. */
  readonly onAbort: () => void;
}

const CLOSING: ReadonlySet<string> = new Set([
  "INTERACTION_RESPONSE",
  "INTERACTION_TIMEOUT",
  "RUN_FINISHED",
  "RUN_ERROR",
]);

/** Creates a prompt: on a terminal, questions are answered in place; elsewhere, a line says how to answer them. */
export function openAnswerPrompt(session: Session, { what, id, onAbort }: AnswerPromptOptions): AnswerPrompt {
  const { out } = session;
  let prompt: AbortController | undefined;

  function open(asked: Question): void {
    out.endLine();
    if (!isInteractive()) {
      for (const line of describeQuestion({ what, id }, asked)) out.note(line, "yellow");
      return;
    }
    const current = new AbortController();
    prompt = current;
    askAndSend(session, { what, id }, { asked, signal: current.signal })
      .catch((error: unknown) => {
        // The question is closed: another client has answered it, or it timed out.
        if (current.signal.aborted) return;
        if (!(error instanceof CliError)) throw error;
        out.note(error.message, "yellow");
        for (const line of describeQuestion({ what, id }, asked).slice(-1)) out.note(line);
        onAbort();
      })
      .finally(() => {
        if (prompt === current) prompt = undefined;
      });
  }

  function close(): void {
    prompt?.abort();
    prompt = undefined;
  }

  return {
    take(event) {
      if (CLOSING.has(event.type)) close();
      if (event.type === "INTERACTION_REQUEST") open(event);
    },
    get isAsking() {
      return prompt !== undefined;
    },
    close,
  };
}
