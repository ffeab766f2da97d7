import { Link, useParams } from "@tanstack/react-router";
import { Suspense, lazy, useEffect, useState } from "react";
import { useIdentity, useWorkspace } from "../api/use-session.ts";
import { useApiCalls } from "../lib/api-calls.ts";
import { LiveProvider } from "../features/live/live-provider.tsx";
import { callsOfRun } from "../features/questions/calls.ts";
import { RunPrice } from "../features/estimates/run-price.tsx";
import { AnswerForm } from "../features/questions/answer-form.tsx";
import { LastOutput } from "../features/questions/last-output.tsx";
import { StandalonePage } from "../features/questions/standalone-page.tsx";
import { QuestionBefore, useBefore } from "../features/questions/question-before.tsx";
import { RuleNotice } from "../features/questions/rule-notice.tsx";
import { useBlockedByRule } from "../features/questions/use-blocked-by-rule.ts";
import { QuestionHeader } from "../features/questions/question-header.tsx";
import { useQuestionOf } from "../features/questions/queries.ts";
import type { ApiCall } from "../lib/api-calls.ts";
import type { Question } from "../features/questions/records.ts";
import { useRun } from "../features/records/run-queries.ts";
import { withAlt } from "../lib/keys.ts";
import { loadPart } from "../lib/load-part.ts";
import { useShortcuts } from "../lib/shortcuts.ts";
import { IconButton, buttonClass } from "../ui/button.tsx";
import { Folded } from "../ui/folded.tsx";
import { CodeIcon } from "../ui/icons.ts";
import { Markdown } from "../ui/markdown.tsx";
import { ErrorState, useIsSlow } from "../ui/states.tsx";

const AnsweredRun = lazy(() => loadPart(() => import("../features/run/answered-run.tsx")));
const ApiDrawer = lazy(() => loadPart(() => import("../features/api-drawer/drawer.tsx")));

/** The question of one run, without the shell, for a link opened on a phone. */
export function AnswerPage() {
  const { id } = useParams({ from: "/r/$id/answer" });
  return <AnswerOf key={id} id={id} />;
}

function AnswerOf({ id }: { readonly id: string }) {
  const identity = useIdentity();
  const [own] = useState(identity);
  // This tab enters another workspace, which does not have the run.
  if (identity !== own) return null;
  return (
    <LiveProvider>
      <Answer id={id} />
    </LiveProvider>
  );
}

function Answer({ id }: { readonly id: string }) {
  const { name } = useWorkspace();
  const { data: question, error, refetch } = useQuestionOf(id);
  const before = useBefore(question?.id);
  const isSlow = useIsSlow();
  useEffect(() => {
    document.title = `${question?.request.title ?? "Question"} · Muster`;
  }, [question]);
  return (
    <StandalonePage workspace={name} aside={<Api calls={callsOfRun(id, question ?? undefined)} />}>
      {question === undefined ? (
        error === null ? (
          isSlow && <p role="status">Loading</p>
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : question === null ? (
        <>
          <h1 className="text-h1 font-semibold tracking-tight">No open question</h1>
          <p className="mt-2 text-ink-2">
            This run has no open question. If it was cancelled, its question was closed.
          </p>
          <RunLink id={id} />
        </>
      ) : question.state === "open" ? (
        <>
          {before !== undefined && <QuestionBefore id={before} />}
          <Open question={question} runId={id} />
        </>
      ) : (
        <>
          <Suspense>
            <AnsweredRun id={id} question={question} />
          </Suspense>
          <RunLink id={id} />
        </>
      )}
    </StandalonePage>
  );
}

function Open({ question, runId }: { readonly question: Question; readonly runId: string }) {
  const { request, subject, agent, team, expires_at: due } = question;
  return (
    <AnswerForm
      subjectId={subject.id}
      question={request}
      blockedBy={useBlockedByRule(question)}
      intro={
        <QuestionHeader request={request} asker={agent?.name ?? team?.name} title={subject.title} due={due}>
          <RuleNotice question={question} />
          <div className="mt-3 empty:hidden">
            <RunPrice runId={runId} />
          </div>
          <div className="mt-4 flex flex-col gap-2">
            <TaskText runId={runId} />
            <LastOutput runId={runId} />
          </div>
        </QuestionHeader>
      }
    />
  );
}

/** The requests of this page, for programs. */
function Api({ calls }: { readonly calls: readonly ApiCall[] }) {
  const [isOpen, setOpen] = useState(false);
  useApiCalls(calls);
  useShortcuts({ "alt+a": () => setOpen(true) });
  return (
    <>
      <IconButton label={`This screen by the API (${withAlt("A")})`} icon={CodeIcon} onClick={() => setOpen(true)} />
      <Suspense>{isOpen && <ApiDrawer onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}

/** What the run was asked to do, folded. */
function TaskText({ runId }: { readonly runId: string }) {
  const { data: head } = useRun(runId);
  const text = head?.input.description ?? "";
  if (text === "") return null;
  return (
    <Folded title="The task">
      <Markdown text={text} />
    </Folded>
  );
}

function RunLink({ id }: { readonly id: string }) {
  const { slug } = useWorkspace();
  return (
    <Link
      to="/w/$workspace/runs/$id"
      params={{ workspace: slug, id }}
      className={`mt-6 self-start ${buttonClass({ look: "primary", size: "large" })}`}
    >
      See the run
    </Link>
  );
}
