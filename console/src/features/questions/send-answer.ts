import { answerTask } from "#client/gen/operations/questions.ts";
import { call } from "../../api/client.ts";
import type { InteractionRequest } from "#domain/tasks/interaction-request.ts";

/** What a person answers, by the names of the API: `approved`, `text`, … */
export interface AnswerBody {
  readonly approved?: boolean;
  readonly data?: Record<string, unknown>;
  readonly selectedOptionId?: string;
  readonly text?: string;
  readonly values?: Record<string, unknown>;
  readonly wizardCancelled?: true;
}

/**
 * Answers the question for which a task or a team run waits; the first answer wins.
 * @throws Problem with status 409 when it is answered or over
 */
export async function sendAnswer(id: string, question: InteractionRequest, answer: AnswerBody): Promise<void> {
  const { interactionId, wizardStepId } = question;
  const body = { ...answer, interactionId, ...(wizardStepId !== undefined && { wizardStepId }) };
  await call(answerTask)({ id }, body);
}
