import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../api/use-session.ts";
import { Markdown } from "../../ui/markdown.tsx";
import { StateChip, StateIcon } from "../../ui/state.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { Countdown } from "../../ui/time.tsx";
import { stateOf } from "../../lib/run-state.ts";
import { useRun } from "../run/queries.ts";
import { AnswerForm } from "./answer-form.tsx";

/** The question of a run with all that is needed to answer it: for what work, until when, and what comes of silence. */
export function QuestionView({ id }: { readonly id: string }) {
  const { slug } = useWorkspace();
  const { data: head, error, refetch } = useRun(id);
  if (head === undefined) return error === null ? null : <ErrorState error={error} onRetry={() => void refetch()} />;
  const { question } = head;
  const run = (
    <Link
      to="/w/$workspace/runs/$id"
      params={{ workspace: slug, id }}
      className="text-accent underline underline-offset-2"
    >
      <bdi>{head.title}</bdi>
    </Link>
  );
  if (question === null) {
    return (
      <article className="max-w-[640px]">
        <h2 className="text-h1 font-semibold tracking-tight">No open question</h2>
        <p role="status" className="mt-1 text-ink-2">
          {run} asks nothing now: it was answered, or the time is over.
        </p>
        <div className="mt-4">
          <StateChip state={stateOf(head)} />
        </div>
      </article>
    );
  }
  return (
    <article className="max-w-[640px]">
      <h2 dir="auto" className="text-h1 font-semibold tracking-tight">
        {question.title}
      </h2>
      <p className="mt-1 text-ink-2">Asked for {run}</p>
      {question.description !== "" && (
        <div className="mt-4">
          <Markdown text={question.description} />
        </div>
      )}
      {question.expiresAt !== undefined && <Deadline at={question.expiresAt} />}
      <div className="mt-5">
        <AnswerForm subjectId={id} question={question} onAnswered={() => undefined} />
      </div>
    </article>
  );
}

/** How long there is left, and what happens then. */
export function Deadline({ at }: { readonly at: string }) {
  return (
    <p className="mt-4 flex items-start gap-1.5 text-waiting">
      <span className="mt-0.5">
        <StateIcon state="waiting" decorative />
      </span>
      <span>
        <Countdown until={at} /> left. Without an answer, the run fails.
      </span>
    </p>
  );
}
