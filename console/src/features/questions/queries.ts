import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getQuestion, listQuestions } from "#client/gen/operations/questions.ts";
import { call } from "../../api/client.ts";
import { asProblem } from "../../api/problem.ts";
import { given } from "../../lib/given.ts";
import { stringifySearch } from "../../lib/search.ts";
import { readQuestion } from "./records.ts";
import type { Question, QuestionState } from "./records.ts";
import type { QuestionsSearch } from "./search.ts";

const PAGE_ROWS = 50;
/** More open questions than this are not counted. */
export const MAX_COUNTED = 99;
const FIRST_PAGE: string | undefined = undefined;

/** The URL of a list of questions. */
export function questionsPath(search: QuestionsSearch): string {
  return `/console/api/questions${stringifySearch(questionsQuery(search))}`;
}

function questionsQuery({ state, agent, team }: QuestionsSearch, cursor?: string) {
  return given({ state, agent_id: agent, team_id: team, limit: PAGE_ROWS, cursor });
}

/** The questions of a list, page by page: open ones by deadline, others by the time they were closed, newest first. */
export function useQuestions(search: QuestionsSearch) {
  const { state, agent, team } = search;
  return useInfiniteQuery({
    queryKey: ["questions", "list", state, agent, team],
    queryFn: ({ pageParam }) => readPage(questionsQuery(search, pageParam)),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
}

/** One question, open or closed; null when there is none, such as after its run was cancelled. */
export function useQuestion(id: string) {
  return useQuery({
    queryKey: ["questions", "one", id],
    queryFn: async () => {
      try {
        return readQuestion(await call(getQuestion)({ id })) ?? null;
      } catch (error) {
        if (asProblem(error).status === 404) return null;
        throw error;
      }
    },
  });
}

/** The open question of a task or team run, else the one that was closed last; null when it has asked nothing. */
export function useQuestionOf(runId: string) {
  return useQuery({
    queryKey: ["questions", "of", runId],
    queryFn: async () => (await newestOf(runId, "open")) ?? (await newestClosedOf(runId)) ?? null,
  });
}

/** The questions that wait for an answer in this workspace, up to one more than {@link MAX_COUNTED}. */
export function useOpenQuestions() {
  return useQuery({
    queryKey: ["questions", "count"],
    queryFn: async () => (await readPage({ limit: MAX_COUNTED + 1 })).questions,
  });
}

/** How many questions wait for an answer in this workspace: `7`, `99+`; undefined without any. */
export function useOpenQuestionCount(): string | undefined {
  const open = useOpenQuestions().data?.length ?? 0;
  if (open === 0) return undefined;
  return open > MAX_COUNTED ? `${MAX_COUNTED}+` : String(open);
}

/** The URL of the newest question of a task or team run that is in a state. */
export function runQuestionPath(runId: string, state: QuestionState): string {
  return `/console/api/questions${stringifySearch({ state, run_id: runId, limit: 1 })}`;
}

async function newestOf(runId: string, state: QuestionState): Promise<Question | undefined> {
  const { questions } = await readPage({ state, run_id: runId, limit: 1 });
  return questions[0];
}

async function newestClosedOf(runId: string): Promise<Question | undefined> {
  const [answered, expired] = await Promise.all([newestOf(runId, "answered"), newestOf(runId, "expired")]);
  if (answered === undefined || expired === undefined) return answered ?? expired;
  return Date.parse(answered.asked_at) > Date.parse(expired.asked_at) ? answered : expired;
}

async function readPage(
  query: NonNullable<Parameters<ReturnType<typeof listQuestions>>[0]>,
): Promise<{ readonly questions: readonly Question[]; readonly next: string | undefined }> {
  const { items, cursor: next } = await call(listQuestions)(query);
  return { questions: items.flatMap((item) => readQuestion(item) ?? []), next };
}
