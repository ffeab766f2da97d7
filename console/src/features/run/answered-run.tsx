import { visibleText } from "../../lib/visible-text.ts";
import { FeedbackBar } from "../feedback/feedback-bar.tsx";
import { ClosedQuestion } from "../questions/closed-question.tsx";
import type { Question } from "../questions/records.ts";
import { useRun } from "../records/run-queries.ts";

/** A question with its answer, and what the person thinks of the run that has asked. */
export default function AnsweredRun({ id, question }: { readonly id: string; readonly question: Question }) {
  const { data: head } = useRun(id);
  return (
    <>
      <h1 dir="auto" className="text-h1 font-semibold tracking-tight">
        {visibleText(question.request.title)}
      </h1>
      <ClosedQuestion question={question} />
      {head !== undefined && (
        <div className="mt-4">
          <FeedbackBar subject={{ runId: head.id, attempt: head.attempt, messageId: null }} given={head.feedback} />
        </div>
      )}
    </>
  );
}
