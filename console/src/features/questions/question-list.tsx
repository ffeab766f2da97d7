import { Link } from "@tanstack/react-router";
import { visibleText } from "../../lib/visible-text.ts";
import { useFocusShown } from "../../ui/return-focus.ts";
import { Countdown } from "../../ui/time.tsx";
import { VanishingButton } from "../../ui/vanishing-button.tsx";
import { ClosedNotice } from "./closed-question.tsx";
import type { Question } from "./records.ts";

/** The questions of a list, one of them selected. */
export function QuestionList({
  label,
  questions,
  selected,
  isPicked,
  onMore,
}: {
  readonly label: string;
  readonly questions: readonly Question[];
  readonly selected: string | undefined;
  /** Whether a person has chosen it: then a phone shows the question instead. */
  readonly isPicked: boolean;
  /** Undefined on the last page. */
  readonly onMore: (() => void) | undefined;
}) {
  useFocusShown(isPicked);
  return (
    <div
      className={`w-[21.25rem] shrink-0 border-e border-line max-md:w-full max-md:border-e-0 ${isPicked ? "max-md:hidden" : ""}`}
    >
      <ul aria-label={label}>
        {questions.map((question) => (
          <li key={question.id} className="border-b border-line">
            <Link
              to="."
              search={(before) => ({ ...before, id: question.id })}
              replace={selected !== undefined}
              aria-current={question.id === selected ? "true" : undefined}
              className="edged block py-3 pe-4 transition-colors hover:bg-raised md:current:marked"
            >
              <Row question={question} />
            </Link>
          </li>
        ))}
      </ul>
      {onMore !== undefined && (
        <div className="p-3 text-center">
          <VanishingButton look="quiet" size="small" onClick={onMore}>
            Show more
          </VanishingButton>
        </div>
      )}
    </div>
  );
}

function Row({ question }: { readonly question: Question }) {
  const { request, subject, agent, team, state, expires_at: due } = question;
  return (
    <>
      <span dir="auto" className="line-clamp-2 font-medium">
        {visibleText(request.title)}
      </span>
      <span className="mt-0.5 flex gap-1.5 text-small text-ink-2">
        <span dir="auto" className="min-w-0 truncate">
          {visibleText(subject.title)}
        </span>
        {state === "open" && due !== null && (
          <span className="ms-auto shrink-0">
            <Countdown until={due} />
          </span>
        )}
      </span>
      <span dir="auto" className="block truncate text-small text-ink-3">
        {state === "open" ? visibleText(agent?.name ?? team?.name ?? "") : <ClosedNotice question={question} />}
      </span>
    </>
  );
}
