import { MusterError } from "#client/index.ts";
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { explainFailure } from "../errors/explain-failure.ts";
import type { Session } from "../service/session.ts";
import { askQuestion } from "./ask-question.ts";
import type { Question, QuestionSource } from "./question.ts";
import { sendAnswer } from "./send-answer.ts";

/**
 * Prompts on the terminal and sends the answer; prompts again if the service finds it invalid. Returns the record of
 * the task or the run.
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

/** Explains that Ctrl-C at a question does not cancel the task. */
function leaveOpen(error: unknown): never {
  if (error instanceof CliError && error.exitCode === EXIT.interrupted) {
    throw new CliError(EXIT.interrupted, "Not answered; the question stays open.", { cause: error });
  }
  throw error;
}
