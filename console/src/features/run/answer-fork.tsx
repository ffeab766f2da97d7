import { useEffect, useId, useRef, useState } from "react";
import type { FormEvent, ReactNode } from "react";
import type { Question, WizardStep } from "#domain/tasks/interaction.ts";
import { useBlockedBy } from "../../api/use-session.ts";
import { asProblem } from "../../api/problem.ts";
import type { Problem } from "../../api/problem.ts";
import { readDraft, removeDraftsOf, storeDraft } from "../../forms/drafts.ts";
import { cost } from "../../lib/format.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { Bdi } from "../../ui/bdi.tsx";
import { Button } from "../../ui/button.tsx";
import { DialogActions } from "../../ui/dialog.tsx";
import { FormError } from "../../ui/field.tsx";
import { Markdown } from "../../ui/markdown.tsx";
import { RecordSheet } from "../../ui/record-sheet.tsx";
import { AnswerValue } from "../questions/answer-value.tsx";
import type { AnswerFields } from "../questions/answer-value.tsx";
import { useFork } from "./fork.ts";
import { answerForkPrice } from "./model/fork-point.ts";
import type { ForkPoint } from "./model/fork-point.ts";
import { useStep } from "../records/run-queries.ts";
import { isAskedQuestion } from "../records/run-head.ts";
import type { RunHead, StepRow } from "../records/run-head.ts";

/** Prepares a fork that continues from a question with another answer. */
export function AnswerFork({
  head,
  rows,
  row,
  point,
  onClose,
}: {
  readonly head: RunHead;
  readonly rows: readonly StepRow[];
  /** The answered question. */
  readonly row: StepRow;
  readonly point: ForkPoint;
  readonly onClose: () => void;
}) {
  return (
    <RecordSheet
      query={useStep(head, row)}
      title={() => "Fork with another answer"}
      description={() => "A new run continues from this question with your answer. This one stays as it is."}
      onClose={onClose}
    >
      {({ question, answer }) =>
        isAskedQuestion(question) && answer !== null ? (
          <Form {...{ head, row, point, question, onClose }} given={answer}>
            <Price rows={rows} row={row} />
          </Form>
        ) : (
          <p className="text-ink-2">The question is no longer stored, so its answer can’t be changed.</p>
        )
      }
    </RecordSheet>
  );
}

interface FormProps {
  readonly head: RunHead;
  readonly row: StepRow;
  readonly point: ForkPoint;
  readonly question: Question;
  /** The answer of the original. */
  readonly given: AnswerFields;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

function Form({ head, row, point, question, given, onClose, children }: FormProps) {
  const { mutateAsync: fork, isPending } = useFork(head);
  const blockedBy = useBlockedBy("member");
  const draftName = `fork.${head.id}.${head.attempt}.${row.key}`;
  const [answer, setAnswer] = useState(() => readDraft(draftName, given));
  const [problem, setProblem] = useState<Problem>();
  const form = useRef<HTMLFormElement>(null);
  // The first field, or the chosen option: the dialog would focus its close button.
  useEffect(() => {
    const find = (selector: string) => form.current?.querySelector<HTMLElement>(selector);
    (find("input:checked") ?? find("input, textarea, select"))?.focus();
  }, []);
  const errorOf = (path: string) => problem?.details.find((issue) => issue.path === path)?.message;
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isPending || blockedBy !== undefined) return;
    setProblem(undefined);
    const body = question.kind === "wizard" ? { answers: answersIn(answer) } : answer;
    fork({ from_step: point.step, changes: { answer: body, question: row.key } }).then(
      () => removeDraftsOf(draftName),
      (error: unknown) => setProblem(asProblem(error)),
    );
  }
  function change(next: AnswerFields): void {
    setAnswer(next);
    storeDraft(draftName, next);
  }
  return (
    <form ref={form} onSubmit={submit} className="flex flex-col gap-5">
      {problem !== undefined && <FormError>{problem.message}</FormError>}
      {question.kind === "wizard" ? (
        <Wizard question={question} answers={answersIn(answer)} onChange={change} {...{ draftName, errorOf }} />
      ) : (
        <>
          <Heading {...question.prompt} />
          <AnswerValue prompt={question.prompt} answer={answer} onChange={change} {...{ draftName, errorOf }} />
        </>
      )}
      {children}
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <Button type="submit" look="primary" isBusy={isPending} blockedBy={blockedBy}>
          Fork run
        </Button>
      </DialogActions>
    </form>
  );
}

function Heading({ title, description }: { readonly title: string; readonly description: string }) {
  return (
    <div className="flex flex-col gap-2">
      <h3 dir="auto" className="text-h3 font-semibold">
        {visibleText(title)}
      </h3>
      {description !== "" && <Markdown text={description} />}
    </div>
  );
}

/** All pages of a wizard; the service takes the answers of those whose condition is met. */
function Wizard({
  question: { title, description, steps },
  answers,
  onChange,
  draftName,
  errorOf,
}: {
  readonly question: Extract<Question, { kind: "wizard" }>;
  readonly answers: Readonly<Record<string, AnswerFields>>;
  readonly onChange: (answer: AnswerFields) => void;
  readonly draftName: string;
  readonly errorOf: (path: string) => string | undefined;
}) {
  return (
    <>
      <Heading title={title} description={description} />
      {steps.map((page) => (
        <Page
          key={page.stepId}
          page={page}
          steps={steps}
          answer={answers[page.stepId]}
          onChange={(answer) => onChange({ answers: { ...answers, [page.stepId]: answer } })}
          draftName={`${draftName}.${page.stepId}`}
          errorOf={(path) => errorOf(`answers.${page.stepId}${path && "."}${path}`)}
        />
      ))}
    </>
  );
}

function Page({
  page,
  steps,
  answer,
  onChange,
  draftName,
  errorOf,
}: {
  readonly page: WizardStep;
  readonly steps: readonly WizardStep[];
  readonly answer: AnswerFields | undefined;
  readonly onChange: (answer: AnswerFields) => void;
  readonly draftName: string;
  readonly errorOf: (path: string) => string | undefined;
}) {
  const heading = useId();
  const error = errorOf("");
  const { condition: when } = page;
  const earlier = steps.find(({ stepId }) => stepId === when?.dependsOnStep);
  return (
    <section aria-labelledby={heading} className="flex flex-col gap-3 border-t border-line pt-4">
      <h4 id={heading} dir="auto" className="font-semibold">
        {visibleText(page.title)}
      </h4>
      {when !== undefined && (
        <p className="text-small text-ink-3">
          Asked only if <Bdi>{earlier?.title ?? when.dependsOnStep}</Bdi> {OPERATORS[when.operator]}{" "}
          <Bdi className="font-mono">{String(when.value)}</Bdi>
        </p>
      )}
      {page.description !== "" && <Markdown text={page.description} />}
      <AnswerValue prompt={page} {...{ answer, onChange, draftName, errorOf }} />
      {error !== undefined && <p className="text-small text-failed">{error}</p>}
    </section>
  );
}

const OPERATORS = { equals: "is", not_equals: "is not", contains: "contains" } as const;

/** "4 steps before the question are reused at $0. 1 step after it runs again; it cost $0.12 last time." */
function Price({ rows, row }: { readonly rows: readonly StepRow[]; readonly row: StepRow }) {
  const { reused, again, againUsd } = answerForkPrice(rows, row);
  const last = `${again === 1 ? "it" : "they"} cost ${cost(againUsd)} last time`;
  return (
    <p className="note bg-accent-soft">
      {`${reused} ${reused === 1 ? "step before the question is" : "steps before the question are"} reused at $0. `}
      {again === 0
        ? "No step after it has run yet."
        : `${again} ${again === 1 ? "step after it runs" : "steps after it run"} again; ${last}.`}
    </p>
  );
}

/** The answers to a wizard's pages, by stepId. */
function answersIn(answer: AnswerFields): Readonly<Record<string, AnswerFields>> {
  const answers = answer["answers"];
  if (typeof answers !== "object" || answers === null) return {};
  return Object.fromEntries(Object.entries(answers).filter(isAnswer));
}

function isAnswer(entry: [string, unknown]): entry is [string, AnswerFields] {
  return typeof entry[1] === "object" && entry[1] !== null;
}
