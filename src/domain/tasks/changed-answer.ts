import { z } from "zod";
import { answerFields, readAnswer } from "./answer.ts";
import type { Answer, Answers } from "./answer.ts";
import { requireApprover } from "./approvers.ts";
import { AppError } from "../errors.ts";
import type { StepFacts } from "../runs/step-facts.ts";
import { invalid } from "../invalid.ts";
import { approversOfQuestion, orderOf, question as questionSchema } from "./interaction.ts";
import type { Prompt, Question, WizardStep } from "./interaction.ts";
import type { JournalRow } from "./run-journal.ts";
import { nextStep } from "./wizard.ts";

/** An answer that replaces a person's: its fields depend on the question, as in the respond endpoint. */
export const changedAnswer = z.strictObject({
  ...answerFields.omit({ wizardStepId: true, wizardCancelled: true }).shape,
  answers: z
    .record(z.string(), z.record(z.string(), z.unknown()))
    .optional()
    .describe("wizard: the answer to each page, by stepId"),
});

/** See {@link changedAnswer}. */
export type ChangedAnswer = z.output<typeof changedAnswer>;

/** The answer of a step to change, and the new one. */
export interface AnswerChange {
  readonly answer: ChangedAnswer;
  /** The answer's index in the step, from 0, or its key; by default the last one. */
  readonly question?: number | string | undefined;
  /** The person who changes it. */
  readonly by: NonNullable<StepFacts["answeredBy"]>;
}

const ANSWER = /^(.*\/)?answer:(approval|result):(.*)/;
/** Between the steps of a pipeline, the question is always an approval. */
const APPROVAL: Prompt = { type: "approval", title: "Continue?", description: "" };

const stored = z.object({ question: questionSchema });

/**
 * Returns the rows of a step up to a person's answer, and the new answer instead of it.
 * @throws AppError `forbidden` for an approval that the caller may not give; `conflict` when there was no such answer; `bad_request` when the new one does not match the
 * question.
 */
export function changeAnswer(
  rows: readonly JournalRow[],
  { answer, question, by }: AnswerChange,
): readonly JournalRow[] {
  const given = rows.filter(({ key }) => ANSWER.test(key) || key.startsWith("ask:"));
  const changed = typeof question === "string" ? given.find(({ key }) => key === question) : given.at(question ?? -1);
  if (changed === undefined) {
    throw new AppError(
      "conflict",
      `This step of the run has ${given.length} answered questions; there is no such answer to change.`,
    );
  }
  const asked = questionOf(rows, changed);
  if (orderOf(asked) !== undefined) {
    throw new AppError(
      "forbidden",
      "People voted on this by a rule; a fork cannot change that. Fork at an earlier step: it asks again.",
    );
  }
  requireApprover(approversOfQuestion(asked), { keyId: by.keyId ?? null, isByLink: false });
  const result = JSON.stringify(outcomeOf(asked, answer));
  const facts = { answeredBy: by, answeredVia: "console" } as const;
  return [...rows.filter(({ at }) => at < changed.at), { ...changed, result, changed: facts }];
}

function questionOf(rows: readonly JournalRow[], { key }: JournalRow): Question {
  const [, prefix = "", purpose, callId] = ANSWER.exec(key) ?? [];
  if (purpose === undefined) return { kind: "prompt", prompt: APPROVAL, timeoutMs: 0 };
  // A call that required approval has asked a second time.
  const keys = [`${prefix}tool:${callId}:approved`, `${prefix}tool:${callId}`];
  const found = (purpose === "result" ? keys : keys.slice(1))
    .flatMap((name) => rows.filter((row) => row.key === name))
    .map((row) => stored.safeParse(JSON.parse(row.result)))
    .find(({ success }) => success);
  if (found?.data === undefined) throw new AppError("conflict", "The question of this answer is no longer stored.");
  return found.data.question;
}

function outcomeOf(question: Question, { answers = {}, ...fields }: ChangedAnswer): Answer {
  if (question.kind === "prompt") return readAnswer(question.prompt, fields);
  return { cancelled: false, answers: readAll(question.steps, answers) };
}

function readAll(steps: readonly WizardStep[], answers: Answers): Answers {
  const read: Record<string, Answer> = {};
  for (let step = nextStep(steps, read); step !== undefined; step = nextStep(steps, read)) {
    const path = `answers.${step.stepId}`;
    const answer = answers[step.stepId];
    if (answer === undefined) throw invalid("answer", [{ path, message: "is required" }]);
    read[step.stepId] = readPage(step, { answer, path });
  }
  return read;
}

/** Reads the answer to a page; the paths of its issues start with the page's. */
function readPage(step: WizardStep, { answer, path }: { readonly answer: Answer; readonly path: string }): Answer {
  try {
    return readAnswer(step, answer);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw invalid("answer", error.details?.map((issue) => ({ ...issue, path: `${path}.${issue.path}` })) ?? []);
  }
}
