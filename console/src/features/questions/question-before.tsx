import { useState } from "react";
import { Bdi } from "../../ui/bdi.tsx";
import { ClosedNotice } from "./closed-question.tsx";
import { useQuestion } from "./queries.ts";

/**
 * The question that was shown before the one of this run that is open; undefined while none was.
 * @param id the open question; undefined while there is none
 */
export function useBefore(id: string | undefined): string | undefined {
  const [shown, setShown] = useState<{ readonly id: string | undefined; readonly before?: string | undefined }>({ id });
  if (id !== undefined && shown.id !== id) setShown({ id, before: shown.id });
  return shown.before;
}

/** What became of a question: its run may ask the next one in its place as soon as another person has answered. */
export function QuestionBefore({ id }: { readonly id: string }) {
  const { data: question } = useQuestion(id);
  if (!question || question.state === "open") return null;
  return (
    <p role="status" className="text-ink-2">
      <Bdi>{question.request.title}</Bdi>: <ClosedNotice question={question} />
    </p>
  );
}
