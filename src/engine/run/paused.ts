import type { Question } from "#domain/tasks/interaction.ts";

/**
 * A team's run cannot continue before a person has answered. It is thrown through whatever is in progress, up to the
 * run, which ends its execution with the question; with the answer it is executed again.
 */
export class Paused extends Error {
  override readonly name = "Paused";
  readonly question: Question;
  /** The key under which the answer is recorded among the run's steps. */
  readonly answerKey: string;
  /** The tool call that asks; for a question of the run itself, a name of its own. */
  readonly toolCallId: string;

  constructor(asked: Pick<Paused, "question" | "answerKey" | "toolCallId">) {
    super("The run waits for an answer.");
    this.question = asked.question;
    this.answerKey = asked.answerKey;
    this.toolCallId = asked.toolCallId;
  }
}
