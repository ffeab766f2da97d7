import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useApiCalls } from "../features/api-drawer/calls.ts";
import { QuestionView } from "../features/questions/question-view.tsx";
import { WAITING_PATH, useWaitingRuns } from "../features/questions/queries.ts";
import type { RunRow } from "../features/runs/records.ts";
import { useShortcuts } from "../lib/shortcuts.ts";
import { buttonClass } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { Empty, ErrorState, LoadingRows } from "../ui/states.tsx";
import { Countdown } from "../ui/time.tsx";

/** Everything that waits for a person: the list on the left, the question with its form on the right. */
export function QuestionsPage() {
  const { id } = useSearch({ from: "/w/$workspace/questions" });
  const { data, error, refetch } = useWaitingRuns();
  // One that was answered just now stays until another one is chosen.
  const selected = id ?? data?.[0]?.id;
  useSelectionKeys(data ?? [], selected);
  useApiCalls([
    { title: "List open questions", method: "GET", path: WAITING_PATH },
    {
      title: "Answer one",
      method: "POST",
      path: `/console/api/tasks/${selected ?? "<task id>"}/answer`,
      body: { interactionId: "<interaction id>", approved: true },
      command: `tasks answer ${selected ?? "<task>"} --approve`,
    },
  ]);
  if (data === undefined) {
    return (
      <Page title="Questions">
        {error === null ? <LoadingRows /> : <ErrorState error={error} onRetry={() => void refetch()} />}
      </Page>
    );
  }
  return (
    <Page title="Questions">
      {data.length === 0 && id === undefined ? (
        <Empty title="No open questions">Agents with a question tool ask here, and wait for the answer.</Empty>
      ) : (
        <div className="flex min-h-0 flex-1 max-md:flex-col">
          <List rows={data} selected={selected} isPicked={id !== undefined} />
          {selected !== undefined && (
            <div
              className={`min-w-0 flex-1 px-8 py-6 max-sm:px-4 max-sm:pb-0 ${id === undefined ? "max-md:hidden" : ""}`}
            >
              <Link
                to="."
                search={(before) => ({ ...before, id: undefined })}
                className={`mb-4 md:hidden ${buttonClass({ look: "plain", size: "small" })}`}
              >
                All questions
              </Link>
              <QuestionView key={selected} id={selected} />
            </div>
          )}
        </div>
      )}
    </Page>
  );
}

function List({
  rows,
  selected,
  isPicked,
}: {
  readonly rows: readonly RunRow[];
  readonly selected: string | undefined;
  readonly isPicked: boolean;
}) {
  return (
    <ul
      aria-label="Open questions"
      className={`w-[340px] shrink-0 border-e border-line max-md:w-full max-md:border-e-0 ${isPicked ? "max-md:hidden" : ""}`}
    >
      {rows.map((row) => (
        <li key={row.id} className="border-b border-line">
          <Link
            to="."
            search={(before) => ({ ...before, id: row.id })}
            replace={selected !== undefined}
            aria-current={row.id === selected ? "true" : undefined}
            className="block border-s-2 border-transparent py-3 ps-[22px] pe-4 -outline-offset-2 transition-colors duration-120 hover:bg-raised max-sm:ps-[14px] md:aria-[current=true]:border-accent md:aria-[current=true]:bg-accent-soft"
          >
            <span dir="auto" className="line-clamp-2 font-medium">
              {row.title}
            </span>
            <span className="mt-0.5 flex gap-1.5 text-small text-ink-2">
              <span dir="auto" className="min-w-0 truncate">
                {row.agent?.name ?? row.team?.name}
              </span>
              {row.question_due !== null && (
                <span className="ms-auto shrink-0">
                  <Countdown until={row.question_due} />
                </span>
              )}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** `j` and `k` select the next and the previous question. */
function useSelectionKeys(rows: readonly RunRow[], selected: string | undefined): void {
  const navigate = useNavigate({ from: "/w/$workspace/questions" });
  const index = rows.findIndex(({ id }) => id === selected);
  const select = (to: number) => {
    const next = rows[to];
    if (next !== undefined) void navigate({ search: (before) => ({ ...before, id: next.id }), replace: true });
  };
  useShortcuts({ j: () => select(index + 1), k: () => select(index - 1) });
}
