import type { InteractionRequest } from "#domain/tasks/interaction-request.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { Button } from "../../ui/button.tsx";
import { Markdown } from "../../ui/markdown.tsx";
import { FormError } from "../../ui/field.tsx";
import { useWork } from "../../ui/use-action.ts";
import { QuestionForm } from "../questions/answer-form.tsx";
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
  return (
    <section aria-labelledby={interactionId} className="flex flex-col gap-3 rounded-panel border border-waiting/40 p-4">
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
