import { labelled } from "#lib/text/form-option.ts";
import { shellQuoted } from "../../lib/shell-quoted.ts";
import type { ApiCall } from "../../lib/api-calls.ts";
import { questionsPath, runQuestionPath } from "./queries.ts";
import type { Question } from "./records.ts";
import type { QuestionsSearch } from "./search.ts";
import type { AnswerBody } from "./send-answer.ts";

const TEXT = "Go ahead.";

/** The requests of the page of questions: its list, and an answer to the question that is open on it. */
export function callsOf(search: QuestionsSearch, question: Question | undefined): readonly ApiCall[] {
  const { state = "open" } = search;
  const list = {
    title: "List questions",
    method: "GET",
    path: questionsPath(search),
    command: `questions list --state ${state}`,
  } as const;
  return [list, ...answerCalls(question)];
}

/** The requests of the page of one run's question. */
export function callsOfRun(runId: string, question: Question | undefined): readonly ApiCall[] {
  const read = { title: "Read the question", method: "GET", path: runQuestionPath(runId, "open") } as const;
  return [read, ...answerCalls(question)];
}

function answerCalls(question: Question | undefined): readonly ApiCall[] {
  return question === undefined || question.state !== "open" ? [] : [answerCall(question)];
}

/** The same path answers for tasks and for team runs. */
function answerCall({ id, subject, request }: Question): ApiCall {
  const { answer, option } = exampleOf(request);
  const { wizardStepId } = request;
  return {
    title: "Answer it",
    method: "POST",
    path: `/console/api/tasks/${subject.id}/answer`,
    body: { interactionId: id, ...(wizardStepId !== undefined && { wizardStepId }), ...answer },
    command: `${subject.kind}s answer ${subject.id} ${option}`,
  };
}

/** An answer that the question takes, and the same as an option of the command. */
function exampleOf(request: Question["request"]): { readonly answer: AnswerBody; readonly option: string } {
  if ("choices" in request) {
    const chosen = request.choices[0]?.id ?? "";
    return { answer: { selectedOptionId: chosen }, option: `--choice ${chosen}` };
  }
  if ("fields" in request) {
    const values = Object.fromEntries(request.fields.map((field) => [field.key, valueOf(field)]));
    return { answer: { values }, option: `--values ${shellQuoted(JSON.stringify(values))}` };
  }
  if (request.interactionType === "text_input") return { answer: { text: TEXT }, option: `--text "${TEXT}"` };
  return { answer: { approved: true }, option: "--approve" };
}

type FormField = Extract<Question["request"], { readonly fields: unknown }>["fields"][number];

function valueOf({ type, options, default: initial }: FormField): string | number | boolean {
  if (initial !== undefined) return initial;
  switch (type) {
    case "number":
      return 1;
    case "toggle":
      return true;
    case "email":
      return "grace@example.org";
    case "select":
      return options?.map(labelled)[0]?.value ?? "";
    case "text":
    case "textarea":
      return TEXT;
  }
}
