import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useWorkspace } from "../api/use-session.ts";
import { useApiCalls } from "../features/api-drawer/calls.ts";
import { QuestionView } from "../features/questions/question-view.tsx";
import { useQuestions } from "../features/questions/queries.ts";
import type { QuestionState } from "../features/questions/queries.ts";
import type { Question } from "../features/questions/records.ts";
import { useShortcuts } from "../lib/shortcuts.ts";
import { buttonClass } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { Empty, ErrorState, LoadingRows } from "../ui/states.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { Countdown, Time } from "../ui/time.tsx";

const EMPTY: Readonly<Record<QuestionState, { readonly title: string; readonly text: string }>> = {
  open: { title: "No open questions", text: "Agents with a question tool ask here, and wait for the answer." },
  answered: { title: "No answered questions", text: "Every answer is kept here, with who gave it." },
  expired: { title: "No expired questions", text: "Questions that nobody answered in time are listed here." },
};
const STATES = [
  ["open", "Open"],
  ["answered", "Answered"],
  ["expired", "Expired"],
] as const;

/** Everything that waits for a person: the list on the left, the question with its form on the right. */
export function QuestionsPage() {
  const { state = "open", id } = useSearch({ from: "/w/$workspace/questions" });
  const { slug } = useWorkspace();
  const { data, error, refetch } = useQuestions(state);
  const openCount = useQuestions("open").data?.length;
  const selected = data?.find((each) => each.id === id) ?? data?.[0];
  useSelectionKeys(data ?? [], selected);
  useApiCalls([
    { title: "List questions", method: "GET", path: `/console/api/questions?state=${state}` },
    {
      title: "Answer one",
      method: "POST",
      path: `/console/api/tasks/${selected?.subject.id ?? "<task id>"}/answer`,
      body: { interactionId: selected?.id ?? "<interaction id>", approved: true },
      command: `tasks answer ${selected?.subject.id ?? "<task>"} --approve`,
    },
  ]);
  const tabs = STATES.map(([key, label]) => ({
    key,
    label,
    ...(key === "open" && { count: openCount }),
    link: {
      to: "/w/$workspace/questions" as const,
      params: { workspace: slug },
      search: key === "open" ? {} : { state: key },
    },
  }));
  return (
    <Page title="Questions" below={<Tabs label="Questions" tabs={tabs} current={state} />}>
      {error !== null && data === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingRows />
      ) : data.length === 0 ? (
        <Empty title={EMPTY[state].title}>{EMPTY[state].text}</Empty>
      ) : (
        <div className="flex min-h-0 flex-1 max-md:flex-col">
          <List questions={data} selected={selected} isPicked={id !== undefined} />
          {selected !== undefined && (
            <div className={`min-w-0 flex-1 px-8 py-6 max-sm:px-4 ${id === undefined ? "max-md:hidden" : ""}`}>
              <Link
                to="."
                search={(before) => ({ ...before, id: undefined })}
                className={`mb-4 md:hidden ${buttonClass({ look: "quiet", size: "small" })}`}
              >
                All questions
              </Link>
              <QuestionView key={selected.id} question={selected} />
            </div>
          )}
        </div>
      )}
    </Page>
  );
}

function List({
  questions,
  selected,
  isPicked,
}: {
  readonly questions: readonly Question[];
  readonly selected: Question | undefined;
  readonly isPicked: boolean;
}) {
  return (
    <ul
      className={`w-[340px] shrink-0 border-e border-line max-md:w-full max-md:border-e-0 ${isPicked ? "max-md:hidden" : ""}`}
    >
      {questions.map((question) => (
        <li key={question.id} className="border-b border-line">
          <Link
            to="."
            search={(before) => ({ ...before, id: question.id })}
            replace
            aria-current={question === selected ? "true" : undefined}
            className="block border-s-2 border-transparent py-3 ps-[22px] pe-4 -outline-offset-2 transition-colors duration-120 hover:bg-raised md:aria-[current=true]:border-accent md:aria-[current=true]:bg-accent-soft max-sm:ps-[14px]"
          >
            <span dir="auto" className="line-clamp-2 font-medium">
              {question.request.title}
            </span>
            <span className="mt-0.5 flex gap-1.5 text-small text-ink-2">
              <span dir="auto" className="min-w-0 truncate">
                {question.agent?.name ?? question.team?.name ?? question.subject.title}
              </span>
              <span className="ms-auto shrink-0">
                <Due question={question} />
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Due({ question }: { readonly question: Question }) {
  if (question.state === "open") return <Countdown until={question.expires_at} />;
  return <Time at={question.answered_at ?? question.expires_at} />;
}

/** `j` and `k` select the next and the previous question. */
function useSelectionKeys(questions: readonly Question[], selected: Question | undefined): void {
  const navigate = useNavigate({ from: "/w/$workspace/questions" });
  const index = questions.findIndex((each) => each === selected);
  const select = (to: number) => {
    const next = questions[to];
    if (next !== undefined) void navigate({ search: (before) => ({ ...before, id: next.id }), replace: true });
  };
  useShortcuts({ j: () => select(index + 1), k: () => select(index - 1) });
}
