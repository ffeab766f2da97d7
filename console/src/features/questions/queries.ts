import { useQuery } from "@tanstack/react-query";
import { fetchJson } from "../../api/fetch-json.ts";
import type { Question } from "./records.ts";
import type { QUESTION_STATES } from "./search.ts";

/** One of the lists of questions. */
export type QuestionState = (typeof QUESTION_STATES)[number];

interface QuestionPage {
  readonly items: readonly Question[];
}

/** The questions in a state, by deadline. */
export function useQuestions(state: QuestionState) {
  return useQuery({
    queryKey: ["questions", state],
    queryFn: () => fetchJson<QuestionPage>(`/console/api/questions?state=${state}`),
    select: ({ items }) => items,
  });
}

/** How many questions wait for an answer in this workspace. */
export function useOpenQuestionCount(): number {
  return useQuestions("open").data?.length ?? 0;
}
