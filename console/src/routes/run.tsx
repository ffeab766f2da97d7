import { Link, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useWorkspace } from "../api/use-session.ts";
import { useAgentName } from "../features/agents/queries.ts";
import { useApiCalls } from "../features/api-drawer/calls.ts";
import { AnswerForm } from "../features/questions/answer-form.tsx";
import { Facts } from "../features/run/facts.tsx";
import { useRun } from "../features/run/queries.ts";
import type { RunHead } from "../features/run/records.ts";
import { RunActions } from "../features/run/run-actions.tsx";
import { TranscriptView } from "../features/run/transcript-view.tsx";
import { useTranscript } from "../features/run/use-transcript.ts";
import { stateOf } from "../lib/run-state.ts";
import { Markdown } from "../ui/markdown.tsx";
import { Page } from "../ui/page.tsx";
import { StateChip } from "../ui/state.tsx";
import { ErrorState, LoadingRows } from "../ui/states.tsx";
import { Countdown } from "../ui/time.tsx";

/** One run: what was asked, what happens, what came of it. */
export function RunPage() {
  const { id } = useParams({ from: "/w/$workspace/runs/$id" });
  const { data: head, error, refetch } = useRun(id);
  if (head === undefined) {
    return (
      <Page title={error === null ? "Run" : "Run not found"}>
        {error === null ? <LoadingRows rows={6} /> : <ErrorState error={error} onRetry={() => void refetch()} />}
      </Page>
    );
  }
  return <Run key={`${id}.${head.attempt}`} head={head} />;
}

function Run({ head }: { readonly head: RunHead }) {
  const { slug } = useWorkspace();
  const { entries } = useTranscript(head.id);
  const by = useAgentName(head.agent_id);
  const list = head.kind === "task" ? "api-tasks" : "api-runs";
  const path = `/functions/v1/${list}?id=${head.id}`;
  const stopped = { status: "cancelled" };
  useApiCalls([
    {
      title: "Read this run",
      method: "GET",
      path,
      command: `${head.kind === "task" ? "tasks" : "runs"} get ${head.id}`,
    },
    { title: "Cancel it", method: "PATCH", path, body: stopped },
  ]);
  return (
    <Page
      title={head.title}
      above={
        <Link to="/w/$workspace/runs" params={{ workspace: slug }} className="hover:text-ink">
          Runs
        </Link>
      }
      beside={<StateChip state={stateOf(head)} />}
      actions={<RunActions head={head} />}
    >
      <Facts head={head} by={by} />
      <div className="flex flex-col gap-6 px-6 py-6 max-sm:px-4">
        <Banner head={head} />
        {head.input !== "" && head.input !== head.title && (
          <Section title="Task">
            <Markdown text={head.input} />
          </Section>
        )}
        {entries.length > 0 && (
          <Section title="What happens">
            <TranscriptView entries={entries} />
          </Section>
        )}
        {entries.length === 0 && head.result !== null && (
          <Section title="Result">
            <Markdown text={head.result} />
          </Section>
        )}
      </div>
    </Page>
  );
}

/** What needs a person, or what went wrong. */
function Banner({ head }: { readonly head: RunHead }) {
  const { question, error, status, id } = head;
  if (question !== null) {
    return (
      <section aria-labelledby="question" className="max-w-[640px] rounded-panel border border-waiting/40 bg-canvas">
        <header className="rounded-t-panel bg-waiting-soft px-4 py-2 text-waiting">
          Needs an answer
          {question.expiresAt !== undefined && (
            <>
              {" "}
              in <Countdown until={question.expiresAt} />
            </>
          )}
        </header>
        <div className="flex flex-col gap-3 p-4">
          <h2 id="question" dir="auto" className="text-h2 font-semibold">
            {question.title}
          </h2>
          {question.description !== "" && <Markdown text={question.description} />}
          <AnswerForm subjectId={id} question={question} onAnswered={() => undefined} />
        </div>
      </section>
    );
  }
  if (status !== "failed" || error === null) return null;
  return (
    <section role="alert" className="max-w-[640px] rounded-panel bg-failed-soft px-4 py-3">
      <h2 className="font-semibold text-failed">This run failed</h2>
      <p dir="auto" className="mt-1">
        {error}
      </p>
    </section>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <h2 className="mb-2 text-caption font-medium text-ink-3">{title}</h2>
      {children}
    </section>
  );
}
