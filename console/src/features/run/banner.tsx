import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { shortId } from "../../lib/format.ts";
import { stateOf } from "../../lib/run-state.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { Button } from "../../ui/button.tsx";
import { ArrowRightIcon, RetryIcon } from "../../ui/icons.tsx";
import { Markdown } from "../../ui/markdown.tsx";
import { Countdown } from "../../ui/time.tsx";
import { AnswerForm } from "../questions/answer-form.tsx";
import { ForkButton } from "./inspector/step-title.tsx";
import { remedyOf } from "./model/remedy.ts";
import { nameOf } from "./model/names.ts";
import type { OpenQuestion, RunHead, StepRow } from "./records.ts";

/** What can be done about a failure. */
export interface FailureActions {
  /** At which step it failed. */
  readonly step: StepRow | undefined;
  readonly onSelect: (key: string, tab?: "attempts") => void;
  /** Undefined where it cannot be done. */
  readonly onFork: (() => void) | undefined;
  readonly onRetry: (() => void) | undefined;
  readonly isRetrying: boolean;
  readonly onShowExecutions: () => void;
}

/** What needs a person, what went wrong, or why nothing happens yet. */
export function Banner({ head, failure }: { readonly head: RunHead; readonly failure: FailureActions }) {
  const { question, status, id, forked_from: origin, details } = head;
  return (
    <>
      {question !== null && <Question id={id} question={question} />}
      {status === "failed" && <Failure head={head} failure={failure} />}
      {status === "cancelled" && head.error !== null && <Remark>{visibleText(head.error)}</Remark>}
      {origin !== null && <Origin origin={origin} />}
      {details === "purged" && (
        <Remark>The steps were deleted after their retention; the result and the cost remain.</Remark>
      )}
    </>
  );
}

function Question({ id, question }: { readonly id: string; readonly question: OpenQuestion }) {
  return (
    <section
      aria-labelledby="question"
      className="mx-6 mt-4 max-w-[640px] rounded-panel border border-waiting/40 max-sm:mx-4"
    >
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
        <AnswerForm subjectId={id} question={question} />
      </div>
    </section>
  );
}

function Failure({ head, failure }: { readonly head: RunHead; readonly failure: FailureActions }) {
  const { error, error_code: code } = head;
  const { step, onSelect, onFork, onRetry, isRetrying, onShowExecutions } = failure;
  const blockedBy = useBlockedBy("member");
  const remedy = remedyOf(code);
  return (
    <section aria-labelledby="failure" className="mx-6 mt-4 rounded-panel bg-failed-soft px-4 py-3 max-sm:mx-4">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 id="failure" className="font-semibold text-failed">
          {step === undefined ? "This run failed" : `Failed at ${nameOf(step)}`}
        </h2>
        <span className="font-mono text-small text-failed">{code}</span>
      </div>
      {error !== null && (
        <p dir="auto" className="mt-1 max-w-[72ch]">
          {visibleText(error)}
        </p>
      )}
      <p className="mt-1 text-ink-2">{remedy.advice}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        {remedy.retry && onRetry !== undefined && (
          <Button size="small" icon={RetryIcon} isBusy={isRetrying} blockedBy={blockedBy} onClick={onRetry}>
            Retry from step
          </Button>
        )}
        {remedy.fork && onFork !== undefined && <ForkButton blockedBy={blockedBy} onFork={onFork} />}
        {step !== undefined && (
          <Button size="small" icon={ArrowRightIcon} onClick={() => onSelect(step.key)}>
            Go to step
          </Button>
        )}
        {remedy.show === "executions" && (
          <Button size="small" onClick={onShowExecutions}>
            Show executions
          </Button>
        )}
      </div>
    </section>
  );
}

function Origin({ origin }: { readonly origin: NonNullable<RunHead["forked_from"]> }) {
  const { slug } = useWorkspace();
  return (
    <Remark>
      Fork of{" "}
      <Link
        to="/w/$workspace/runs/$id"
        params={{ workspace: slug, id: origin.id }}
        className="font-mono text-accent hover:underline"
      >
        {shortId(origin.id)}
      </Link>{" "}
      from number {origin.from_step + 1}; what came before is reused.
    </Remark>
  );
}

function Remark({ children }: { readonly children: ReactNode }) {
  return <p className="mx-6 mt-4 text-ink-2 max-sm:mx-4">{children}</p>;
}

/** Why a run has no steps yet. */
export function whyNoSteps(head: RunHead): { readonly title: string; readonly text: string } {
  switch (stateOf(head)) {
    case "pending":
      return head.agent === null && head.team === null
        ? { title: "Not assigned", text: "Choose an agent or a team, and it begins." }
        : { title: "Not started", text: "It begins when it is started or its time has come." };
    case "queued":
      return { title: "Queued", text: "It begins as soon as a process is free." };
    case "running":
    case "waiting":
      return { title: "Starting", text: "The first step begins." };
    default:
      return { title: "No steps", text: "This attempt has ended without one." };
  }
}
