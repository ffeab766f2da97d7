import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useBlockedBy, useWorkspace } from "../api/use-session.ts";
import { useApiCalls } from "../lib/api-calls.ts";
import { callsOf } from "../features/questions/calls.ts";
import { QuestionFilters } from "../features/questions/filters.tsx";
import { QuestionList } from "../features/questions/question-list.tsx";
import { QuestionView } from "../features/questions/question-view.tsx";
import { useOpenQuestionCount, useQuestions } from "../features/questions/queries.ts";
import type { Question, QuestionState } from "../features/questions/records.ts";
import { QUESTION_TABS } from "../features/questions/search.ts";
import type { QuestionsSearch } from "../features/questions/search.ts";
import { useShortcuts } from "../lib/shortcuts.ts";
import { usePageNavigate } from "../lib/use-page-navigate.ts";
import { buttonClass } from "../ui/button.tsx";
import { startParser } from "../ui/parse-markdown.ts";
import { Page } from "../ui/page.tsx";
import { QueryPart } from "../ui/query-part.tsx";
import { Empty } from "../ui/states.tsx";
import { Tabs } from "../ui/tabs.tsx";

// Most questions are Markdown: its parser is fetched with the list, not after it.
startParser();

const TAB_LABELS: Readonly<Record<QuestionState, string>> = { open: "Open", answered: "Answered", expired: "Expired" };

/** What people are asked: the list on the left, the question with its form on the right. */
export function QuestionsPage() {
  const search = useSearch({ from: "/w/$workspace/questions" });
  const { data, error, refetch, isPlaceholderData, hasNextPage, fetchNextPage } = useQuestions(search);
  const questions = data?.pages.flatMap((page) => page.questions);
  const selected = useSelected(search, isPlaceholderData ? undefined : questions);
  useSelectionKeys(questions ?? [], selected);
  useApiCalls(
    callsOf(
      search,
      questions?.find(({ id }) => id === selected),
    ),
  );
  return (
    <Page title="Questions" below={<StateTabs search={search} />}>
      <QuestionFilters search={search} />
      <QueryPart query={{ data: questions, error, refetch }} rows={8}>
        {(shown) =>
          shown.length === 0 && selected === undefined ? (
            <NoQuestions search={search} />
          ) : (
            <div className={`flex min-h-0 flex-1 max-md:flex-col ${isPlaceholderData ? "opacity-60" : ""}`}>
              <QuestionList
                label={`${TAB_LABELS[search.state ?? "open"]} questions`}
                questions={shown}
                selected={selected}
                isPicked={search.id !== undefined}
                onMore={hasNextPage ? () => void fetchNextPage() : undefined}
              />
              {selected !== undefined && <Selected id={selected} isPicked={search.id !== undefined} />}
            </div>
          )
        }
      </QueryPart>
    </Page>
  );
}

function Selected({ id, isPicked }: { readonly id: string; readonly isPicked: boolean }) {
  return (
    <div className={`min-w-0 flex-1 px-8 py-6 max-sm:px-4 max-sm:pb-0 ${isPicked ? "" : "max-md:hidden"}`}>
      <Link
        to="."
        search={(before) => ({ ...before, id: undefined })}
        className={`mb-4 md:hidden ${buttonClass({ look: "plain", size: "small" })}`}
      >
        All questions
      </Link>
      <QuestionView key={id} id={id} />
    </div>
  );
}

function StateTabs({ search }: { readonly search: QuestionsSearch }) {
  const { slug } = useWorkspace();
  const open = useOpenQuestionCount();
  const { agent, team } = search;
  const tabs = QUESTION_TABS.map((state) => ({
    key: state,
    label: TAB_LABELS[state],
    count: state === "open" ? open : undefined,
    link: {
      to: "/w/$workspace/questions" as const,
      params: { workspace: slug },
      search: { agent, team, state: state === "open" ? undefined : state },
    },
  }));
  return <Tabs label="Lists of questions" tabs={tabs} current={search.state ?? "open"} />;
}

function NoQuestions({ search }: { readonly search: QuestionsSearch }) {
  const { slug } = useWorkspace();
  const blockedBy = useBlockedBy("member");
  if ((search.agent ?? search.team) !== undefined) {
    return (
      <Empty
        title="No question matches these filters"
        action={
          <Link to="/w/$workspace/questions" params={{ workspace: slug }} className={buttonClass()}>
            Clear filters
          </Link>
        }
      />
    );
  }
  if (search.state === "answered") return <Empty title="No answered questions">Answers are listed here.</Empty>;
  if (search.state === "expired")
    return <Empty title="No expired questions">Every question was answered in time.</Empty>;
  return (
    <Empty
      title="No open questions"
      action={
        blockedBy === undefined && (
          <Link to="/w/$workspace/agents" params={{ workspace: slug }} className={buttonClass()}>
            Add a question tool to an agent
          </Link>
        )
      }
    >
      Agents with a question tool ask here, and wait for the answer.
    </Empty>
  );
}

/** The chosen question, else the first one. It stays when it is answered, until another one is chosen. */
function useSelected(search: QuestionsSearch, questions: readonly Question[] | undefined): string | undefined {
  const list = JSON.stringify([search.state, search.agent, search.team]);
  const [shown, setShown] = useState<{ readonly list: string; readonly id: string }>();
  const first = questions?.[0]?.id;
  if (shown?.list !== list && first !== undefined) setShown({ list, id: first });
  return search.id ?? (shown?.list === list ? shown.id : first);
}

/** `j` and `k`, or `e` and `E`, select the next and the previous question. */
function useSelectionKeys(questions: readonly Question[], selected: string | undefined): void {
  const navigate = usePageNavigate({ from: "/w/$workspace/questions" });
  const index = questions.findIndex(({ id }) => id === selected);
  const select = (to: number) => {
    const next = questions[to];
    if (next !== undefined) void navigate({ search: (before) => ({ ...before, id: next.id }), replace: true });
  };
  const [next, previous] = [() => select(index + 1), () => select(index - 1)];
  useShortcuts({ j: next, k: previous, e: next, E: previous });
}
