import { useLayoutEffect, useRef } from "react";
import type { InteractionRequest } from "#domain/tasks/interaction-request.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { Button } from "../../ui/button.tsx";
import { Markdown } from "../../ui/markdown.tsx";
import { FormError } from "../../ui/field.tsx";
import { useWork } from "../../ui/use-action.ts";
import { QuestionForm } from "../questions/answer-form.tsx";
import { MESSAGE_ID, TOUCH } from "./chat-props.ts";
import type { VisitStore } from "./visit-store.ts";

/** What the agent asks the visitor before it goes on. */
export default function VisitQuestion({
  question,
  visit,
}: {
  readonly question: InteractionRequest;
  readonly visit: VisitStore;
}) {
  const { isBusy, error, start } = useWork();
  const { interactionId, title, description, wizardStepId } = question;
  const section = useKeptFocus();
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby={interactionId}
      className="flex flex-col gap-3 rounded-panel border border-waiting/40 p-4"
    >
      <h2 id={interactionId} dir="auto" className="text-h3 font-semibold">
        {visibleText(title)}
      </h2>
      {description !== "" && <Markdown text={description} />}
      <QuestionForm
        key={`${interactionId} ${wizardStepId ?? ""}`}
        question={question}
        blockedBy={undefined}
        send={(answer) => visit.answer({ ...answer, ...(wizardStepId !== undefined && { wizardStepId }) })}
      />
      {error !== undefined && <FormError>{error}</FormError>}
      <Button look="quiet" className="self-start" isBusy={isBusy} onClick={() => start(() => visit.stop())}>
        Stop without an answer
      </Button>
    </section>
  );
}

/** The question takes the focus from the field that it replaces, and gives it back. */
function useKeptFocus() {
  const section = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { current } = section;
    const { activeElement, body } = document;
    const isLost = activeElement === body || activeElement?.id === MESSAGE_ID;
    if (isLost && document.hasFocus()) current?.focus({ preventScroll: true });
    return () => {
      if (current?.contains(document.activeElement) !== true || matchMedia(TOUCH).matches) return;
      requestAnimationFrame(() => document.getElementById(MESSAGE_ID)?.focus({ preventScroll: true }));
    };
  }, []);
  return section;
}
