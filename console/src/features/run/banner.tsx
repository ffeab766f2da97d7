import { Link } from "@tanstack/react-router";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { copyText } from "../../ui/copy.tsx";
import { ArrowRightIcon, CopyIcon } from "../../ui/icons.tsx";
import { Markdown } from "../../ui/markdown.tsx";
import { showToast } from "../../ui/messages.ts";
import { Countdown } from "../../ui/time.tsx";
import { AnswerForm } from "../questions/answer-form.tsx";
import { QuestionBefore, useBefore } from "../questions/question-before.tsx";
import { ForkButton } from "./inspector/step-title.tsx";
import { FILTER_LABELS } from "./model/filter.ts";
import type { StepFilter } from "./search.ts";
import { forkUnit } from "./model/fork-point.ts";
import { remedyOf } from "./model/remedy.ts";
import type { Remedy } from "./model/remedy.ts";
import { placeOf } from "./model/names.ts";
import type { LogStore } from "./log/log-store.ts";
import { BudgetWaiting, Cancelled, Origin, Takeovers } from "./remarks.tsx";
import { RetryButton } from "./retry-button.tsx";
import type { OpenQuestion, RunHead, StepRow } from "./records.ts";

/** The id of the open question's section in the document. */
const QUESTION = "open-question";

/** Shows the form of the open question, and gives it the focus. */
export function goToQuestion(): void {
  const section = document.getElementById(QUESTION);
  section?.scrollIntoView({ block: "nearest" });
  section?.querySelector<HTMLElement>("form :is(input, textarea, select, button):not(:disabled)")?.focus();
}

/** What can be done about a failure. */
export interface FailureActions {
  /** At which step it failed. */
  readonly step: StepRow | undefined;
  readonly onSelect: (key: string, tab?: "attempts") => void;
  /** Undefined where it cannot be done. */
  readonly onFork: (() => void) | undefined;
  readonly onRetry: (() => void) | undefined;
  readonly isRetrying: boolean;
  /** Opens the record of the run, with its executions and budgets. */
  readonly onShowDetails: () => void;
  /** Shows only some of the steps. */
  readonly onFilter: (filter: StepFilter) => void;
}

/** What needs a person, what went wrong, or why nothing happens yet. */
export function Banner({
  head,
  rows,
  log,
  failure,
}: {
  readonly head: RunHead;
  /** Its steps; undefined while they are read. */
  readonly rows: readonly StepRow[] | undefined;
  readonly log: LogStore;
  readonly failure: FailureActions;
}) {
  const { question, status, id, forked_from: origin } = head;
  const before = useBefore(question?.interactionId);
  return (
    <>
      {question !== null && <Question id={id} question={question} before={before} />}
      {status === "failed" && <Failure head={head} rows={rows} failure={failure} />}
      {status === "cancelled" && <Cancelled head={head} />}
      <BudgetWaiting rows={rows ?? []} log={log} onShow={failure.onShowDetails} />
      <Takeovers head={head} onShow={failure.onShowDetails} />
      {origin !== null && <Origin head={head} origin={origin} unit={forkUnit(rows)} />}
    </>
  );
}

function Question({
  id,
  question,
  before,
}: {
  readonly id: string;
  readonly question: OpenQuestion;
  /** The question that was in its place. */
  readonly before: string | undefined;
}) {
  return (
    <section
      id={QUESTION}
      aria-labelledby="question"
      className="mx-6 mt-4 mb-2 max-w-[40rem] rounded-panel border border-waiting/40 max-sm:mx-4"
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
        {before !== undefined && <QuestionBefore id={before} />}
        <h2 id="question" dir="auto" className="text-h2 font-semibold">
          {visibleText(question.title)}
        </h2>
        {question.description !== "" && <Markdown text={question.description} />}
        <AnswerForm subjectId={id} question={question} />
      </div>
    </section>
  );
}

function Failure({
  head,
  rows,
  failure,
}: {
  readonly head: RunHead;
  readonly rows: readonly StepRow[] | undefined;
  readonly failure: FailureActions;
}) {
  const { error, error_code: code, details } = head;
  const { step, onSelect, onFork } = failure;
  const blockedBy = useBlockedBy("member");
  const remedy = remedyOf(code);
  return (
    <section aria-labelledby="failure" className="mx-6 mt-4 mb-2 rounded-panel bg-failed-soft px-4 py-3 max-sm:mx-4">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 id="failure" className="font-semibold text-failed">
          {step === undefined
            ? "This run failed"
            : `Failed ${step.status === "completed" ? "after" : "at"} ${placeOf(step, rows ?? [])}`}
        </h2>
        <span className="font-mono text-small text-failed">{code}</span>
      </div>
      {error !== null && (
        <p dir="auto" className="mt-1 max-w-[72ch]">
          {visibleText(error)}
        </p>
      )}
      <p className="mt-1 text-ink-2">{details === "purged" ? "Its steps are deleted: run it again." : remedy.advice}</p>
      <div className="mt-3 flex flex-wrap gap-2 empty:hidden print:hidden">
        <RetryButton failure={failure} look="small" />
        {remedy.fork && onFork !== undefined && <ForkButton blockedBy={blockedBy} onFork={onFork} />}
        {step !== undefined && (
          <Button size="small" icon={ArrowRightIcon} onClick={() => onSelect(step.key)}>
            Go to step
          </Button>
        )}
        <Cause head={head} remedy={remedy} failure={failure} />
      </div>
    </section>
  );
}

async function copyId(id: string): Promise<void> {
  if (await copyText(id)) showToast("Copied.");
}

/** Leads to what has caused it: steps, executions, budgets, settings, or the operator's log. */
function Cause({
  head,
  remedy,
  failure,
}: {
  readonly head: RunHead;
  readonly remedy: Remedy;
  readonly failure: FailureActions;
}) {
  const { slug } = useWorkspace();
  switch (remedy.show) {
    case "executions":
    case "budgets":
      return (
        <Button size="small" onClick={failure.onShowDetails}>
          Show {remedy.show}
        </Button>
      );
    case "slowest":
    case "last":
    case "question": {
      const { show } = remedy;
      return head.details === "purged" ? null : (
        <Button size="small" onClick={() => failure.onFilter(show)}>
          Show {FILTER_LABELS[show].toLowerCase()}
        </Button>
      );
    }
    case "expired":
      return (
        <Link
          to="/w/$workspace/questions"
          params={{ workspace: slug }}
          search={{ state: "expired", agent: head.agent?.id, team: head.team?.id }}
          className={buttonClass({ size: "small" })}
        >
          Show expired questions
        </Link>
      );
    case "key":
    case "providers":
      return (
        <Link
          to="/w/$workspace/settings/models"
          params={{ workspace: slug }}
          className={buttonClass({ size: "small" })}
        >
          {remedy.show === "key" ? "Add a key" : "Show model providers"}
        </Link>
      );
    case "files":
      return (
        <Link to="/w/$workspace/files" params={{ workspace: slug }} className={buttonClass({ size: "small" })}>
          Show files
        </Link>
      );
    case "team":
      return head.team === null ? null : (
        <Link
          to="/w/$workspace/teams/$id"
          params={{ workspace: slug, id: head.team.id }}
          className={buttonClass({ size: "small" })}
        >
          Edit team
        </Link>
      );
    case "log":
      return (
        <>
          {head.links.log !== null && (
            <a
              href={head.links.log}
              target="_blank"
              rel="noopener noreferrer"
              className={buttonClass({ size: "small" })}
            >
              Open the log
            </a>
          )}
          <Button size="small" icon={CopyIcon} onClick={() => void copyId(head.log_id)}>
            Copy id in the log
          </Button>
        </>
      );
    case undefined:
      return null;
  }
}
