import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../api/use-session.ts";
import { Markdown } from "../../ui/markdown.tsx";
import { StateIcon } from "../../ui/state.tsx";
import { Countdown, Time } from "../../ui/time.tsx";
import { AnswerForm } from "./answer-form.tsx";
import type { Question } from "./records.ts";

/** A question with all that is needed to answer it: who asks, for what work, until when, and what comes of silence. */
export function QuestionView({ question }: { readonly question: Question }) {
  const { slug } = useWorkspace();
  const { request, subject, state } = question;
  const by = question.agent?.name ?? question.team?.name;
  return (
    <article className="max-w-[640px]">
      <h2 dir="auto" className="text-h1 font-semibold tracking-tight">
        {request.title}
      </h2>
      <p className="mt-1 text-ink-2">
        {by !== undefined && (
          <>
            <span dir="auto">{by}</span> asks for{" "}
          </>
        )}
        <Link
          to="/w/$workspace/runs/$id"
          params={{ workspace: slug, id: subject.id }}
          className="text-accent underline underline-offset-2"
        >
          <bdi>{subject.title}</bdi>
        </Link>
        , <Time at={question.asked_at} />
      </p>
      {request.description !== "" && (
        <div className="mt-4">
          <Markdown text={request.description} />
        </div>
      )}
      <div className="mt-6">
        {state === "open" ? (
          <>
            <p className="mb-4 flex items-center gap-1.5 text-waiting">
              <StateIcon state="waiting" decorative />
              <span>
                <Countdown until={question.expires_at} /> left. Without an answer, the run fails.
              </span>
            </p>
            <AnswerForm subjectId={subject.id} question={request} onAnswered={() => undefined} />
          </>
        ) : (
          <Outcome question={question} />
        )}
      </div>
    </article>
  );
}

/** Who answered and when, or that nobody did. */
export function Outcome({
  question,
}: {
  readonly question: Pick<Question, "state" | "answered_by" | "answered_at" | "expires_at">;
}) {
  if (question.state === "expired") {
    return (
      <p className="flex items-center gap-1.5 text-ink-2">
        <StateIcon state="failed" decorative />
        <span>
          Nobody answered in time (<Time at={question.expires_at} />
          ).
        </span>
      </p>
    );
  }
  return (
    <p className="flex items-center gap-1.5 text-ink-2">
      <StateIcon state="completed" decorative />
      <span>
        Answered by {question.answered_by ?? "somebody"}
        {question.answered_at !== null && (
          <>
            , <Time at={question.answered_at} />
          </>
        )}
      </span>
    </p>
  );
}
