import { visibleText } from "../../lib/visible-text.ts";
import { Markdown } from "../../ui/markdown.tsx";
import { AnswerForm } from "../questions/answer-form.tsx";
import type { OpenQuestion } from "../records/run-head.ts";

/** What the agent asks before it goes on; the person who tries it answers here. */
export function QuestionBubble({ id, question }: { readonly id: string; readonly question: OpenQuestion }) {
  return (
    <section
      aria-labelledby={question.interactionId}
      className="flex max-w-[40rem] flex-col gap-3 rounded-panel border border-waiting/40 p-4"
    >
      <h3 id={question.interactionId} dir="auto" className="text-h3 font-semibold">
        {visibleText(question.title)}
      </h3>
      {question.description !== "" && <Markdown text={question.description} />}
      <AnswerForm subjectId={id} question={question} />
    </section>
  );
}
