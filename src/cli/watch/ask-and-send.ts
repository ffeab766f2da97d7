import { MusterError } from "#client/index.ts";
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { explainFailure } from "../errors/explain-failure.ts";
import type { Session } from "../service/session.ts";
import { askQuestion } from "../terminal/ask-question.ts";
import type { Question, QuestionSource } from "./question.ts";
import { sendAnswer } from "./send-answer.ts";

/**
 * Asks a person at the terminal and sends the answer; asks again when the service rejects what was typed. Gives the
 * record of the task or the run.
 * @throws CliError when the person aborts, the signal ends the question, or the service rejects it for another reason.
 */
export async function askAndSend(
  { muster, out }: Session,
  source: QuestionSource,
  { asked, signal }: { readonly asked: Question; readonly signal: AbortSignal },
) {
  const { interactionId, wizardStepId } = asked;
  for (;;) {
    const answer = await askQuestion(asked, signal).catch(leaveOpen);
    try {
      return await sendAnswer(muster, source, { interactionId, ...(wizardStepId && { wizardStepId }), ...answer });
    } catch (error) {
      if (!(error instanceof MusterError)) throw error;
      const explained = explainFailure(error);
      if (error.status !== 400) throw explained;
      out.note(explained.message, "red");
    }
  }
}

/** Says what Ctrl-C at a question means: not that the task was cancelled. */
function leaveOpen(error: unknown): never {
  if (error instanceof CliError && error.exitCode === EXIT.interrupted) {
    throw new CliError(EXIT.interrupted, "Not answered; the question stays open.", { cause: error });
  }
  throw error;
}
