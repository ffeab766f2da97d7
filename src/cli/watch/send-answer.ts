import type { MusterClient, Schemas } from "#client/index.ts";
import type { QuestionSource } from "./question.ts";

/** The body of an answer to an open question. */
export type AnswerBody = Schemas["AnswerTaskRequest"];

/** Sends the answer to the open question of a task or a run. */
export function sendAnswer(muster: MusterClient, { what, id }: QuestionSource, answer: AnswerBody) {
  return what === "task" ? muster.answerTask({ id }, answer) : muster.answerRun({ id }, answer);
}
