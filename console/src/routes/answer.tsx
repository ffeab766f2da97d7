import { Link, useParams } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useAccess, useWorkspace } from "../api/use-session.ts";
import { LiveProvider } from "../features/live/live-provider.tsx";
import { AnswerForm } from "../features/questions/answer-form.tsx";
import { Deadline } from "../features/questions/question-view.tsx";
import { useRun } from "../features/run/queries.ts";
import type { RunHead } from "../features/run/records.ts";
import { clockTime } from "../lib/format.ts";
import { stateOf } from "../lib/run-state.ts";
import { buttonClass } from "../ui/button.tsx";
import { Logo } from "../ui/logo.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { StateChip } from "../ui/state.tsx";
import { ErrorState, useIsSlow } from "../ui/states.tsx";

/** The question of one run alone, for a phone that comes from a link. */
export function AnswerPage() {
  return (
    <LiveProvider>
      <Answer />
    </LiveProvider>
  );
}

function Answer() {
  const { id } = useParams({ from: "/r/$id/answer" });
  const { data: head, error, refetch } = useRun(id);
  const isSlow = useIsSlow();
  useEffect(() => {
    document.title = `${head?.question?.title ?? "Question"} · Muster`;
  }, [head]);
  return (
    <div className="mx-auto flex min-h-dvh max-w-[560px] flex-col px-6 py-6 max-sm:px-4">
      <header className="flex items-center gap-2.5 text-ink-2">
        <Logo className="size-7" />
        <WorkspaceName />
      </header>
      <main className="flex flex-1 flex-col pt-8">
        {head !== undefined ? (
          <Asked head={head} />
        ) : error !== null ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          isSlow && <p role="status">Loading</p>
        )}
      </main>
    </div>
  );
}

function WorkspaceName() {
  const { name } = useWorkspace();
  return (
    <span dir="auto" className="font-medium">
      {name}
    </span>
  );
}

function Asked({ head }: { readonly head: RunHead }) {
  const [answeredAt, setAnsweredAt] = useState<Date>();
  const by = head.agent?.name ?? head.team?.name;
  const { question } = head;
  const { user } = useAccess();
  if (question === null || answeredAt !== undefined) {
    return (
      <NothingToAnswer
        head={head}
        answered={answeredAt && `Answered by you (${user.name}), ${clockTime(answeredAt)}`}
      />
    );
  }
  return (
    <>
      <h1 dir="auto" className="text-h1 font-semibold tracking-tight">
        {question.title}
      </h1>
      <p className="mt-1 text-ink-2">
        {by !== undefined && <bdi>{by}</bdi>} asks for <bdi>{head.title}</bdi>.
      </p>
      {question.expiresAt !== undefined && <Deadline at={question.expiresAt} />}
      {question.description !== "" && (
        <div className="mt-4">
          <Markdown text={question.description} />
        </div>
      )}
      {head.input.description !== "" && (
        <details className="mt-4 rounded-control border border-line">
          <summary className="px-3 py-2 font-medium touch:py-3">The task</summary>
          <div className="border-t border-line px-3 py-2">
            <Markdown text={head.input.description} />
          </div>
        </details>
      )}
      <div className="mt-6 max-sm:mt-auto max-sm:pt-6">
        <AnswerForm subjectId={head.id} question={question} onAnswered={() => setAnsweredAt(new Date())} />
      </div>
    </>
  );
}

/** After the answer, or when another person was first. */
function NothingToAnswer({ head, answered }: { readonly head: RunHead; readonly answered: string | undefined }) {
  const { slug } = useWorkspace();
  return (
    <>
      <h1 dir="auto" className="text-h1 font-semibold tracking-tight">
        {answered === undefined ? "No open question" : "Thank you"}
      </h1>
      <p role="status" className="mt-2 text-ink-2">
        {answered ?? "This run asks nothing now. Somebody may have answered, or the time is over."}
      </p>
      <div className="mt-4">
        <StateChip state={stateOf(head)} />
      </div>
      <Link
        to="/w/$workspace/runs/$id"
        params={{ workspace: slug, id: head.id }}
        className={`mt-6 self-start ${buttonClass({ look: "primary", size: "large" })}`}
      >
        See the run
      </Link>
    </>
  );
}
