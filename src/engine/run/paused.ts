import type { Question } from "#domain/tasks/interaction.ts";

/**
 * A team run needs an answer from a person to continue. Thrown through all work in progress up to the run, which ends
 * its execution with the question; the answer starts another execution.
 */
export class Paused extends Error {
  override readonly name = "Paused";
  readonly question: Question;
  /** The key of the answer among the run's recorded steps. */
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
