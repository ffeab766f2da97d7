import { visibleText } from "../../lib/visible-text.ts";
import { Markdown } from "../../ui/markdown.tsx";
import { Countdown } from "../../ui/time.tsx";
import { RunPrice } from "../estimates/run-price.tsx";
import { AnswerForm } from "../questions/answer-form.tsx";
import { QuestionBefore, useBefore } from "../questions/question-before.tsx";
import type { RunHead } from "../records/run-head.ts";

/** The id of the open question's section in the document. */
const QUESTION = "open-question";

/** Shows the form of the open question, and gives it the focus. */
export function goToQuestion(): void {
  const section = document.getElementById(QUESTION);
  section?.scrollIntoView({ block: "nearest" });
  section?.querySelector<HTMLElement>("form :is(input, textarea, select, button):not(:disabled)")?.focus();
}

/** The open question of a run, with its form. */
export function RunQuestion({ head: { id, question } }: { readonly head: Pick<RunHead, "id" | "question"> }) {
  const before = useBefore(question?.interactionId);
  if (question === null) return null;
  return (
    <section id={QUESTION} aria-labelledby="question" className="rounded-panel border border-waiting/40">
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
        {question.approval !== undefined && <p dir="auto">{question.approval.reason}</p>}
        <RunPrice runId={id} />
        <AnswerForm subjectId={id} question={question} />
      </div>
    </section>
  );
}
