import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { ReactNode } from "react";
import { useWorkspace } from "../../api/use-session.ts";
import { Bdi } from "../../ui/bdi.tsx";
import { Markdown } from "../../ui/markdown.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { RunPrice } from "../estimates/run-price.tsx";
import { AnswerForm } from "./answer-form.tsx";
import { ClosedQuestion } from "./closed-question.tsx";
import { Deadline } from "./deadline.tsx";
import { LastOutput } from "./last-output.tsx";
import { AnswerLinks } from "./links.tsx";
import { LinkButton } from "./link-button.tsx";
import { useQuestion } from "./queries.ts";
import { RuleNotice } from "./rule-notice.tsx";
import { useBlockedByRule } from "./use-blocked-by-rule.ts";
import type { Question } from "./records.ts";
import { visibleText } from "../../lib/visible-text.ts";

/** A question with all that is needed to answer it: its run, its deadline, and what happens without an answer. */
export function QuestionView({ id }: { readonly id: string }) {
  const { data: question, error, refetch } = useQuestion(id);
  const [wasRejected, setRejected] = useState(false);
  if (question === undefined)
    return error === null ? null : <ErrorState error={error} onRetry={() => void refetch()} />;
  if (question === null)
    return <p className="text-ink-2">This question can't be shown. If its run was cancelled, it was closed.</p>;
  const { request, state } = question;
  const description = request.description !== "" && (
    <div className="mt-4">
      <Markdown text={request.description} />
    </div>
  );
  return (
    <article className="max-w-[40rem]">
      <h2 dir="auto" className="text-h1 font-semibold tracking-tight">
        {visibleText(request.title)}
      </h2>
      <AskedFor question={question} />
      {state === "open" ? (
        <OpenQuestion question={question} description={description} onRejected={() => setRejected(true)} />
      ) : (
        <>
          {description}
          <ClosedQuestion question={question} />
          {wasRejected && <p className="mt-4 text-waiting">Your answer came later and was not used.</p>}
        </>
      )}
    </article>
  );
}

function OpenQuestion({
  question,
  description,
  onRejected,
}: {
  readonly question: Question;
  readonly description: ReactNode;
  readonly onRejected: () => void;
}) {
  const { id, request, subject, expires_at: due } = question;
  return (
    <>
      <AnswerForm
        subjectId={subject.id}
        question={request}
        onRejected={onRejected}
        blockedBy={useBlockedByRule(question)}
        intro={
          <>
            {due !== null && <Deadline at={due} approval={request.approval} />}
            {description}
            <RuleNotice question={question} />
            <div className="mt-3 empty:hidden">
              <RunPrice runId={subject.id} />
            </div>
            <div className="mt-4">
              <LastOutput key={id} runId={subject.id} />
            </div>
          </>
        }
      />
      {request.approval === undefined && (
        <>
          <LinkButton questionId={id} />
          <div className="mt-3 max-sm:hidden">
            <AnswerLinks questionId={id} />
          </div>
        </>
      )}
    </>
  );
}

/** Who asks, and for which run. */
export function AskedFor({ question }: { readonly question: Question }) {
  const { slug } = useWorkspace();
  const { subject, agent, team } = question;
  const asker = agent?.name ?? team?.name;
  return (
    <p className="mt-1 text-ink-2">
      {asker === undefined ? (
        "Asked"
      ) : (
        <>
          <Bdi>{asker}</Bdi> asks
        </>
      )}{" "}
      in the run{" "}
      <Link
        to="/w/$workspace/runs/$id"
        params={{ workspace: slug, id: subject.id }}
        className="text-accent underline underline-offset-2"
      >
        <Bdi>{subject.title}</Bdi>
      </Link>
    </p>
  );
}
